/* record DEVICE FILE FIFO: what recording a press takes at least. Reads an event node, appends 64 bytes to FILE at each
   press and waits for fdatasync, then writes to FIFO when that was, in nanoseconds of CLOCK_MONOTONIC. */
#include <err.h>
#include <fcntl.h>
#include <linux/input.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

int main(int argc, char **argv) {
  if (argc != 4) errx(64, "record DEVICE FILE FIFO");
  int device = open(argv[1], O_RDONLY | O_CLOEXEC);
  if (device < 0) err(1, "%s", argv[1]);
  int file = open(argv[2], O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  if (file < 0) err(1, "%s", argv[2]);
  int fifo = open(argv[3], O_RDWR | O_CLOEXEC);
  if (fifo < 0) err(1, "%s", argv[3]);
  static const char record[64];
  struct input_event events[16];
  for (ssize_t size; (size = read(device, events, sizeof events)) > 0;)
    for (size_t i = 0; i < size / sizeof *events; i++) {
      if (events[i].type != EV_KEY || events[i].value != 1) continue;
      if (write(file, record, sizeof record) != sizeof record || fdatasync(file) < 0) err(1, "%s", argv[2]);
      struct timespec t;
      clock_gettime(CLOCK_MONOTONIC, &t);
      int64_t stamp = t.tv_sec * 1000000000LL + t.tv_nsec;
      if (write(fifo, &stamp, sizeof stamp) != sizeof stamp) err(1, "%s", argv[3]);
    }
  err(1, "%s", argv[1]);
}
