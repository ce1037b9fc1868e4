#include <sqlite3.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>
#include "CJournalFile.h"
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

enum { JOURNAL_RESERVED = 12, JOURNAL_MOST_PAGE = 65536, JOURNAL_FRAME = 24, JOURNAL_LOG_HEADER = 32 };

/* The number of the lock of writers among those of a log's index. */
enum { JOURNAL_WRITE_LOCK = 0 };

/* Operations of xFileControl; SQLite leaves numbers from 100 on to others. */
enum {
  /* Puts where damage was found last into an int64_t: the offset in bytes, or -1. */
  JOURNAL_DAMAGE = 0x7461,
  /* Takes an int: whether to check pages. */
  JOURNAL_CHECK,
  /* Puts into an int: 0 without checksums, 1 with, 2 if another program has changed the file. */
  JOURNAL_STATE,
  /* Stamps all pages and syncs them. */
  JOURNAL_STAMP,
  /* Keeps the lock of writers, once it is taken, until the file is closed. */
  JOURNAL_KEEP_LOCK,
};

enum { JOURNAL_OTHER, JOURNAL_MAIN, JOURNAL_LOG };

typedef struct {
  sqlite3_file base;
  sqlite3_file *file; /* below */
  int kind;
  int page_size; /* 0 if unknown */
  int state;     /* see JOURNAL_STATE */
  int is_checking;
  int64_t damage;
  /* Log: only frames before this offset are checked. A transaction in progress writes frames over without their
     checksums, which it corrects at its end. */
  int64_t sound;
  /* Log: the header of a frame that is written with its page, and where; -1 if there is none. */
  unsigned char header[JOURNAL_FRAME];
  int64_t header_at;
  /* Database: see JOURNAL_KEEP_LOCK. */
  int keeps_lock, has_lock;
} journal_checked;

static sqlite3_file *journal_below(sqlite3_file *file) { return ((journal_checked *)file)->file; }

/* Bytes as numbers */

static uint32_t journal_big(const unsigned char *bytes) {
  return (uint32_t)bytes[0] << 24 | (uint32_t)bytes[1] << 16 | (uint32_t)bytes[2] << 8 | bytes[3];
}

static uint32_t journal_little(const unsigned char *bytes) {
  return (uint32_t)bytes[3] << 24 | (uint32_t)bytes[2] << 16 | (uint32_t)bytes[1] << 8 | bytes[0];
}

static void journal_put_little(unsigned char *bytes, uint32_t number) {
  for (int i = 0; i < 4; i++) bytes[i] = (unsigned char)(number >> (8 * i));
}

/* Continues a checksum of write-ahead logs (sqlite.org/fileformat2.html, section 4.2). Ignores up to 7 bytes at the end. */
static void journal_sum(const void *content, int count, int is_big, uint32_t sum[2]) {
  const unsigned char *bytes = (const unsigned char *)content;
  uint32_t first = sum[0], second = sum[1];
  if (is_big) {
    for (int i = 0; i + 8 <= count; i += 8) {
      first += journal_big(bytes + i) + second;
      second += journal_big(bytes + i + 4) + first;
    }
  } else {
    for (int i = 0; i + 8 <= count; i += 8) {
      first += journal_little(bytes + i) + second;
      second += journal_little(bytes + i + 4) + first;
    }
  }
  sum[0] = first;
  sum[1] = second;
}

/* Whether a frame of a log follows one whose checksum is `before`. */
static int journal_frame_follows(
    const unsigned char before[8], const unsigned char header[JOURNAL_FRAME], const void *page, int count) {
  for (int is_big = 0; is_big < 2; is_big++) {
    uint32_t sum[2] = {journal_big(before), journal_big(before + 4)};
    journal_sum(header, 8, is_big, sum);
    journal_sum(page, count, is_big, sum);
    if (sum[0] == journal_big(header + 16) && sum[1] == journal_big(header + 20)) return 1;
  }
  return 0;
}

