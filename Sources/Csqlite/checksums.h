#pragma once
#include <sqlite3.h>
#include <stdint.h>
#include <string.h>
#include "descriptors.h"

/* A file system that finds damaged pages, on top of another one.

   A database that reserves 12 bytes at the end of each page has there, little-endian:
   - 4 bytes: the page's number; in page 1 the file change counter (bytes 24 to 27 of the page), which SQLite increments.
   - 8 bytes: the checksum of the page up to here, that of SQLite's write-ahead logs over little-endian words.
   Both are written with the page and checked when it is read. SQLite sees zeros in their place.

   - A page with 12 zeros is not checked: a program without this file system copied it from the log.
   - If the change counter in page 1 differs from the one in the header, such a program has changed the file: no page is
     checked until all have been stamped again.

   A page in the write-ahead log is checked by the checksum of its frame, which SQLite itself does only at the start. */

enum { CSQLITE_RESERVED = 12, CSQLITE_MOST_PAGE = 65536, CSQLITE_FRAME = 24, CSQLITE_LOG_HEADER = 32 };

/* Operations of xFileControl; SQLite leaves numbers from 100 on to others. */
enum {
  /* Puts where damage was found last into an int64_t: the offset in bytes, or -1. */
  CSQLITE_DAMAGE = 0x7461,
  /* Takes an int: whether to check pages. */
  CSQLITE_CHECK,
  /* Puts into an int: 0 without checksums, 1 with, 2 if another program has changed the file. */
  CSQLITE_STATE,
  /* Stamps all pages and syncs them. */
  CSQLITE_STAMP,
};

enum { CSQLITE_OTHER, CSQLITE_MAIN, CSQLITE_LOG };

typedef struct {
  sqlite3_file base;
  sqlite3_file *file; /* below */
  int kind;
  int page_size; /* 0 if unknown */
  int state;     /* see CSQLITE_STATE */
  int is_checking;
  int64_t damage;
  /* Log: only frames before this offset are checked. A transaction in progress writes frames over without their
     checksums, which it corrects at its end. */
  int64_t sound;
} csqlite_checked;

static inline sqlite3_file *csqlite_below(sqlite3_file *file) { return ((csqlite_checked *)file)->file; }

/* Bytes as numbers */

