#include "FaultyDisk.h"

#include <pthread.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

enum { PAGE = 4096, SECTOR = 512, MOST_FILES = 8, MOST_REGIONS = 64 };

typedef struct {
  unsigned char *bytes;
  long size, room;
} content;

typedef struct {
  char name[512];
  content seen, safe;
  unsigned char *dirty; /* one byte for each page */
  long pages;
  int exists, is_safe; /* its name: seen, and on the disk */
  void *regions[MOST_REGIONS];
  int users;
} file;

struct faulty_disk {
  char folder[400];
  file files[MOST_FILES];
  unsigned long long random;
  long calls, writes, failing;
  enum faulty_mode mode;
  int lives; /* how often it was killed: a handle of an earlier life is dead */
  faulty_disk *next;
};

typedef struct {
  sqlite3_file base;
  faulty_disk *disk;
  file *file;
  int life, deletes;
} handle;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static faulty_disk *disks;
static sqlite3_vfs *real;

/* Chance */

static unsigned chance(faulty_disk *disk, unsigned below) {
  disk->random = disk->random * 6364136223846793005ULL + 1442695040888963407ULL;
  return (unsigned)(disk->random >> 33) % below;
}

/* Content */

static void resize(content *content, long size) {
  if (size > content->room) {
    long room = size * 2 + PAGE;
    content->bytes = realloc(content->bytes, (size_t)room);
    content->room = room;
  }
  if (size > content->size) memset(content->bytes + content->size, 0, (size_t)(size - content->size));
  content->size = size;
}

static void touch(file *file, long from, long to) {
  long pages = (to + PAGE - 1) / PAGE;
  if (pages > file->pages) {
    file->dirty = realloc(file->dirty, (size_t)pages);
    memset(file->dirty + file->pages, 0, (size_t)(pages - file->pages));
    file->pages = pages;
  }
  for (long page = from / PAGE; page < pages; page++) file->dirty[page] = 1;
}

static void clean(file *file) {
  if (file->pages) memset(file->dirty, 0, (size_t)file->pages);
}

/* Brings a range of what is seen to the disk. */
static void keep(file *file, long from, long to) {
  if (to > file->seen.size) to = file->seen.size;
  if (to <= from) return;
  if (to > file->safe.size) resize(&file->safe, to);
  memcpy(file->safe.bytes + from, file->seen.bytes + from, (size_t)(to - from));
}

static void sync_file(file *file) {
  for (long page = 0; page < file->pages; page++)
    if (file->dirty[page]) keep(file, page * PAGE, (page + 1) * PAGE);
  resize(&file->safe, file->seen.size);
  clean(file);
  file->is_safe = 1;
}

static void fail_sync(faulty_disk *disk, file *file) {
  for (long page = 0; page < file->pages; page++)
    if (file->dirty[page] && chance(disk, 2)) keep(file, page * PAGE, (page + 1) * PAGE);
  clean(file);
}

/* Failing */

static int is_dead(handle *handle) { return handle->life != handle->disk->lives; }

/* `kind` is one of these. */
enum { LOOKS, CHANGES, GROWS };

static int fails(faulty_disk *disk, int kind) {
  long call = ++disk->calls;
  disk->writes += kind != LOOKS;
  int failed = 0;
  switch (disk->mode) {
    case FAULTY_NEVER: break;
    case FAULTY_ONCE: failed = call == disk->failing; break;
    case FAULTY_FOREVER: failed = call >= disk->failing; break;
    case FAULTY_FULL: failed = kind == GROWS && call >= disk->failing; break;
  }
  return failed;
}

/* Files of SQLite */

static int close_file(sqlite3_file *base) {
  handle *h = (handle *)base;
  if (is_dead(h)) return SQLITE_OK;
  file *f = h->file;
  if (--f->users == 0)
    for (int i = 0; i < MOST_REGIONS; i++) {
      free(f->regions[i]);
      f->regions[i] = 0;
    }
  if (h->deletes) f->exists = 0;
  return SQLITE_OK;
}

static int read_file(sqlite3_file *base, void *to, int count, sqlite3_int64 offset) {
  handle *h = (handle *)base;
  if (is_dead(h) || fails(h->disk, LOOKS)) return SQLITE_IOERR_READ;
  long there = h->file->seen.size - offset;
  if (there >= count) {
    memcpy(to, h->file->seen.bytes + offset, (size_t)count);
    return SQLITE_OK;
  }
  memset(to, 0, (size_t)count);
  if (there > 0) memcpy(to, h->file->seen.bytes + offset, (size_t)there);
  return SQLITE_IOERR_SHORT_READ;
}

static void put(file *f, const void *from, long count, long offset) {
  if (count <= 0) return;
  if (offset + count > f->seen.size) resize(&f->seen, offset + count);
  memcpy(f->seen.bytes + offset, from, (size_t)count);
  touch(f, offset, offset + count);
}

