#include "descriptors.h"
#include <errno.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* A file system of open descriptors: the name of a database is the number of its descriptor. No other file can take its
   place while it is open, and SQLite neither reads nor deletes a log or a rollback journal beside it. There are no locks.
   A descriptor that was opened for reading is taken for a file that does not change. */

typedef struct {
  sqlite3_file base;
  int number;
  int is_read_only;
} journal_descriptor;

static int journal_descriptor_close(sqlite3_file *file) { return SQLITE_OK; }

static int journal_descriptor_read(sqlite3_file *file, void *bytes, int count, sqlite3_int64 offset) {
  int done = 0;
  while (done < count) {
    ssize_t read = pread(((journal_descriptor *)file)->number, (char *)bytes + done, count - done, offset + done);
    if (read < 0 && errno == EINTR) continue;
    if (read < 0) return SQLITE_IOERR_READ;
    if (read == 0) {
      memset((char *)bytes + done, 0, count - done);
      return SQLITE_IOERR_SHORT_READ;
    }
    done += (int)read;
  }
  return SQLITE_OK;
}

static int journal_descriptor_write(sqlite3_file *file, const void *bytes, int count, sqlite3_int64 offset) {
  int done = 0;
  while (done < count) {
    ssize_t written =
        pwrite(((journal_descriptor *)file)->number, (const char *)bytes + done, count - done, offset + done);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return errno == ENOSPC || errno == EDQUOT ? SQLITE_FULL : SQLITE_IOERR_WRITE;
    done += (int)written;
  }
  return SQLITE_OK;
}

static int journal_descriptor_truncate(sqlite3_file *file, sqlite3_int64 size) {
  return ftruncate(((journal_descriptor *)file)->number, size) == 0 ? SQLITE_OK : SQLITE_IOERR_TRUNCATE;
}

static int journal_descriptor_sync(sqlite3_file *file, int flags) {
  return fsync(((journal_descriptor *)file)->number) == 0 ? SQLITE_OK : SQLITE_IOERR_FSYNC;
}

static int journal_descriptor_size(sqlite3_file *file, sqlite3_int64 *size) {
  struct stat status;
  if (fstat(((journal_descriptor *)file)->number, &status) != 0) return SQLITE_IOERR_FSTAT;
  *size = status.st_size;
  return SQLITE_OK;
}

static int journal_descriptor_lock(sqlite3_file *file, int level) { return SQLITE_OK; }

static int journal_descriptor_check_lock(sqlite3_file *file, int *is_reserved) {
  *is_reserved = 0;
  return SQLITE_OK;
}

static int journal_descriptor_control(sqlite3_file *file, int operation, void *argument) {
  return SQLITE_NOTFOUND;
}

static int journal_descriptor_sector_size(sqlite3_file *file) { return 0; }

static int journal_descriptor_characteristics(sqlite3_file *file) {
  return ((journal_descriptor *)file)->is_read_only ? SQLITE_IOCAP_IMMUTABLE : 0;
}

static int journal_descriptor_open(
    sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *flags_out) {
  static const sqlite3_io_methods methods = {
    1, journal_descriptor_close, journal_descriptor_read, journal_descriptor_write, journal_descriptor_truncate,
    journal_descriptor_sync, journal_descriptor_size, journal_descriptor_lock, journal_descriptor_lock,
    journal_descriptor_check_lock, journal_descriptor_control, journal_descriptor_sector_size,
    journal_descriptor_characteristics,
  };
  /* That for which this one has room in its handles. */
  sqlite3_vfs *system = (sqlite3_vfs *)vfs->pAppData;
  file->pMethods = 0;
  /* Temporary files of sorting. */
  if (!name) return system->xOpen(system, name, file, flags, flags_out);
  if (!(flags & SQLITE_OPEN_MAIN_DB)) return SQLITE_CANTOPEN;
  journal_descriptor *descriptor = (journal_descriptor *)file;
  descriptor->number = atoi(name);
  descriptor->is_read_only = (flags & SQLITE_OPEN_READONLY) != 0;
  file->pMethods = &methods;
  if (flags_out) *flags_out = flags;
  return SQLITE_OK;
}

static int journal_descriptor_delete(sqlite3_vfs *vfs, const char *name, int is_synced) { return SQLITE_OK; }

static int journal_descriptor_access(sqlite3_vfs *vfs, const char *name, int flags, int *answer) {
  *answer = 0;
  return SQLITE_OK;
}

static int journal_descriptor_full_name(sqlite3_vfs *vfs, const char *name, int size, char *full) {
  sqlite3_snprintf(size, full, "%s", name);
  return SQLITE_OK;
}

const char *journal_descriptors(void) {
  static const char name[] = "descriptors";
  static sqlite3_vfs vfs;
  if (!sqlite3_vfs_find(name)) {
    sqlite3_vfs *system = sqlite3_vfs_find(0);
    if (!system) return 0;
    vfs = *system;
    vfs.zName = name;
    vfs.pNext = 0;
    vfs.pAppData = system;
    if (vfs.szOsFile < (int)sizeof(journal_descriptor)) vfs.szOsFile = sizeof(journal_descriptor);
    vfs.xOpen = journal_descriptor_open;
    vfs.xDelete = journal_descriptor_delete;
    vfs.xAccess = journal_descriptor_access;
    vfs.xFullPathname = journal_descriptor_full_name;
    if (sqlite3_vfs_register(&vfs, 0) != SQLITE_OK) return 0;
  }
  return name;
}