static inline uint32_t csqlite_big(const unsigned char *bytes) {
  return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static inline uint32_t csqlite_little(const unsigned char *bytes) {
  return (uint32_t)bytes[3] << 24 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[1] << 8 | bytes[0];
}

static inline void csqlite_put_little(unsigned char *bytes, uint32_t number) {
  for (int i = 0; i < 4; i++) bytes[i] = (unsigned char)(number >> (8 * i));
}

/* Continues a checksum of write-ahead logs (sqlite.org/fileformat2.html, section 4.2). Ignores up to 7 bytes at the end. */
static inline void csqlite_sum(const void *content, int count, int is_big, uint32_t sum[2]) {
  const unsigned char *bytes = (const unsigned char *)content;
  uint32_t first = sum[0], second = sum[1];
  if (is_big) {
    for (int i = 0; i + 8 <= count; i += 8) {
      first += csqlite_big(bytes + i) + second;
      second += csqlite_big(bytes + i + 4) + first;
    }
  } else {
    for (int i = 0; i + 8 <= count; i += 8) {
      first += csqlite_little(bytes + i) + second;
      second += csqlite_little(bytes + i + 4) + first;
    }
  }
  sum[0] = first;
  sum[1] = second;
}

/* Whether a frame of a log follows one whose checksum is `before`. */
static inline int csqlite_frame_follows(
    const unsigned char before[8], const unsigned char header[CSQLITE_FRAME], const void *page, int count) {
  for (int is_big = 0; is_big < 2; is_big++) {
    uint32_t sum[2] = {csqlite_big(before), csqlite_big(before + 4)};
    csqlite_sum(header, 8, is_big, sum);
    csqlite_sum(page, count, is_big, sum);
    if (sum[0] == csqlite_big(header + 16) && sum[1] == csqlite_big(header + 20)) return 1;
  }
  return 0;
}

/* Returns the offset of the first frame of an open log that is not as it was written, if its transaction was followed by
   another one, and so was committed; else -1. */
static inline int64_t csqlite_find_tear(int log) {
  unsigned char header[CSQLITE_LOG_HEADER], again[CSQLITE_LOG_HEADER], frame[CSQLITE_FRAME + CSQLITE_MOST_PAGE], before[8];
  if (pread(log, header, sizeof header, 0) != sizeof header || (csqlite_big(header) & ~1u) != 0x377f0682) return -1;
  uint32_t size = csqlite_big(header + 8), sum[2] = {0, 0};
  csqlite_sum(header, CSQLITE_LOG_HEADER - 8, (int)(csqlite_big(header) & 1), sum);
  if (sum[0] != csqlite_big(header + 24) || sum[1] != csqlite_big(header + 28)) return -1;
  if (size < 512 || size > CSQLITE_MOST_PAGE || size & (size - 1)) return -1;
  ssize_t length = CSQLITE_FRAME + (ssize_t)size;
  int64_t torn = -1;
  int ends = 0, is_found = 0;
  memcpy(before, header + CSQLITE_LOG_HEADER - 8, 8);
  for (int64_t offset = CSQLITE_LOG_HEADER; !is_found && pread(log, frame, (size_t)length, offset) == length;
       offset += length) {
    /* Frames of an earlier log have another salt. */
    int is_ours = memcmp(frame + 8, header + 16, 8) == 0;
    int follows = is_ours && csqlite_frame_follows(before, frame, frame + CSQLITE_FRAME, (int)size);
    if (torn >= 0) is_found = follows && ends;
    else if (!follows) torn = offset;
    ends = is_ours && csqlite_big(frame + 4) != 0;
    memcpy(before, frame + 16, 8);
  }
  /* Else the log was begun anew meanwhile. */
  int is_same = pread(log, again, sizeof again, 0) == sizeof again && memcmp(header, again, sizeof again) == 0;
  return is_found && is_same ? torn : -1;
}

/* Pages */

static inline void csqlite_page_sum(const unsigned char *page, int size, unsigned char result[8]) {
  /* Not from zero, so that a page of zeros has a checksum. */
  uint32_t sum[2] = {1, 0};
  csqlite_sum(page, size - 8, 0, sum);
  csqlite_put_little(result, sum[0]);
  csqlite_put_little(result + 4, sum[1]);
}

static inline uint32_t csqlite_mark(const unsigned char *page, sqlite3_int64 offset, int size) {
  return offset == 0 ? csqlite_big(page + 24) : (uint32_t)(offset / size + 1);
}

static inline void csqlite_stamp_page(unsigned char *page, sqlite3_int64 offset, int size) {
  csqlite_put_little(page + size - CSQLITE_RESERVED, csqlite_mark(page, offset, size));
  csqlite_page_sum(page, size, page + size - 8);
}

static inline int csqlite_is_summed(const unsigned char *page, int size) {
  unsigned char sum[8];
  csqlite_page_sum(page, size, sum);
  return memcmp(sum, page + size - 8, 8) == 0;
}

static inline int csqlite_is_sound(const unsigned char *page, sqlite3_int64 offset, int size) {
  static const unsigned char zeros[CSQLITE_RESERVED];
  const unsigned char *stamp = page + size - CSQLITE_RESERVED;
  if (memcmp(stamp, zeros, CSQLITE_RESERVED) == 0) return 1;
  return csqlite_little(stamp) == csqlite_mark(page, offset, size) && csqlite_is_summed(page, size);
}

/* Finds the state of a database by its first page. Damage of a few bits there is not taken for the change of another
   program, which changes more than the bytes that say so. */
static inline void csqlite_judge(csqlite_checked *checked, unsigned char *page) {
  int size = checked->page_size;
  unsigned char *stamp = page + size - CSQLITE_RESERVED;
  unsigned char found[4];
  uint32_t mark = csqlite_little(stamp);
  if (page[20] != CSQLITE_RESERVED) {
    page[20] = CSQLITE_RESERVED;
    checked->state = csqlite_is_summed(page, size);
    return;
  }
  checked->state = 1;
  if (mark == csqlite_big(page + 24)) return;
  memcpy(found, page + 24, 4);
  for (int i = 0; i < 4; i++) page[24 + i] = (unsigned char)(mark >> (24 - 8 * i));
  if (csqlite_is_summed(page, size)) return;
  memcpy(page + 24, found, 4);
  csqlite_put_little(stamp, csqlite_big(found));
  if (!csqlite_is_summed(page, size)) checked->state = 2;
}

/* Learns from the header of a database what its pages are. Returns SQLite's error where the first page cannot be read:
   without it, pages would be written with the checksums of their former content. */
static inline int csqlite_learn(csqlite_checked *checked, const unsigned char *header, int is_written) {
  int size = header[16] << 8 | header[17] << 16;
  if (memcmp(header, "SQLite format 3", 16) != 0 || size < 512 || size > CSQLITE_MOST_PAGE || size & (size - 1)) return SQLITE_OK;
  /* What a program with this file system writes does not change whether another one has changed the file. */
  if (is_written) {
    checked->page_size = size;
    if (checked->state == 0) checked->state = header[20] == CSQLITE_RESERVED;
    return SQLITE_OK;
  }
  unsigned char page[CSQLITE_MOST_PAGE];
  sqlite3_file *file = checked->file;
  int result = file->pMethods->xRead(file, page, size, 0);
  if (result != SQLITE_OK && result != SQLITE_IOERR_SHORT_READ) return result;
  checked->page_size = size;
  checked->state = 0;
  if (result == SQLITE_OK) csqlite_judge(checked, page);
  return SQLITE_OK;
}

/* Reads a page as it is in the file, or with zeros in place of a checksum that is right. */
static inline int csqlite_check_page(csqlite_checked *checked, unsigned char *page, sqlite3_int64 offset) {
  int size = checked->page_size;
  if (checked->state == 1 && checked->is_checking && !csqlite_is_sound(page, offset, size)) {
    checked->damage = offset;
    return SQLITE_IOERR_DATA;
  }
  memset(page + size - CSQLITE_RESERVED, 0, CSQLITE_RESERVED);
  return SQLITE_OK;
}

static inline int csqlite_check_frame(csqlite_checked *checked, const void *page, int count, sqlite3_int64 offset) {
  sqlite3_file *log = checked->file;
  unsigned char before[8], header[CSQLITE_FRAME];
  sqlite3_int64 first = CSQLITE_LOG_HEADER + CSQLITE_FRAME;
  sqlite3_int64 last_sum = offset == first ? CSQLITE_LOG_HEADER - 8 : offset - count - CSQLITE_FRAME - 8;
  int result = log->pMethods->xRead(log, before, 8, last_sum);
  if (result == SQLITE_OK) result = log->pMethods->xRead(log, header, CSQLITE_FRAME, offset - CSQLITE_FRAME);
  if (result != SQLITE_OK || csqlite_frame_follows(before, header, page, count)) return result;
  checked->damage = offset;
  return SQLITE_IOERR_DATA;
}

/* Methods of files */

static inline int csqlite_checked_close(sqlite3_file *file) {
  sqlite3_file *below = csqlite_below(file);
  int result = below->pMethods->xClose(below);
  sqlite3_free(below);
  return result;
}

static inline int csqlite_checked_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
  csqlite_checked *checked = (csqlite_checked *)file;
  int result = checked->file->pMethods->xRead(checked->file, bytes, count, offset);
  if (result != SQLITE_OK || checked->kind == CSQLITE_OTHER) return result;
  if (checked->kind == CSQLITE_LOG) {
    int is_page = count >= 512 && (count & (count - 1)) == 0 && offset < checked->sound && checked->is_checking
        && offset % (count + CSQLITE_FRAME) == CSQLITE_LOG_HEADER + CSQLITE_FRAME;
    return is_page ? csqlite_check_frame(checked, bytes, count, offset) : SQLITE_OK;
  }
  if (offset == 0 && count >= 100 && !checked->page_size) result = csqlite_learn(checked, (unsigned char *)bytes, 0);
  if (result != SQLITE_OK) return result;
  if (!checked->state || count != checked->page_size) return SQLITE_OK;
  return csqlite_check_page(checked, (unsigned char *)bytes, offset);
}

