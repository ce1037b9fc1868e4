/* Disks in memory that fail and lose power, for SQLite: a virtual file system that becomes the default one. Files below
   a disk's folder live on that disk; all others go to the file system that was the default before.

   A disk knows of each file what programs see (the page cache) and what would be left without power. As on Linux a page
   of 4096 bytes becomes clean when a sync of it fails, whether or not it reached the disk, and is not written again
   until it is changed again. */
#pragma once

typedef struct faulty_disk faulty_disk;

/* A disk for the files below `folder`, whose files are not there yet. */
faulty_disk *faulty_disk_make(const char *folder, unsigned long long seed);
void faulty_disk_free(faulty_disk *disk);

enum faulty_mode {
  FAULTY_NEVER,
  /* The call fails with an input/output error; the next one does not. */
  FAULTY_ONCE,
  /* It fails, and so does every call after it. */
  FAULTY_FOREVER,
  /* It fails if it writes, for want of room, and so does every write after it. */
  FAULTY_FULL,
};

/* How many calls of open, read, write, truncate, sync and delete the disk has had. */
long faulty_disk_calls(faulty_disk *disk);

/* How many of them were none of open and read. */
long faulty_disk_writes(faulty_disk *disk);

/* Lets call number `call` fail, counted as faulty_disk_calls does. */
void faulty_disk_fail(faulty_disk *disk, enum faulty_mode mode, long call);

/* The program using the disk is killed: what it has open is of no use to it any more, what it wrote is seen. */
void faulty_disk_kill(faulty_disk *disk);

/* The power fails: in addition, each sector of what was not synced is there, or as it was before, or torn between the
   two; new sectors may hold anything, and new files may be gone. */
void faulty_disk_cut(faulty_disk *disk);
