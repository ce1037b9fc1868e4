#pragma once
#include <sqlite3.h>

/* Swift cannot call functions with variable arguments. Before the first connection only. */
static inline int csqlite_omit_memory_statistics(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

/* Leaves the write-ahead log as it is when the connection is closed. */
static inline int csqlite_keep_log_when_closed(sqlite3 *connection) {
  return sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}

/* Writes the write-ahead log over itself and syncs it, so that the disk holds what this process sees: after a sync that
   failed, the kernel shows what it never wrote. The connection must hold the write lock. */
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

/* With which errno writing last failed, in the log or else in the file itself; 0 if it never did. What
   sqlite3_system_errno tells is not set by a commit. */
static inline int csqlite_write_error(sqlite3 *connection) {
  sqlite3_file *log = 0;
  int number = 0;
  if (sqlite3_file_control(connection, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log) == SQLITE_OK && log && log->pMethods)
    log->pMethods->xFileControl(log, SQLITE_FCNTL_LAST_ERRNO, &number);
  if (number == 0) sqlite3_file_control(connection, "main", SQLITE_FCNTL_LAST_ERRNO, &number);
  return number;
}