static inline int csqlite_checked_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  csqlite_checked *checked = (csqlite_checked *)file;
  sqlite3_file *below = checked->file;
  if (checked->kind == CSQLITE_LOG) {
    if (count == CSQLITE_FRAME && csqlite_big((const unsigned char *)bytes + 4) != 0)
      checked->sound = offset + CSQLITE_FRAME + 1;
    else if ((count == CSQLITE_FRAME || count == CSQLITE_LOG_HEADER) && offset < checked->sound)
      checked->sound = offset;
  }
  if (checked->kind == CSQLITE_MAIN) {
    unsigned char page[CSQLITE_MOST_PAGE];
    if (offset == 0 && count >= 100) (void)csqlite_learn(checked, (const unsigned char *)bytes, 1);
    if (checked->state == 1 && count == checked->page_size) {
      memcpy(page, bytes, (size_t)count);
      csqlite_stamp_page(page, offset, count);
      return below->pMethods->xWrite(below, page, count, offset);
    }
  }
  return below->pMethods->xWrite(below, bytes, count, offset);
}

/* Stamps page 1 last: until then the file counts as changed by another program. */
static inline int csqlite_stamp(csqlite_checked *checked) {
  sqlite3_file *file = checked->file;
  unsigned char page[CSQLITE_MOST_PAGE];
  sqlite3_int64 end = 0;
  int size = checked->page_size;
  int result = file->pMethods->xFileSize(file, &end);
  if (result != SQLITE_OK || !size || !checked->state) return result;
  for (sqlite3_int64 number = 1; result == SQLITE_OK && number <= end / size; number++) {
    sqlite3_int64 offset = number < end / size ? number * size : 0;
    unsigned char former[CSQLITE_RESERVED];
    result = file->pMethods->xRead(file, page, size, offset);
    if (result != SQLITE_OK) break;
    memcpy(former, page + size - CSQLITE_RESERVED, CSQLITE_RESERVED);
    csqlite_stamp_page(page, offset, size);
    if (memcmp(former, page + size - CSQLITE_RESERVED, CSQLITE_RESERVED) == 0) continue;
    if (offset == 0) result = file->pMethods->xSync(file, SQLITE_SYNC_NORMAL);
    if (result == SQLITE_OK) result = file->pMethods->xWrite(file, page, size, offset);
  }
  if (result == SQLITE_OK) result = file->pMethods->xSync(file, SQLITE_SYNC_NORMAL);
  if (result == SQLITE_OK) checked->state = 1;
  return result;
}