static int write_file(sqlite3_file *base, const void *from, int count, sqlite3_int64 offset) {
  handle *h = (handle *)base;
  if (is_dead(h)) return SQLITE_IOERR_WRITE;
  if (fails(h->disk, GROWS)) {
    put(h->file, from, chance(h->disk, (unsigned)count + 1), offset);
    return h->disk->mode == FAULTY_FULL ? SQLITE_FULL : SQLITE_IOERR_WRITE;
  }
  put(h->file, from, count, offset);
  return SQLITE_OK;
}

static int truncate_file(sqlite3_file *base, sqlite3_int64 size) {
  handle *h = (handle *)base;
  if (is_dead(h) || fails(h->disk, CHANGES)) return SQLITE_IOERR_TRUNCATE;
  resize(&h->file->seen, size);
  return SQLITE_OK;
}

static int sync_handle(sqlite3_file *base, int flags) {
  handle *h = (handle *)base;
  if (is_dead(h)) return SQLITE_IOERR_FSYNC;
  if (fails(h->disk, CHANGES)) {
    fail_sync(h->disk, h->file);
    return SQLITE_IOERR_FSYNC;
  }
  sync_file(h->file);
  return SQLITE_OK;
}

static int size_of_file(sqlite3_file *base, sqlite3_int64 *size) {
  handle *h = (handle *)base;
  if (is_dead(h)) return SQLITE_IOERR_FSTAT;
  *size = h->file->seen.size;
  return SQLITE_OK;
}

static int lock_file(sqlite3_file *base, int level) { return SQLITE_OK; }

static int check_lock(sqlite3_file *base, int *answer) {
  *answer = 0;
  return SQLITE_OK;
}

static int control_file(sqlite3_file *base, int operation, void *argument) { return SQLITE_NOTFOUND; }
static int sector_size(sqlite3_file *base) { return PAGE; }
/* What SQLite takes every Linux disk for: bytes beside those that are written stay as they are. */
static int characteristics(sqlite3_file *base) { return SQLITE_IOCAP_POWERSAFE_OVERWRITE; }

static int map_memory(sqlite3_file *base, int index, int size, int extends, void volatile **answer) {
  handle *h = (handle *)base;
  *answer = 0;
  if (is_dead(h) || index >= MOST_REGIONS) return SQLITE_IOERR_SHMMAP;
  if (!h->file->regions[index] && extends) h->file->regions[index] = calloc(1, (size_t)size);
  *answer = h->file->regions[index];
  return SQLITE_OK;
}

static int lock_memory(sqlite3_file *base, int offset, int count, int flags) { return SQLITE_OK; }
static void barrier(sqlite3_file *base) { __sync_synchronize(); }
static int unmap_memory(sqlite3_file *base, int deletes) { return SQLITE_OK; }

static const sqlite3_io_methods methods = {
  2, close_file, read_file, write_file, truncate_file, sync_handle, size_of_file, lock_file, lock_file, check_lock,
  control_file, sector_size, characteristics, map_memory, lock_memory, barrier, unmap_memory, 0, 0,
};

/* The file system */

static faulty_disk *disk_of(const char *name) {
  pthread_mutex_lock(&mutex);
  faulty_disk *disk = name ? disks : 0;
  while (disk && strncmp(name, disk->folder, strlen(disk->folder)) != 0) disk = disk->next;
  pthread_mutex_unlock(&mutex);
  return disk;
}

static file *find(faulty_disk *disk, const char *name, int makes) {
  file *unused = 0;
  for (int i = 0; i < MOST_FILES; i++) {
    file *f = &disk->files[i];
    if (strcmp(f->name, name) == 0) return f->exists || makes ? f : 0;
    if (!f->name[0] && !unused) unused = f;
  }
  if (!makes || !unused || strlen(name) >= sizeof unused->name) return 0;
  strcpy(unused->name, name);
  return unused;
}

static int open_file(sqlite3_vfs *vfs, const char *name, sqlite3_file *base, int flags, int *found) {
  faulty_disk *disk = disk_of(name);
  if (!disk) return real->xOpen(real, name, base, flags, found);
  handle *h = (handle *)base;
  memset(h, 0, sizeof *h);
  if (fails(disk, LOOKS)) return SQLITE_CANTOPEN;
  file *f = find(disk, name, flags & SQLITE_OPEN_CREATE);
  if (!f) return SQLITE_CANTOPEN;
  if (!f->exists) {
    resize(&f->seen, 0);
    f->exists = 1;
  }
  f->users++;
  *h = (handle){{&methods}, disk, f, disk->lives, (flags & SQLITE_OPEN_DELETEONCLOSE) != 0};
  if (found) *found = flags;
  return SQLITE_OK;
}

