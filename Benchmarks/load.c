/* load SOCKET CLIENTS SECONDS REQUEST [CALLS [PAUSE]]: how many calls a Varlink service answers, and how fast.

   Each client sends REQUEST, waits for the whole reply and sends it again, as redis-benchmark does without pipelining.
   With PAUSE everyone waits for so many microseconds before a client asks again; it is for one client that is in no hurry.
   Ends after SECONDS, or after CALLS if that is sooner. The last replies are awaited, so that
   the number printed is exactly the number of calls that were made.
   Prints: calls, calls per second, then the median, the 99th percentile and the longest of the times of a call in
   microseconds. */
#include <err.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum { MOST_CLIENTS = 1000, LONGEST_REPLY = 1 << 20, SLOTS = 1 << 20, SLOT = 100 /* ns: 0.1 s in all */ };

struct client {
  int fd;
  int64_t sent;
  size_t got;
};

static struct client clients[MOST_CLIENTS];
static char reply[LONGEST_REPLY];
static uint32_t times[SLOTS];

static int64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static int dial(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path) errx(1, "%s: too long for a socket", path);
  strcpy(address.sun_path, path);
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof address) < 0) err(1, "%s", path);
  return fd;
}

static void ask(struct client *client, const char *request, size_t size) {
  client->sent = now();
  client->got = 0;
  if (send(client->fd, request, size, MSG_NOSIGNAL) != (ssize_t)size) err(1, "send");
}

/* Whether the reply is whole now. What arrives is one reply, as no client asks twice before it is answered. */
static int take(struct client *client) {
  ssize_t count = recv(client->fd, reply, sizeof reply, 0);
  if (count <= 0) errx(1, "the service closed the connection");
  /* Errors are short and arrive in one piece. */
  if (client->got == 0 && count > 8 && memcmp(reply, "{\"error\"", 8) == 0) errx(1, "refused: %.*s", (int)count, reply);
  client->got += count;
  return reply[count - 1] == 0;
}

static double percentile(uint64_t calls, double part) {
  uint64_t wanted = calls * part, seen = 0;
  for (int slot = 0; slot < SLOTS; slot++)
    if ((seen += times[slot]) > wanted) return (slot + 0.5) * SLOT / 1000;
  return (double)SLOTS * SLOT / 1000;
}

int main(int argc, char **argv) {
  if (argc < 5 || argc > 7) errx(64, "load SOCKET CLIENTS SECONDS REQUEST [CALLS [PAUSE]]");
  int count = atoi(argv[2]);
  const char *request = argv[4];
  size_t size = strlen(request) + 1; /* A message ends with its NUL. */
  uint64_t most = argc >= 6 ? strtoull(argv[5], 0, 10) : UINT64_MAX;
  useconds_t pause = argc == 7 ? atoi(argv[6]) : 0;
  if (count < 1 || count > MOST_CLIENTS) errx(64, "1 to %d clients", MOST_CLIENTS);

  int loop = epoll_create1(EPOLL_CLOEXEC);
  for (int i = 0; i < count; i++) {
    clients[i].fd = dial(argv[1]);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = &clients[i]};
    if (epoll_ctl(loop, EPOLL_CTL_ADD, clients[i].fd, &event) < 0) err(1, "epoll_ctl");
  }
  int64_t start = now(), end = start + (int64_t)(atof(argv[3]) * 1e9), last = start;
  uint64_t calls = 0;
  int64_t longest = 0;
  for (int i = 0; i < count; i++) ask(&clients[i], request, size);
  for (int waiting = count; waiting > 0;) {
    struct epoll_event events[64];
    int found = epoll_wait(loop, events, 64, 10000);
    if (found < 0 && errno == EINTR) continue;
    if (found <= 0) errx(1, "no reply for 10 seconds");
    for (int i = 0; i < found; i++) {
      struct client *client = events[i].data.ptr;
      if (!take(client)) continue;
      last = now();
      if (last - client->sent > longest) longest = last - client->sent;
      int64_t slot = (last - client->sent) / SLOT;
      times[slot < SLOTS ? slot : SLOTS - 1]++;
      calls++;
      if (last < end && calls + waiting <= most) {
        if (pause > 0) usleep(pause);
        ask(client, request, size);
      } else waiting--;
    }
  }
  printf(
    "%lu %.1f %.1f %.1f %.1f\n", calls, calls / ((last - start) / 1e9), percentile(calls, 0.5), percentile(calls, 0.99),
    longest / 1e3);
}