static inline int csqlite_checked_truncate(sqlite3_file *file, sqlite3_int64 size) {
  return csqlite_below(file)->pMethods->xTruncate(csqlite_below(file), size);
}

static inline int csqlite_checked_sync(sqlite3_file *file, int flags) {
  return csqlite_below(file)->pMethods->xSync(csqlite_below(file), flags);
}

static inline int csqlite_checked_size(sqlite3_file *file, sqlite3_int64 *size) {
  return csqlite_below(file)->pMethods->xFileSize(csqlite_below(file), size);
}

static inline int csqlite_checked_lock(sqlite3_file *file, int level) {
  return csqlite_below(file)->pMethods->xLock(csqlite_below(file), level);
}

static inline int csqlite_checked_unlock(sqlite3_file *file, int level) {
  return csqlite_below(file)->pMethods->xUnlock(csqlite_below(file), level);
}

static inline int csqlite_checked_check_lock(sqlite3_file *file, int *is_reserved) {
  return csqlite_below(file)->pMethods->xCheckReservedLock(csqlite_below(file), is_reserved);
}

static inline int csqlite_checked_control(sqlite3_file *file, int operation, void *argument) {
  csqlite_checked *checked = (csqlite_checked *)file;
  switch (operation) {
    case CSQLITE_DAMAGE: *(int64_t *)argument = checked->damage; return SQLITE_OK;
    case CSQLITE_CHECK: checked->is_checking = *(int *)argument; return SQLITE_OK;
    case CSQLITE_STATE: *(int *)argument = checked->state; return SQLITE_OK;
    case CSQLITE_STAMP: return csqlite_stamp(checked);
    default: return checked->file->pMethods->xFileControl(checked->file, operation, argument);
  }
}