int64_t journal_find_tear(int log) {
  unsigned char header[JOURNAL_LOG_HEADER], again[JOURNAL_LOG_HEADER], frame[JOURNAL_FRAME + JOURNAL_MOST_PAGE], before[8];
  if (pread(log, header, sizeof header, 0) != sizeof header || (journal_big(header) & ~1u) != 0x377f0682) return -1;
  uint32_t size = journal_big(header + 8), sum[2] = {0, 0};
  journal_sum(header, JOURNAL_LOG_HEADER - 8, (int)(journal_big(header) & 1), sum);
  if (sum[0] != journal_big(header + 24) || sum[1] != journal_big(header + 28)) return -1;
  if (size < 512 || size > JOURNAL_MOST_PAGE || size & (size - 1)) return -1;
  ssize_t length = JOURNAL_FRAME + (ssize_t)size;
  int64_t torn = -1;
  int ends = 0, is_found = 0;
  memcpy(before, header + JOURNAL_LOG_HEADER - 8, 8);
  for (int64_t offset = JOURNAL_LOG_HEADER; !is_found && pread(log, frame, (size_t)length, offset) == length;
       offset += length) {
    /* Frames of an earlier log have another salt. */
    int is_ours = memcmp(frame + 8, header + 16, 8) == 0;
    int follows = is_ours && journal_frame_follows(before, frame, frame + JOURNAL_FRAME, (int)size);
    if (torn >= 0) is_found = follows && ends;
    else if (!follows) torn = offset;
    ends = is_ours && journal_big(frame + 4) != 0;
    memcpy(before, frame + 16, 8);
  }
  /* Else the log was begun anew meanwhile. */
  int is_same = pread(log, again, sizeof again, 0) == sizeof again && memcmp(header, again, sizeof again) == 0;
  return is_found && is_same ? torn : -1;
}

/* Pages */

static void journal_page_sum(const unsigned char *page, int size, unsigned char result[8]) {
  /* Not from zero, so that a page of zeros has a checksum. */
  uint32_t sum[2] = {1, 0};
  journal_sum(page, size - 8, 0, sum);
  journal_put_little(result, sum[0]);
  journal_put_little(result + 4, sum[1]);
}

static uint32_t journal_mark(const unsigned char *page, sqlite3_int64 offset, int size) {
  return offset == 0 ? journal_big(page + 24) : (uint32_t)(offset / size + 1);
}

static void journal_stamp_page(unsigned char *page, sqlite3_int64 offset, int size) {
  journal_put_little(page + size - JOURNAL_RESERVED, journal_mark(page, offset, size));
  journal_page_sum(page, size, page + size - 8);
}

static int journal_is_summed(const unsigned char *page, int size) {
  unsigned char sum[8];
  journal_page_sum(page, size, sum);
  return memcmp(sum, page + size - 8, 8) == 0;
}

static int journal_is_sound(const unsigned char *page, sqlite3_int64 offset, int size) {
  static const unsigned char zeros[JOURNAL_RESERVED];
  const unsigned char *stamp = page + size - JOURNAL_RESERVED;
  if (memcmp(stamp, zeros, JOURNAL_RESERVED) == 0) return 1;
  return journal_little(stamp) == journal_mark(page, offset, size) && journal_is_summed(page, size);
}

int journal_page_is_sound(const void *page, int size, int64_t number) {
  return journal_is_sound((const unsigned char *)page, (number - 1) * size, size);
}

/* Finds the state of a database by its first page. Damage of a few bits there is not taken for the change of another
   program, which changes more than the bytes that say so. */
static void journal_judge(journal_checked *checked, unsigned char *page) {
  int size = checked->page_size;
  unsigned char *stamp = page + size - JOURNAL_RESERVED;
  unsigned char found[4];
  uint32_t mark = journal_little(stamp);
  if (page[20] != JOURNAL_RESERVED) {
    page[20] = JOURNAL_RESERVED;
    checked->state = journal_is_summed(page, size);
    return;
  }
  checked->state = 1;
  if (mark == journal_big(page + 24)) return;
  memcpy(found, page + 24, 4);
  for (int i = 0; i < 4; i++) page[24 + i] = (unsigned char)(mark >> (24 - 8 * i));
  if (journal_is_summed(page, size)) return;
  memcpy(page + 24, found, 4);
  journal_put_little(stamp, journal_big(found));
  if (!journal_is_summed(page, size)) checked->state = 2;
}

/* Learns from the header of a database what its pages are. Returns SQLite's error where the first page cannot be read:
   without it, pages would be written with the checksums of their former content. */
