#pragma once
#include <sqlite3.h>
#include "checksums.h"

/* Swift cannot call functions with variable arguments. Before the first connection only. */
static inline int csqlite_omit_memory_statistics(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

/* Leaves the write-ahead log as it is when the connection is closed. */
static inline int csqlite_keep_log_when_closed(sqlite3 *connection) {
  return sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}

/* Writes the write-ahead log over itself and syncs it, so that the disk has what this process reads: after a failed sync
   the page cache has data that was never written. The connection must hold the write lock. */
static inline int csqlite_rewrite_log(sqlite3 *connection) {
  sqlite3_file *log = 0;
  sqlite3_int64 size = 0;
  char piece[65536];
  int result = sqlite3_file_control(connection, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log);
  if (result != SQLITE_OK || !log || !log->pMethods) return result;
  result = log->pMethods->xFileSize(log, &size);
  if (size == 0) return result;
  for (sqlite3_int64 offset = 0; result == SQLITE_OK && offset < size; offset += sizeof piece) {
    int count = size - offset < (sqlite3_int64)sizeof piece ? (int)(size - offset) : (int)sizeof piece;
    result = log->pMethods->xRead(log, piece, count, offset);
    if (result == SQLITE_OK) result = log->pMethods->xWrite(log, piece, count, offset);
  }
  return result == SQLITE_OK ? log->pMethods->xSync(log, SQLITE_SYNC_NORMAL) : result;
}

static inline int csqlite_put_log_length(void *length, sqlite3 *connection, const char *schema, int pages) {
  *(int *)length = pages;
  return SQLITE_OK;
}

/* Puts the length of the write-ahead log, in pages, into `length` after each commit. From then on SQLite copies the log
   into the file only when it is asked to. */
static inline void csqlite_watch_log_length(sqlite3 *connection, int *length) {
  sqlite3_wal_hook(connection, csqlite_put_log_length, length);
}

/* The errno of the last failed write, to the log or else to the file itself; 0 if none failed. A commit does not set
   sqlite3_system_errno. */
static inline int csqlite_write_error(sqlite3 *connection) {
  sqlite3_file *log = 0;
  int number = 0;
  if (sqlite3_file_control(connection, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log) == SQLITE_OK && log && log->pMethods)
    log->pMethods->xFileControl(log, SQLITE_FCNTL_LAST_ERRNO, &number);
  if (number == 0) sqlite3_file_control(connection, "main", SQLITE_FCNTL_LAST_ERRNO, &number);
  return number;
}