static inline int csqlite_checked_sector_size(sqlite3_file *file) {
  return csqlite_below(file)->pMethods->xSectorSize(csqlite_below(file));
}

/* Without 0x8000, SQLITE_IOCAP_SUBPAGE_READ of newer versions: pages are read whole. */
static inline int csqlite_checked_characteristics(sqlite3_file *file) {
  return csqlite_below(file)->pMethods->xDeviceCharacteristics(csqlite_below(file)) & ~0x8000;
}

static inline int csqlite_checked_map(sqlite3_file *file, int index, int size, int extends, void volatile **memory) {
  return csqlite_below(file)->pMethods->xShmMap(csqlite_below(file), index, size, extends, memory);
}

static inline int csqlite_checked_lock_memory(sqlite3_file *file, int offset, int count, int flags) {
  return csqlite_below(file)->pMethods->xShmLock(csqlite_below(file), offset, count, flags);
}

static inline void csqlite_checked_barrier(sqlite3_file *file) {
  csqlite_below(file)->pMethods->xShmBarrier(csqlite_below(file));
}

static inline int csqlite_checked_unmap(sqlite3_file *file, int deletes) {
  return csqlite_below(file)->pMethods->xShmUnmap(csqlite_below(file), deletes);
}

/* Methods of the file system */

static inline sqlite3_vfs *csqlite_vfs_below(sqlite3_vfs *vfs) {
  /* At each call, because tests change the default one. */
  return sqlite3_vfs_find((const char *)vfs->pAppData);
}

static inline int csqlite_checked_open(
    sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *flags_out) {
  /* Version 1 has no shared memory, version 3 would map the file, and then pages are not read. */
#define CSQLITE_METHODS(version)                                                                                     \
  {                                                                                                                  \
    version, csqlite_checked_close, csqlite_checked_read, csqlite_checked_write, csqlite_checked_truncate,           \
    csqlite_checked_sync, csqlite_checked_size, csqlite_checked_lock, csqlite_checked_unlock,                        \
    csqlite_checked_check_lock, csqlite_checked_control, csqlite_checked_sector_size,                                \
    csqlite_checked_characteristics, csqlite_checked_map, csqlite_checked_lock_memory, csqlite_checked_barrier,      \
    csqlite_checked_unmap, 0, 0,                                                                                     \
  }
  static const sqlite3_io_methods without_memory = CSQLITE_METHODS(1), with_memory = CSQLITE_METHODS(2);
#undef CSQLITE_METHODS
  csqlite_checked *checked = (csqlite_checked *)file;
  sqlite3_vfs *system = csqlite_vfs_below(vfs);
  file->pMethods = 0;
  if (!system) return SQLITE_CANTOPEN;
  sqlite3_file *below = (sqlite3_file *)sqlite3_malloc(system->szOsFile);
  if (!below) return SQLITE_NOMEM;
  memset(below, 0, (size_t)system->szOsFile);
  int result = system->xOpen(system, name, below, flags, flags_out);
  if (result != SQLITE_OK) {
    if (below->pMethods) below->pMethods->xClose(below);
    sqlite3_free(below);
    return result;
  }
  memset(checked, 0, sizeof *checked);
  checked->file = below;
  checked->kind = flags & SQLITE_OPEN_MAIN_DB ? CSQLITE_MAIN : flags & SQLITE_OPEN_WAL ? CSQLITE_LOG : CSQLITE_OTHER;
  checked->is_checking = 1;
  checked->damage = -1;
  checked->sound = INT64_MAX;
  file->pMethods = below->pMethods->iVersion < 2 ? &without_memory : &with_memory;
  return SQLITE_OK;
}

static inline int csqlite_checked_delete(sqlite3_vfs *vfs, const char *name, int is_synced) {
  return csqlite_vfs_below(vfs)->xDelete(csqlite_vfs_below(vfs), name, is_synced);
}

static inline int csqlite_checked_access(sqlite3_vfs *vfs, const char *name, int flags, int *answer) {
  return csqlite_vfs_below(vfs)->xAccess(csqlite_vfs_below(vfs), name, flags, answer);
}