static int journal_learn(journal_checked *checked, const unsigned char *header, int is_written) {
  int size = header[16] << 8 | header[17] << 16;
  if (memcmp(header, "SQLite format 3", 16) != 0 || size < 512 || size > JOURNAL_MOST_PAGE || size & (size - 1)) return SQLITE_OK;
  /* What a program with this file system writes does not change whether another one has changed the file. */
  if (is_written) {
    checked->page_size = size;
    if (checked->state == 0) checked->state = header[20] == JOURNAL_RESERVED;
    return SQLITE_OK;
  }
  unsigned char page[JOURNAL_MOST_PAGE];
  sqlite3_file *file = checked->file;
  int result = file->pMethods->xRead(file, page, size, 0);
  if (result != SQLITE_OK && result != SQLITE_IOERR_SHORT_READ) return result;
  checked->page_size = size;
  checked->state = 0;
  if (result == SQLITE_OK) journal_judge(checked, page);
  return SQLITE_OK;
}

/* Reads a page as it is in the file, or with zeros in place of a checksum that is right. */
static int journal_check_page(journal_checked *checked, unsigned char *page, sqlite3_int64 offset) {
  int size = checked->page_size;
  if (checked->state == 1 && checked->is_checking && !journal_is_sound(page, offset, size)) {
    checked->damage = offset;
    return SQLITE_IOERR_DATA;
  }
  memset(page + size - JOURNAL_RESERVED, 0, JOURNAL_RESERVED);
  return SQLITE_OK;
}

static int journal_check_frame(journal_checked *checked, const void *page, int count, sqlite3_int64 offset) {
  sqlite3_file *log = checked->file;
  unsigned char before[8], header[JOURNAL_FRAME];
  sqlite3_int64 first = JOURNAL_LOG_HEADER + JOURNAL_FRAME;
  sqlite3_int64 last_sum = offset == first ? JOURNAL_LOG_HEADER - 8 : offset - count - JOURNAL_FRAME - 8;
  int result = log->pMethods->xRead(log, before, 8, last_sum);
  if (result == SQLITE_OK) result = log->pMethods->xRead(log, header, JOURNAL_FRAME, offset - JOURNAL_FRAME);
  if (result != SQLITE_OK || journal_frame_follows(before, header, page, count)) return result;
  checked->damage = offset;
  return SQLITE_IOERR_DATA;
}

/* Frames of the log */

/* Writes a header that waits for its page. */
static int journal_write_header(journal_checked *checked) {
  int64_t offset = checked->header_at;
  if (offset < 0) return SQLITE_OK;
  checked->header_at = -1;
  return checked->file->pMethods->xWrite(checked->file, checked->header, JOURNAL_FRAME, offset);
}

/* A frame is one write: SQLite writes its header, then its page. Nobody reads a frame before its page is there. */
static int journal_write_log(journal_checked *checked, const void *bytes, int count, sqlite3_int64 offset) {
  sqlite3_file *log = checked->file;
  if (checked->header_at >= 0 && offset == checked->header_at + JOURNAL_FRAME && count <= JOURNAL_MOST_PAGE) {
    unsigned char frame[JOURNAL_FRAME + JOURNAL_MOST_PAGE];
    memcpy(frame, checked->header, JOURNAL_FRAME);
    memcpy(frame + JOURNAL_FRAME, bytes, (size_t)count);
    checked->header_at = -1;
    return log->pMethods->xWrite(log, frame, JOURNAL_FRAME + count, offset - JOURNAL_FRAME);
  }
  int result = journal_write_header(checked);
  if (result != SQLITE_OK) return result;
  if (count != JOURNAL_FRAME) return log->pMethods->xWrite(log, bytes, count, offset);
  memcpy(checked->header, bytes, JOURNAL_FRAME);
  checked->header_at = offset;
  return SQLITE_OK;
}

/* Methods of files */

static int journal_checked_close(sqlite3_file *file) {
  sqlite3_file *below = journal_below(file);
  int written = journal_write_header((journal_checked *)file);
  int result = below->pMethods->xClose(below);
  sqlite3_free(below);
  return result == SQLITE_OK ? written : result;
}

