// Virtual time for each program that loads this library (LD_PRELOAD): its clocks and its timerfds follow the file
// $VIRTUAL_TIME, which kit/virtual_time.py moves on: while all programs of a test sleep, or when a test says so. A slow machine
// makes a test slow, and no wait of a program too short.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/futex.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#define SECOND 1000000000LL
// The real time after which a program that waits by a timeout looks at the virtual clock again, in milliseconds.
#define LOOK 5

// The content of the file; kit/virtual_time.py has the same in struct's format. Times are in nanoseconds.
struct content {
  // What the clocks showed at the start.
  int64_t realtime, monotonic, boottime;
  _Atomic int64_t passed;
  // The number of moves; programs wait for a change.
  _Atomic uint32_t moves;
  uint32_t unused;
  // By how much the time that people read was set.
  _Atomic int64_t set;
  // How often each process was woken up in epoll_wait, by the last 16 bits of its ID.
  _Atomic uint32_t wakeups[1 << 16];
};

// A timerfd; not armed without a deadline.
struct timer {
  clockid_t clock;
  int64_t deadline, interval;
};

static struct content *content;
static struct timer timers[1024];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void open_content(void) {
  const char *path = getenv("VIRTUAL_TIME");
  int file = path ? open(path, O_RDWR | O_CLOEXEC) : -1;
  if (file < 0) return;
  void *found = mmap(NULL, sizeof *content, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  close(file);
  if (found != MAP_FAILED) content = found;
}

static int is_ready(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, open_content);
  return content != NULL;
}

// What a virtual clock shows; -1 for a clock that is none.
static int64_t now(clockid_t clock) {
  if (!is_ready()) return -1;
  int64_t passed = atomic_load(&content->passed);
  switch (clock) {
    case CLOCK_REALTIME: case CLOCK_REALTIME_COARSE: case CLOCK_REALTIME_ALARM:
      return content->realtime + passed + atomic_load(&content->set);
    case CLOCK_MONOTONIC: case CLOCK_MONOTONIC_COARSE: case CLOCK_MONOTONIC_RAW: return content->monotonic + passed;
    case CLOCK_BOOTTIME: case CLOCK_BOOTTIME_ALARM: return content->boottime + passed;
    default: return -1;
  }
}

static int64_t nanoseconds(struct timespec time) { return time.tv_sec * SECOND + time.tv_nsec; }
static struct timespec timespec(int64_t time) { return (struct timespec){time / SECOND, time % SECOND}; }

int clock_gettime(clockid_t clock, struct timespec *time) {
  int64_t shown = now(clock);
  if (shown < 0) return syscall(SYS_clock_gettime, clock, time);
  *time = timespec(shown);
  return 0;
}

int gettimeofday(struct timeval *time, void *zone) {
  struct timespec now;
  (void)zone;
  clock_gettime(CLOCK_REALTIME, &now);
  *time = (struct timeval){now.tv_sec, now.tv_nsec / 1000};
  return 0;
}

time_t time(time_t *place) {
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  if (place) *place = now.tv_sec;
  return now.tv_sec;
}

// Lets the kernel's timer fire if its virtual deadline has passed, and stops it otherwise. The caller has the lock.
static int settle(int number) {
  struct timer *timer = &timers[number];
  struct itimerspec kernel = {0};
  if (timer->deadline && timer->deadline <= now(timer->clock)) {
    kernel.it_value.tv_nsec = 1;
    timer->deadline = timer->interval ? timer->deadline + timer->interval : 0;
  }
  return syscall(SYS_timerfd_settime, number, 0, &kernel, NULL);
}

// Fires timers after each move.
static void *follow(void *unused) {
  for (;;) {
    uint32_t seen = atomic_load(&content->moves);
    pthread_mutex_lock(&lock);
    for (int number = 0; number < 1024; number++) {
      if (timers[number].deadline && timers[number].deadline <= now(timers[number].clock)) settle(number);
    }
    pthread_mutex_unlock(&lock);
    syscall(SYS_futex, &content->moves, FUTEX_WAIT, seen, NULL, NULL, 0);
  }
  return unused;
}

// The thread takes no signals, and as good as nothing of what the program may have of memory.
static void begin_to_follow(void) {
  sigset_t all, former;
  pthread_attr_t attributes;
  pthread_t thread;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &former);
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 64 << 10);
  if (pthread_create(&thread, &attributes, follow, NULL) != 0) abort();
  pthread_attr_destroy(&attributes);
  pthread_sigmask(SIG_SETMASK, &former, NULL);
}

int timerfd_create(clockid_t clock, int flags) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  int number = syscall(SYS_timerfd_create, clock, flags);
  if (number < 0 || number >= 1024 || now(clock) < 0) return number;
  pthread_mutex_lock(&lock);
  timers[number] = (struct timer){.clock = clock};
  pthread_mutex_unlock(&lock);
  pthread_once(&once, begin_to_follow);
  return number;
}

int timerfd_settime(int number, int flags, const struct itimerspec *new, struct itimerspec *old) {
  // A timer that only notices that the clock is set stays with the kernel.
  if (number < 0 || number >= 1024 || !is_ready() || flags & TFD_TIMER_CANCEL_ON_SET) {
    return syscall(SYS_timerfd_settime, number, flags, new, old);
  }
  if (old) *old = (struct itimerspec){0};
  pthread_mutex_lock(&lock);
  struct timer *timer = &timers[number];
  int64_t value = nanoseconds(new->it_value);
  timer->interval = nanoseconds(new->it_interval);
  timer->deadline = value && !(flags & TFD_TIMER_ABSTIME) ? now(timer->clock) + value : value;
  int result = settle(number);
  pthread_mutex_unlock(&lock);
  return result;
}

int epoll_wait(int number, struct epoll_event *events, int most, int timeout) {
  int (*kernel)(int, struct epoll_event *, int, int) = dlsym(RTLD_NEXT, "epoll_wait");
  int found = kernel(number, events, most, is_ready() && timeout > LOOK ? LOOK : timeout);
  if (content && timeout != 0 && found > 0) atomic_fetch_add(&content->wakeups[getpid() & 0xffff], 1);
  return found;
}

// No server has set this clock.
int access(const char *path, int mode) {
  if (is_ready() && strcmp(path, "/run/systemd/timesync/synchronized") == 0) {
    errno = ENOENT;
    return -1;
  }
  return syscall(SYS_faccessat, AT_FDCWD, path, mode);
}

// A wait may end without a reason, and does so here until the virtual time has come.
int pthread_cond_timedwait(pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *end) {
  int (*original)(pthread_cond_t *, pthread_mutex_t *, const struct timespec *) = dlsym(RTLD_NEXT, "pthread_cond_timedwait");
  if (!is_ready()) return original(condition, mutex, end);
  // The time since 1970 is larger than any since a boot.
  clockid_t clock = nanoseconds(*end) >= content->realtime ? CLOCK_REALTIME : CLOCK_MONOTONIC;
  struct timespec look;
  syscall(SYS_clock_gettime, clock, &look);
  look = timespec(nanoseconds(look) + LOOK * SECOND / 1000);
  int result = now(clock) >= nanoseconds(*end) ? ETIMEDOUT : original(condition, mutex, &look);
  return result == ETIMEDOUT && now(clock) < nanoseconds(*end) ? 0 : result;
}

// Moves the time on, for a test: the address of the content, and nanoseconds.
void virtual_time_move(struct content *shared, int64_t by) {
  atomic_fetch_add(&shared->passed, by);
  atomic_fetch_add(&shared->moves, 1);
  syscall(SYS_futex, &shared->moves, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}
