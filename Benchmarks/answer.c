/* answer SOCKET [FILE]: what a request can cost at the least. Answers each request on SOCKET with a text of the length of a
   core's reply; with FILE it writes 1,024 bytes of it over and waits for fdatasync before. One process, one wait, one read
   and one reply a request, as any server that serves many clients must have. */
#include <err.h>
#include <fcntl.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

/* The file is written over from its start on after this many pages, as the core's log is. */
enum { MOST_READY = 64, PAGE = 1024, PAGES = 1000 };

static const char reply[] = "{\"parameters\":{\"counter\":{\"name\":\"people\",\"title\":\"people\",\"value\":\"0\",\"current\":true,\"id\":1}}}";

static void put(int file, int number) {
  static const char page[PAGE];
  if (pwrite(file, page, sizeof page, (off_t)number * PAGE) != sizeof page) err(1, "cannot write");
}

static void record(int file) {
  static int number;
  put(file, number++ % PAGES);
  if (fdatasync(file) < 0) err(1, "cannot sync");
}

static int fill(const char *path) {
  int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (file < 0) err(1, "%s", path);
  for (int number = 0; number < PAGES; number++) put(file, number);
  if (fdatasync(file) < 0) err(1, "cannot sync");
  return file;
}

static int listening(const char *path) {
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(path) >= sizeof address.sun_path) errx(1, "%s: too long for a socket", path);
  strcpy(address.sun_path, path);
  unlink(path);
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof address) < 0 || listen(fd, 64) < 0) err(1, "%s", path);
  return fd;
}

static void watch(int set, int fd) {
  struct epoll_event interest = {EPOLLIN, {.fd = fd}};
  if (fd < 0 || epoll_ctl(set, EPOLL_CTL_ADD, fd, &interest) < 0) err(1, "cannot watch");
}

int main(int argc, char **argv) {
  if (argc != 2 && argc != 3) errx(64, "answer SOCKET [FILE]");
  int file = argc == 3 ? fill(argv[2]) : -1, server = listening(argv[1]), set = epoll_create1(EPOLL_CLOEXEC);
  watch(set, server);
  for (;;) {
    struct epoll_event ready[MOST_READY];
    int count = epoll_wait(set, ready, MOST_READY, -1);
    for (int i = 0; i < count; i++) {
      int fd = ready[i].data.fd;
      static char request[1 << 16];
      if (fd == server) {
        watch(set, accept(server, 0, 0));
      } else if (recv(fd, request, sizeof request, 0) <= 0) {
        close(fd);
      } else {
        if (file >= 0) record(file);
        send(fd, reply, sizeof reply, MSG_NOSIGNAL);
      }
    }
  }
}
