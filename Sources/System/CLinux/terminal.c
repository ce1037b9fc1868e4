#include "CLinux.h"
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <termios.h>
#include <unistd.h>

static struct termios former;
static volatile sig_atomic_t raw_descriptor = -1;

void linux_terminal_restore(void) {
  int fd = raw_descriptor;
  raw_descriptor = -1;
  if (fd >= 0) tcsetattr(fd, TCSADRAIN, &former);
}

/* tcsetattr may be called in a signal handler; the signal then does what it would have done. */
static void restore_and_die(int number) {
  linux_terminal_restore();
  signal(number, SIG_DFL);
  raise(number);
}

int linux_terminal_raw(int fd) {
  struct termios raw;
  if (tcgetattr(fd, &former) != 0) return -errno;
  raw = former;
  raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO | IEXTEN);
  raw.c_lflag |= ISIG;
  raw.c_cc[VMIN] = 1;
  raw.c_cc[VTIME] = 0;
  /* Stopped by Ctrl-Z, the program would leave the terminal raw to the shell. */
  raw.c_cc[VSUSP] = _POSIX_VDISABLE;
  static const int fatal[] = {SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGSEGV, SIGTRAP};
  for (unsigned long i = 0; i < sizeof fatal / sizeof *fatal; i++) signal(fatal[i], restore_and_die);
  /* A daemon blocks these and reads them from a descriptor; nohup ignores one. */
  static const int ending[] = {SIGINT, SIGTERM, SIGHUP};
  for (unsigned long i = 0; i < sizeof ending / sizeof *ending; i++)
    if (signal(ending[i], restore_and_die) == SIG_IGN) signal(ending[i], SIG_IGN);
  static int registered;
  if (!registered) registered = atexit(linux_terminal_restore) == 0;
  if (tcsetattr(fd, TCSADRAIN, &raw) != 0) return -errno;
  raw_descriptor = fd;
  return 0;
}