static int journal_checked_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
  journal_checked *checked = (journal_checked *)file;
  int result = journal_write_header(checked);
  if (result == SQLITE_OK) result = checked->file->pMethods->xRead(checked->file, bytes, count, offset);
  if (result != SQLITE_OK || checked->kind == JOURNAL_OTHER) return result;
  if (checked->kind == JOURNAL_LOG) {
    int is_page = count >= 512 && (count & (count - 1)) == 0 && offset < checked->sound && checked->is_checking
        && offset % (count + JOURNAL_FRAME) == JOURNAL_LOG_HEADER + JOURNAL_FRAME;
    return is_page ? journal_check_frame(checked, bytes, count, offset) : SQLITE_OK;
  }
  if (offset == 0 && count >= 100 && !checked->page_size) result = journal_learn(checked, (unsigned char *)bytes, 0);
  if (result != SQLITE_OK) return result;
  if (!checked->state || count != checked->page_size) return SQLITE_OK;
  return journal_check_page(checked, (unsigned char *)bytes, offset);
}

static int journal_checked_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  journal_checked *checked = (journal_checked *)file;
  sqlite3_file *below = checked->file;
  if (checked->kind == JOURNAL_LOG) {
    if (count == JOURNAL_FRAME && journal_big((const unsigned char *)bytes + 4) != 0)
      checked->sound = offset + JOURNAL_FRAME + 1;
    else if ((count == JOURNAL_FRAME || count == JOURNAL_LOG_HEADER) && offset < checked->sound)
      checked->sound = offset;
    return journal_write_log(checked, bytes, count, offset);
  }
  if (checked->kind == JOURNAL_MAIN) {
    unsigned char page[JOURNAL_MOST_PAGE];
    if (offset == 0 && count >= 100) (void)journal_learn(checked, (const unsigned char *)bytes, 1);
    if (checked->state == 1 && count == checked->page_size) {
      memcpy(page, bytes, (size_t)count);
      journal_stamp_page(page, offset, count);
      return below->pMethods->xWrite(below, page, count, offset);
    }
  }
  return below->pMethods->xWrite(below, bytes, count, offset);
}

/* Stamps page 1 last: until then the file counts as changed by another program. */
static int journal_stamp(journal_checked *checked) {
  sqlite3_file *file = checked->file;
  unsigned char page[JOURNAL_MOST_PAGE];
  sqlite3_int64 end = 0;
  int size = checked->page_size;
  int result = file->pMethods->xFileSize(file, &end);
  if (result != SQLITE_OK || !size || !checked->state) return result;
  for (sqlite3_int64 number = 1; result == SQLITE_OK && number <= end / size; number++) {
    sqlite3_int64 offset = number < end / size ? number * size : 0;
    unsigned char former[JOURNAL_RESERVED];
    result = file->pMethods->xRead(file, page, size, offset);
    if (result != SQLITE_OK) break;
    memcpy(former, page + size - JOURNAL_RESERVED, JOURNAL_RESERVED);
    journal_stamp_page(page, offset, size);
    if (memcmp(former, page + size - JOURNAL_RESERVED, JOURNAL_RESERVED) == 0) continue;
    if (offset == 0) result = file->pMethods->xSync(file, SQLITE_SYNC_NORMAL);
    if (result == SQLITE_OK) result = file->pMethods->xWrite(file, page, size, offset);
  }
  if (result == SQLITE_OK) result = file->pMethods->xSync(file, SQLITE_SYNC_NORMAL);
  if (result == SQLITE_OK) checked->state = 1;
  return result;
}

static int journal_checked_truncate(sqlite3_file *file, sqlite3_int64 size) {
  int result = journal_write_header((journal_checked *)file);
  return result == SQLITE_OK ? journal_below(file)->pMethods->xTruncate(journal_below(file), size) : result;
}

static int journal_checked_sync(sqlite3_file *file, int flags) {
  int result = journal_write_header((journal_checked *)file);
  return result == SQLITE_OK ? journal_below(file)->pMethods->xSync(journal_below(file), flags) : result;
}

static int journal_checked_size(sqlite3_file *file, sqlite3_int64 *size) {
  int result = journal_write_header((journal_checked *)file);
  return result == SQLITE_OK ? journal_below(file)->pMethods->xFileSize(journal_below(file), size) : result;
}

static int journal_checked_lock(sqlite3_file *file, int level) {
  return journal_below(file)->pMethods->xLock(journal_below(file), level);
}

static int journal_checked_unlock(sqlite3_file *file, int level) {
  return journal_below(file)->pMethods->xUnlock(journal_below(file), level);
}

