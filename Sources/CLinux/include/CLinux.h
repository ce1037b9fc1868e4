/* The kernel interfaces that Swift's Glibc module does not carry, as inline functions that answer 0 (or a
   descriptor) or -errno. Nothing else in the package says ioctl or names a feature macro. */
#pragma once
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

static inline int linux_accept(int listener) {
  int accepted = accept4(listener, 0, 0, SOCK_NONBLOCK | SOCK_CLOEXEC);
  return accepted >= 0 ? accepted : -errno;
}

static inline int linux_unix_socket(int blocking) {
  int made = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | (blocking ? 0 : SOCK_NONBLOCK), 0);
  return made >= 0 ? made : -errno;
}

/* `path` holds `length` bytes without a NUL; one that does not fit answers -ENAMETOOLONG. */
static inline int linux_unix_address(struct sockaddr_un *address, const char *path, unsigned long length) {
  if (length == 0) return -EINVAL;
  if (length >= sizeof address->sun_path) return -ENAMETOOLONG;
  memset(address, 0, sizeof *address);
  address->sun_family = AF_UNIX;
  memcpy(address->sun_path, path, length);
  return 0;
}

static inline int linux_bind(int fd, const struct sockaddr_un *address) {
  return bind(fd, (const struct sockaddr *)address, sizeof *address) == 0 ? 0 : -errno;
}

static inline int linux_connect(int fd, const struct sockaddr_un *address) {
  return connect(fd, (const struct sockaddr *)address, sizeof *address) == 0 ? 0 : -errno;
}

struct linux_peer { int pid; unsigned int uid; unsigned int gid; };

static inline int linux_peer_credentials(int fd, struct linux_peer *peer) {
  struct ucred credentials;
  socklen_t size = sizeof credentials;
  if (getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &credentials, &size) != 0) return -errno;
  peer->pid = credentials.pid;
  peer->uid = credentials.uid;
  peer->gid = credentials.gid;
  return 0;
}

static inline int linux_lock_exclusively(int fd) { return flock(fd, LOCK_EX | LOCK_NB) == 0 ? 0 : -errno; }

static inline void linux_ignore_broken_pipes(void) { signal(SIGPIPE, SIG_IGN); }
