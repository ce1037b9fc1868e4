/* append FILE SECONDS: what the disk allows. Appends 64 bytes to FILE and waits for fdatasync, again and again: nothing
   that is durable on its own can take less. Prints: appends, appends per second, and the median and the 99th percentile
   of one in microseconds. */
#include <err.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 1 << 20 };

static double times[MOST];

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e6 + t.tv_nsec / 1e3;
}

static int smaller(const void *a, const void *b) {
  double one = *(const double *)a, other = *(const double *)b;
  return (one > other) - (one < other);
}

int main(int argc, char **argv) {
  if (argc != 3) errx(64, "append FILE SECONDS");
  int file = open(argv[1], O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC, 0600);
  if (file < 0) err(1, "%s", argv[1]);
  static const char record[64];
  double start = now(), end = start + atof(argv[2]) * 1e6, last = start;
  int count = 0;
  do {
    if (write(file, record, sizeof record) != sizeof record || fdatasync(file) < 0) err(1, "%s", argv[1]);
    double done = now();
    times[count++] = done - last;
    last = done;
  } while (last < end && count < MOST);
  qsort(times, count, sizeof *times, smaller);
  printf("%d %.1f %.1f %.1f\n", count, count / ((last - start) / 1e6), times[count / 2], times[count * 99 / 100]);
}