static int journal_checked_check_lock(sqlite3_file *file, int *is_reserved) {
  return journal_below(file)->pMethods->xCheckReservedLock(journal_below(file), is_reserved);
}

static int journal_checked_control(sqlite3_file *file, int operation, void *argument) {
  journal_checked *checked = (journal_checked *)file;
  switch (operation) {
    case JOURNAL_DAMAGE: *(int64_t *)argument = checked->damage; return SQLITE_OK;
    case JOURNAL_CHECK: checked->is_checking = *(int *)argument; return SQLITE_OK;
    case JOURNAL_STATE: *(int *)argument = checked->state; return SQLITE_OK;
    case JOURNAL_STAMP: return journal_stamp(checked);
    case JOURNAL_KEEP_LOCK: checked->keeps_lock = 1; return SQLITE_OK;
    default: return checked->file->pMethods->xFileControl(checked->file, operation, argument);
  }
}

static int journal_checked_sector_size(sqlite3_file *file) {
  return journal_below(file)->pMethods->xSectorSize(journal_below(file));
}

/* Without 0x8000, SQLITE_IOCAP_SUBPAGE_READ of newer versions: pages are read whole. */
static int journal_checked_characteristics(sqlite3_file *file) {
  return journal_below(file)->pMethods->xDeviceCharacteristics(journal_below(file)) & ~0x8000;
}

static int journal_checked_map(sqlite3_file *file, int index, int size, int extends, void volatile **memory) {
  return journal_below(file)->pMethods->xShmMap(journal_below(file), index, size, extends, memory);
}

static int journal_checked_lock_memory(sqlite3_file *file, int offset, int count, int flags) {
  journal_checked *checked = (journal_checked *)file;
  int is_kept = checked->keeps_lock && offset == JOURNAL_WRITE_LOCK && count == 1;
  if (is_kept && (checked->has_lock || flags & SQLITE_SHM_UNLOCK)) return SQLITE_OK;
  int result = checked->file->pMethods->xShmLock(checked->file, offset, count, flags);
  if (is_kept && result == SQLITE_OK) checked->has_lock = 1;
  return result;
}

static void journal_checked_barrier(sqlite3_file *file) {
  journal_below(file)->pMethods->xShmBarrier(journal_below(file));
}

static int journal_checked_unmap(sqlite3_file *file, int deletes) {
  journal_checked *checked = (journal_checked *)file;
  /* Other connections of this process share its locks. */
  if (checked->has_lock)
    checked->file->pMethods->xShmLock(checked->file, JOURNAL_WRITE_LOCK, 1, SQLITE_SHM_UNLOCK | SQLITE_SHM_EXCLUSIVE);
  checked->has_lock = 0;
  return journal_below(file)->pMethods->xShmUnmap(journal_below(file), deletes);
}

/* Methods of the file system */

static sqlite3_vfs *journal_vfs_below(sqlite3_vfs *vfs) {
  /* At each call, because tests change the default one. */
  return sqlite3_vfs_find((const char *)vfs->pAppData);
}

static int journal_checked_open(
    sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *flags_out) {
  /* Version 1 has no shared memory, version 3 would map the file, and then pages are not read. */
#define JOURNAL_METHODS(version)                                                                                     \
  {                                                                                                                  \
    version, journal_checked_close, journal_checked_read, journal_checked_write, journal_checked_truncate,           \
    journal_checked_sync, journal_checked_size, journal_checked_lock, journal_checked_unlock,                        \
    journal_checked_check_lock, journal_checked_control, journal_checked_sector_size,                                \
    journal_checked_characteristics, journal_checked_map, journal_checked_lock_memory, journal_checked_barrier,      \
    journal_checked_unmap, 0, 0,                                                                                     \
  }
  static const sqlite3_io_methods without_memory = JOURNAL_METHODS(1), with_memory = JOURNAL_METHODS(2);
#undef JOURNAL_METHODS
  journal_checked *checked = (journal_checked *)file;
  sqlite3_vfs *system = journal_vfs_below(vfs);
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
  checked->kind = flags & SQLITE_OPEN_MAIN_DB ? JOURNAL_MAIN : flags & SQLITE_OPEN_WAL ? JOURNAL_LOG : JOURNAL_OTHER;
  checked->is_checking = 1;
  checked->damage = -1;
  checked->header_at = -1;
  checked->sound = INT64_MAX;
  file->pMethods = below->pMethods->iVersion < 2 ? &without_memory : &with_memory;
  return SQLITE_OK;
}

