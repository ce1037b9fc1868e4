/* stamp FIFO: a command that does nothing. Writes to FIFO when it was started, in nanoseconds of CLOCK_MONOTONIC. */
#include <err.h>
#include <fcntl.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

int main(int argc, char **argv) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  int64_t stamp = t.tv_sec * 1000000000LL + t.tv_nsec;
  if (argc != 2) errx(64, "stamp FIFO");
  int fifo = open(argv[1], O_WRONLY);
  if (fifo < 0 || write(fifo, &stamp, sizeof stamp) != sizeof stamp) err(1, "%s", argv[1]);
}