static inline int csqlite_checked_full_name(sqlite3_vfs *vfs, const char *name, int size, char *full) {
  return csqlite_vfs_below(vfs)->xFullPathname(csqlite_vfs_below(vfs), name, size, full);
}

static inline int csqlite_checked_last_error(sqlite3_vfs *vfs, int size, char *text) {
  sqlite3_vfs *system = csqlite_vfs_below(vfs);
  return system->xGetLastError ? system->xGetLastError(system, size, text) : 0;
}

static inline const char *csqlite_register(sqlite3_vfs *vfs, const char *name, const char *below) {
  sqlite3_vfs *system = sqlite3_vfs_find(below);
  if (!system) return 0;
  *vfs = *system;
  vfs->zName = name;
  vfs->pNext = 0;
  vfs->pAppData = (void *)below;
  vfs->szOsFile = sizeof(csqlite_checked);
  vfs->xOpen = csqlite_checked_open;
  vfs->xDelete = csqlite_checked_delete;
  vfs->xAccess = csqlite_checked_access;
  vfs->xFullPathname = csqlite_checked_full_name;
  vfs->xGetLastError = csqlite_checked_last_error;
  return sqlite3_vfs_register(vfs, 0) == SQLITE_OK ? name : 0;
}

/* The names of the file systems to open databases with: for paths, and for the numbers of descriptors. To be called once
   each. */

static inline const char *csqlite_checked_paths(void) {
  static sqlite3_vfs vfs;
  return csqlite_register(&vfs, "checked", 0);
}

static inline const char *csqlite_checked_descriptors(void) {
  static sqlite3_vfs vfs;
  return csqlite_register(&vfs, "checked-descriptors", csqlite_descriptors());
}

/* Connections */

/* Where damage was found: the offset in bytes, or -1. */
static inline int64_t csqlite_damage(sqlite3 *connection, int *is_in_log) {
  sqlite3_file *log = 0;
  int64_t offset = -1;
  *is_in_log = 0;
  sqlite3_file_control(connection, "main", CSQLITE_DAMAGE, &offset);
  if (offset >= 0) return offset;
  if (sqlite3_file_control(connection, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log) == SQLITE_OK && log && log->pMethods)
    log->pMethods->xFileControl(log, CSQLITE_DAMAGE, &offset);
  *is_in_log = offset >= 0;
  return offset;
}

/* Whether pages have checksums; see CSQLITE_STATE. */
static inline int csqlite_checksum_state(sqlite3 *connection) {
  int state = 0;
  sqlite3_file_control(connection, "main", CSQLITE_STATE, &state);
  return state;
}

static inline int csqlite_stamp_all(sqlite3 *connection) {
  return sqlite3_file_control(connection, "main", CSQLITE_STAMP, 0);
}

/* Whether to fail where a checksum is wrong. */
static inline void csqlite_check(sqlite3 *connection, int checks) {
  sqlite3_file_control(connection, "main", CSQLITE_CHECK, &checks);
}

/* Reserves space for checksums in a new database, or in the copy that VACUUM INTO makes. */
static inline int csqlite_reserve(sqlite3 *connection) {
  int count = CSQLITE_RESERVED;
  return sqlite3_file_control(connection, "main", SQLITE_FCNTL_RESERVE_BYTES, &count);
}

/* Reads pages from `first` on out of the file, not the log. Puts the number of pages read, 0 at the end, into `count`. */
static inline int csqlite_read_pages(sqlite3 *connection, sqlite3_int64 first, int *count) {
  sqlite3_file *file = 0;
  unsigned char page[CSQLITE_MOST_PAGE];
  sqlite3_int64 end = 0;
  int most = *count;
  *count = 0;
  int result = sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file);
  if (result != SQLITE_OK || !file || !file->pMethods) return result;
  int size = ((csqlite_checked *)file)->page_size;
  result = file->pMethods->xFileSize(file, &end);
  for (; result == SQLITE_OK && size && *count < most && (first + *count) * size <= end; (*count)++)
    result = file->pMethods->xRead(file, page, size, (first + *count - 1) * size);
  return result;
}