static int journal_checked_delete(sqlite3_vfs *vfs, const char *name, int is_synced) {
  return journal_vfs_below(vfs)->xDelete(journal_vfs_below(vfs), name, is_synced);
}

static int journal_checked_access(sqlite3_vfs *vfs, const char *name, int flags, int *answer) {
  return journal_vfs_below(vfs)->xAccess(journal_vfs_below(vfs), name, flags, answer);
}

static int journal_checked_full_name(sqlite3_vfs *vfs, const char *name, int size, char *full) {
  return journal_vfs_below(vfs)->xFullPathname(journal_vfs_below(vfs), name, size, full);
}

static int journal_checked_last_error(sqlite3_vfs *vfs, int size, char *text) {
  sqlite3_vfs *system = journal_vfs_below(vfs);
  return system->xGetLastError ? system->xGetLastError(system, size, text) : 0;
}

static const char *journal_register(sqlite3_vfs *vfs, const char *name, const char *below) {
  sqlite3_vfs *system = sqlite3_vfs_find(below);
  if (!system) return 0;
  *vfs = *system;
  vfs->zName = name;
  vfs->pNext = 0;
  vfs->pAppData = (void *)below;
  vfs->szOsFile = sizeof(journal_checked);
  vfs->xOpen = journal_checked_open;
  vfs->xDelete = journal_checked_delete;
  vfs->xAccess = journal_checked_access;
  vfs->xFullPathname = journal_checked_full_name;
  vfs->xGetLastError = journal_checked_last_error;
  return sqlite3_vfs_register(vfs, 0) == SQLITE_OK ? name : 0;
}

const char *journal_checked_paths(void) {
  static sqlite3_vfs vfs;
  return journal_register(&vfs, "checked", 0);
}

const char *journal_checked_descriptors(void) {
  static sqlite3_vfs vfs;
  return journal_register(&vfs, "checked-descriptors", journal_descriptors());
}

/* Connections */

int64_t journal_damage(sqlite3 *connection, int *is_in_log) {
  sqlite3_file *log = 0;
  int64_t offset = -1;
  *is_in_log = 0;
  sqlite3_file_control(connection, "main", JOURNAL_DAMAGE, &offset);
  if (offset >= 0) return offset;
  if (sqlite3_file_control(connection, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log) == SQLITE_OK && log && log->pMethods)
    log->pMethods->xFileControl(log, JOURNAL_DAMAGE, &offset);
  *is_in_log = offset >= 0;
  return offset;
}

int journal_checksum_state(sqlite3 *connection) {
  int state = 0;
  sqlite3_file_control(connection, "main", JOURNAL_STATE, &state);
  return state;
}

int journal_stamp_all(sqlite3 *connection) {
  return sqlite3_file_control(connection, "main", JOURNAL_STAMP, 0);
}

void journal_check(sqlite3 *connection, int checks) {
  sqlite3_file_control(connection, "main", JOURNAL_CHECK, &checks);
}

int journal_keep_write_lock(sqlite3 *connection) {
  return sqlite3_file_control(connection, "main", JOURNAL_KEEP_LOCK, 0);
}

int journal_reserve(sqlite3 *connection) {
  int count = JOURNAL_RESERVED;
  return sqlite3_file_control(connection, "main", SQLITE_FCNTL_RESERVE_BYTES, &count);
}

int journal_read_pages(sqlite3 *connection, int64_t first, int *count) {
  sqlite3_file *file = 0;
  unsigned char page[JOURNAL_MOST_PAGE];
  sqlite3_int64 end = 0;
  int most = *count;
  *count = 0;
  int result = sqlite3_file_control(connection, "main", SQLITE_FCNTL_FILE_POINTER, &file);
  if (result != SQLITE_OK || !file || !file->pMethods) return result;
  int size = ((journal_checked *)file)->page_size;
  result = file->pMethods->xFileSize(file, &end);
  for (; result == SQLITE_OK && size && *count < most && (first + *count) * size <= end; (*count)++)
    result = file->pMethods->xRead(file, page, size, (first + *count - 1) * size);
  return result;
}
