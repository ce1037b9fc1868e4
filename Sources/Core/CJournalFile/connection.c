#include <sqlite3.h>
#include "CJournalFile.h"

int journal_omit_memory_statistics(void) { return sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0); }

int journal_keep_log_when_closed(sqlite3 *connection) {
  return sqlite3_db_config(connection, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, (int *)0);
}

int journal_rewrite_log(sqlite3 *connection) {
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

static int journal_put_log_length(void *length, sqlite3 *connection, const char *schema, int pages) {
  *(int *)length = pages;
  return SQLITE_OK;
}

void journal_watch_log_length(sqlite3 *connection, int *length) {
  sqlite3_wal_hook(connection, journal_put_log_length, length);
}

int journal_write_error(sqlite3 *connection) {
  sqlite3_file *log = 0;
  int number = 0;
  if (sqlite3_file_control(connection, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log) == SQLITE_OK && log && log->pMethods)
    log->pMethods->xFileControl(log, SQLITE_FCNTL_LAST_ERRNO, &number);
  if (number == 0) sqlite3_file_control(connection, "main", SQLITE_FCNTL_LAST_ERRNO, &number);
  return number;
}