static int delete_file(sqlite3_vfs *vfs, const char *name, int syncs) {
  faulty_disk *disk = disk_of(name);
  if (!disk) return real->xDelete(real, name, syncs);
  if (fails(disk, CHANGES)) return SQLITE_IOERR_DELETE;
  file *f = find(disk, name, 0);
  if (!f) return SQLITE_IOERR_DELETE_NOENT;
  f->exists = 0;
  if (syncs) {
    f->is_safe = 0;
    resize(&f->safe, 0);
  }
  return SQLITE_OK;
}

static int access_file(sqlite3_vfs *vfs, const char *name, int flags, int *answer) {
  faulty_disk *disk = disk_of(name);
  if (!disk) return real->xAccess(real, name, flags, answer);
  file *f = find(disk, name, 0);
  *answer = f && (flags != SQLITE_ACCESS_EXISTS || f->seen.size > 0);
  return SQLITE_OK;
}

static int full_name(sqlite3_vfs *vfs, const char *name, int room, char *full) {
  if (!disk_of(name)) return real->xFullPathname(real, name, room, full);
  sqlite3_snprintf(room, full, "%s", name);
  return SQLITE_OK;
}

static void install(void) {
  static sqlite3_vfs vfs;
  real = sqlite3_vfs_find(0);
  vfs = *real;
  vfs.zName = "faulty";
  if (vfs.szOsFile < (int)sizeof(handle)) vfs.szOsFile = sizeof(handle);
  vfs.xOpen = open_file;
  vfs.xDelete = delete_file;
  vfs.xAccess = access_file;
  vfs.xFullPathname = full_name;
  sqlite3_vfs_register(&vfs, 1);
}

/* Disks */

faulty_disk *faulty_disk_make(const char *folder, unsigned long long seed) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, install);
  faulty_disk *disk = calloc(1, sizeof *disk);
  if (strlen(folder) >= sizeof disk->folder) abort();
  strcpy(disk->folder, folder);
  disk->random = seed;
  pthread_mutex_lock(&mutex);
  disk->next = disks;
  disks = disk;
  pthread_mutex_unlock(&mutex);
  return disk;
}

void faulty_disk_free(faulty_disk *disk) {
  pthread_mutex_lock(&mutex);
  faulty_disk **place = &disks;
  while (*place != disk) place = &(*place)->next;
  *place = disk->next;
  pthread_mutex_unlock(&mutex);
  faulty_disk_kill(disk);
  for (int i = 0; i < MOST_FILES; i++) {
    free(disk->files[i].seen.bytes);
    free(disk->files[i].safe.bytes);
    free(disk->files[i].dirty);
  }
  free(disk);
}

long faulty_disk_calls(faulty_disk *disk) { return disk->calls; }
long faulty_disk_writes(faulty_disk *disk) { return disk->writes; }

void faulty_disk_fail(faulty_disk *disk, enum faulty_mode mode, long call) {
  disk->mode = mode;
  disk->failing = call;
}

void faulty_disk_kill(faulty_disk *disk) {
  disk->lives++;
  for (int i = 0; i < MOST_FILES; i++) {
    file *f = &disk->files[i];
    f->users = 0;
    for (int j = 0; j < MOST_REGIONS; j++) {
      free(f->regions[j]);
      f->regions[j] = 0;
    }
  }
}

static void cut_file(faulty_disk *disk, file *f) {
  long before = f->safe.size;
  for (long offset = 0; offset < f->seen.size; offset += SECTOR) {
    if (offset / PAGE >= f->pages || !f->dirty[offset / PAGE]) continue;
    switch (chance(disk, 5)) {
      case 0: case 1: keep(f, offset, offset + SECTOR); break;
      case 2: keep(f, offset, offset + chance(disk, SECTOR)); break;
      case 3: break;
      default:
        if (offset < before || f->seen.size < offset + SECTOR) break;
        resize(&f->safe, offset + SECTOR);
        for (int i = 0; i < SECTOR; i++) f->safe.bytes[offset + i] = (unsigned char)chance(disk, 256);
    }
  }
  if (f->seen.size < before && chance(disk, 2)) resize(&f->safe, f->seen.size);
  if (!f->is_safe && (!f->exists || chance(disk, 2))) resize(&f->safe, 0);
  else if (!f->exists && chance(disk, 2)) f->is_safe = 0; /* a deletion that nobody waited for */
  else f->is_safe = 1;
  f->exists = f->is_safe;
  if (!f->exists) resize(&f->safe, 0);
  resize(&f->seen, 0);
  resize(&f->seen, f->safe.size);
  if (f->safe.size) memcpy(f->seen.bytes, f->safe.bytes, (size_t)f->safe.size);
  clean(f);
}

void faulty_disk_cut(faulty_disk *disk) {
  faulty_disk_kill(disk);
  for (int i = 0; i < MOST_FILES; i++)
    if (disk->files[i].name[0]) cut_file(disk, &disk->files[i]);
}
