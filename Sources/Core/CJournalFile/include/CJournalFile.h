/* The files of SQLite databases whose pages have checksums, and the write-ahead log of a connection. Functions that return
   int return a code of SQLite, unless they say otherwise. */
#pragma once
#include <stdint.h>

typedef struct sqlite3 sqlite3;

/* File systems */

/* The names of the file systems to open databases with: for paths, and for the numbers of descriptors. To be called once
   each. */
const char *journal_checked_paths(void);
const char *journal_checked_descriptors(void);

/* Checksums */

/* Whether pages have checksums: 0 without, 1 with, 2 if another program has changed the file. */
int journal_checksum_state(sqlite3 *connection);

/* Reserves space for checksums in a new database. */
int journal_reserve(sqlite3 *connection);

/* Writes the checksums of all pages and syncs them. */
int journal_stamp_all(sqlite3 *connection);

/* Sets whether reading fails where a checksum is wrong. */
void journal_check(sqlite3 *connection, int checks);

/* Whether a page that was read without SQLite, `number` from 1 on, has the right checksum, or none. */
int journal_page_is_sound(const void *page, int size, int64_t number);

/* Where damage was found last: the offset in bytes, or -1. */
int64_t journal_damage(sqlite3 *connection, int *is_in_log);

/* Reads pages from `first` on out of the file, not the log. Puts the number of pages read, 0 at the end, into `count`. */
int journal_read_pages(sqlite3 *connection, int64_t first, int *count);

/* The write-ahead log */

/* Returns the offset of the first frame of an open log that is not as it was written, if its transaction was followed by
   another one, and so was committed; else -1. */
int64_t journal_find_tear(int log);

/* Writes the log over itself and syncs it, so that the disk has what this process reads: after a failed sync the page cache
   has data that was never written. The connection must hold the write lock. */
int journal_rewrite_log(sqlite3 *connection);

/* Keeps the lock of writers from the next transaction on until the connection is closed, so that no other program can write;
   all can read. Locking and unlocking cost two system calls a transaction. */
int journal_keep_write_lock(sqlite3 *connection);

/* Leaves the log as it is when the connection is closed. */
int journal_keep_log_when_closed(sqlite3 *connection);

/* Puts the length of the log, in pages, into `length` after each commit. From then on SQLite copies the log into the file
   only when it is asked to. */
void journal_watch_log_length(sqlite3 *connection, int *length);

/* Errors and memory */

/* The errno of the last failed write, to the log or else to the file itself; 0 if none failed. A commit does not set
   sqlite3_system_errno. */
int journal_write_error(sqlite3 *connection);

/* Takes no statistics of memory, whose lock costs time. Before the first connection only. */
int journal_omit_memory_statistics(void);
