#define _GNU_SOURCE
#include "CLinux.h"
#include <errno.h>
#include <fcntl.h>
#include <linux/input.h>
#include <malloc.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/fsuid.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static int result(int value) { return value >= 0 ? value : -errno; }

int linux_accept(int listener) { return result(accept4(listener, 0, 0, SOCK_NONBLOCK | SOCK_CLOEXEC)); }

int linux_eventfd(void) { return result(eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC)); }

void linux_trim_heap(void) { malloc_trim(0); }

void linux_run_idle(void) {
  /* In Linux both concern the thread. The C library has no name for the second one. */
  enum { IOPRIO_WHO_PROCESS = 1, IOPRIO_CLASS_IDLE = 3, IOPRIO_CLASS_SHIFT = 13 };
  setpriority(PRIO_PROCESS, 0, 19);
  syscall(SYS_ioprio_set, IOPRIO_WHO_PROCESS, 0, IOPRIO_CLASS_IDLE << IOPRIO_CLASS_SHIFT);
}

int linux_unix_socket(int blocking) {
  return result(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | (blocking ? 0 : SOCK_NONBLOCK), 0));
}

int linux_unix_address(struct sockaddr_un *address, const char *path, unsigned long length) {
  if (length == 0) return -EINVAL;
  if (length >= sizeof address->sun_path) return -ENAMETOOLONG;
  memset(address, 0, sizeof *address);
  address->sun_family = AF_UNIX;
  memcpy(address->sun_path, path, length);
  return 0;
}

int linux_bind(int fd, const struct sockaddr_un *address) {
  return result(bind(fd, (const struct sockaddr *)address, sizeof *address));
}

int linux_connect(int fd, const struct sockaddr_un *address) {
  return result(connect(fd, (const struct sockaddr *)address, sizeof *address));
}

int linux_limit_waiting_to_send(int fd, unsigned int milliseconds) {
  struct timeval limit = {.tv_sec = milliseconds / 1000, .tv_usec = (long)(milliseconds % 1000) * 1000};
  return result(setsockopt(fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit));
}

int linux_peer_credentials(int fd, struct linux_peer *peer) {
  struct ucred credentials;
  socklen_t size = sizeof credentials;
  int asked = result(getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &credentials, &size));
  if (asked < 0) return asked;
  peer->pid = credentials.pid;
  peer->uid = credentials.uid;
  peer->gid = credentials.gid;
  return 0;
}

int linux_peer_groups(int fd, unsigned int *groups, unsigned int room) {
  socklen_t size = room * sizeof *groups;
  int asked = result(getsockopt(fd, SOL_SOCKET, SO_PEERGROUPS, groups, &size));
  return asked < 0 ? asked : (int)(size / sizeof *groups);
}

long linux_receive(int fd, void *buffer, unsigned long length, int *carried) {
  struct iovec part = {.iov_base = buffer, .iov_len = length};
  /* Without room for it the kernel closes what was passed, and says so. */
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
  ssize_t count = recvmsg(fd, &message, 0);
  if (count < 0) return -errno;
  *carried = (message.msg_flags & MSG_CTRUNC) != 0;
  return count;
}

int linux_epoll_create(void) { return result(epoll_create1(EPOLL_CLOEXEC)); }

static int control(int set, int operation, int fd, unsigned int events, unsigned long long token) {
  struct epoll_event event = {.events = events, .data = {.u64 = token}};
  return result(epoll_ctl(set, operation, fd, &event));
}

int linux_epoll_add(int set, int fd, unsigned int events, unsigned long long token) {
  return control(set, EPOLL_CTL_ADD, fd, events, token);
}

int linux_epoll_change(int set, int fd, unsigned int events, unsigned long long token) {
  return control(set, EPOLL_CTL_MOD, fd, events, token);
}

int linux_epoll_remove(int set, int fd) { return control(set, EPOLL_CTL_DEL, fd, 0, 0); }

int linux_epoll_ready(int set, struct linux_ready *ready, unsigned int room) {
  struct epoll_event events[64];
  int count = epoll_wait(set, events, room < 64 ? (int)room : 64, 0);
  if (count < 0) return -errno;
  for (int i = 0; i < count; i++) {
    ready[i].token = events[i].data.u64;
    ready[i].events = events[i].events;
  }
  return count;
}

void linux_ignore_write_signals(void) {
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN);
}

void linux_log_line(void (*sink)(const char *line), const char *format, va_list arguments) {
  char line[512];
  if (vsnprintf(line, sizeof line, format, arguments) < 0) return;
  line[strcspn(line, "\n")] = 0;
  sink(line);
}

int linux_memory_file(const char *name) { return result(memfd_create(name, MFD_CLOEXEC)); }

int linux_input_grab(int fd, int grabbed) { return result(ioctl(fd, EVIOCGRAB, grabbed)); }

int linux_input_use_boottime(int fd) {
  int clock = CLOCK_BOOTTIME;
  return result(ioctl(fd, EVIOCSCLOCKID, &clock));
}

int linux_open_folder(int folder, const char *name) {
  int fd = openat(folder, name, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  return fd < 0 ? -errno : fd;
}

void linux_user_of_files(unsigned int *user, unsigned int *group) {
  /* An invalid user changes nothing. */
  *user = (unsigned int)setfsuid(-1);
  *group = (unsigned int)setfsgid(-1);
}

int linux_use_files_as(unsigned int user, unsigned int group) {
  setfsgid(group);
  setfsuid(user);
  // Neither says whether it was allowed; one that is no user's answers who it is.
  return setfsuid(-1) == (int)user && setfsgid(-1) == (int)group ? 0 : -EPERM;
}
