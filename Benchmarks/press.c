/* press COUNT FD:watch:SOCKET|FD:stamp:FIFO...: how long a press takes from the kernel to its effect.

   Each FD is a uinput device with KEY_PAGEDOWN. The devices take turns: one is pressed, its effect is awaited, it is let
   go. The time begins just before the press is injected and ends, with "watch", when a watcher of the core has been
   told of the count, which is then on disk, and with "stamp", when whoever writes 8 bytes to FIFO says that it was: a
   number of nanoseconds of CLOCK_MONOTONIC.
   Prints for each device, in the order given: the median and the 99th percentile in microseconds. */
#include <err.h>
#include <fcntl.h>
#include <linux/input.h>
#include <poll.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 10000, MOST_TARGETS = 8 };

struct target {
  int device, effect, stamps;
  double times[MOST];
};

static struct target targets[MOST_TARGETS];

static int64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static void await(int fd) {
  struct pollfd wait = {.fd = fd, .events = POLLIN};
  if (poll(&wait, 1, 20000) != 1) errx(1, "a press had no effect for 20 seconds");
}

/* Takes one message: the reply of a watch comes in one piece, or in few. */
static void message(int socket) {
  static char bytes[1 << 16];
  for (ssize_t count = 0; count == 0 || bytes[count - 1] != 0;) {
    await(socket);
    count = recv(socket, bytes, sizeof bytes, 0);
    if (count <= 0) errx(1, "the core closed the connection");
    if (count > 8 && memcmp(bytes, "{\"error\"", 8) == 0) errx(1, "refused: %.*s", (int)count, bytes);
  }
}

static int watch(const char *path) {
  static const char request[] = "{\"method\":\"org.tallymark.Counters.Watch\",\"more\":true}";
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path) errx(1, "%s: too long for a socket", path);
  strcpy(address.sun_path, path);
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof address) < 0) err(1, "%s", path);
  if (send(fd, request, sizeof request, MSG_NOSIGNAL) != sizeof request) err(1, "send");
  message(fd); /* how the counters stand */
  return fd;
}

static void open_target(struct target *target, const char *text) {
  char kind[8], path[256];
  if (sscanf(text, "%d:%7[^:]:%255s", &target->device, kind, path) != 3) errx(64, "%s: not FD:KIND:PATH", text);
  target->stamps = strcmp(kind, "stamp") == 0;
  target->effect = target->stamps ? open(path, O_RDWR | O_CLOEXEC) : watch(path);
  if (target->effect < 0) err(1, "%s", path);
}

static void set(int device, int value) {
  struct input_event events[2] = {
    {.type = EV_KEY, .code = KEY_PAGEDOWN, .value = value}, {.type = EV_SYN, .code = SYN_REPORT}};
  if (write(device, events, sizeof events) != sizeof events) err(1, "write to uinput");
}

static double press(struct target *target) {
  int64_t start = now(), end;
  set(target->device, 1);
  if (target->stamps) {
    await(target->effect);
    if (read(target->effect, &end, sizeof end) != sizeof end) err(1, "read a stamp");
  } else {
    message(target->effect);
    end = now();
  }
  set(target->device, 0);
  return (end - start) / 1e3;
}

static int smaller(const void *a, const void *b) {
  double one = *(const double *)a, other = *(const double *)b;
  return (one > other) - (one < other);
}

int main(int argc, char **argv) {
  int count = argc > 1 ? atoi(argv[1]) : 0, devices = argc - 2;
  if (count < 1 || count > MOST || devices < 1 || devices > MOST_TARGETS)
    errx(64, "press COUNT FD:watch:SOCKET|FD:stamp:FIFO...");
  for (int i = 0; i < devices; i++) open_target(&targets[i], argv[i + 2]);
  for (int number = -5; number < count; number++) /* The first few are for warming up. */
    for (int i = 0; i < devices; i++) {
      /* Nobody presses faster; and whatever the last press had started has come to rest. */
      usleep(60000);
      double time = press(&targets[i]);
      if (number >= 0) targets[i].times[number] = time;
    }
  for (int i = 0; i < devices; i++) {
    qsort(targets[i].times, count, sizeof(double), smaller);
    printf("%.1f %.1f\n", targets[i].times[count / 2], targets[i].times[count * 99 / 100]);
  }
}
