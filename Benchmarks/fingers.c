/* fingers FD RATE SECONDS: ten fingers that never rest. FD is a uinput touchscreen with ten slots; every finger moves in
   each of RATE frames a second. Prints how many frames were sent. */
#include <err.h>
#include <linux/input.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

enum { FINGERS = 10, MOST_EVENTS = 64 };

static struct input_event events[MOST_EVENTS];
static int count;

static void add(int type, int code, int value) {
  events[count++] = (struct input_event){.type = type, .code = code, .value = value};
}

static void send(int device) {
  add(EV_SYN, SYN_REPORT, 0);
  ssize_t size = count * sizeof *events;
  if (write(device, events, size) != size) err(1, "write to uinput");
  count = 0;
}

static void place(int finger, int step) {
  /* Back and forth, a step in each frame. */
  int way = step % 400 < 200 ? step % 400 : 400 - step % 400;
  add(EV_ABS, ABS_MT_POSITION_X, 200 + 350 * finger + way);
  add(EV_ABS, ABS_MT_POSITION_Y, 500 + 300 * finger - way);
}

int main(int argc, char **argv) {
  if (argc != 4) errx(64, "fingers FD RATE SECONDS");
  int device = atoi(argv[1]), rate = atoi(argv[2]), frames = rate * atoi(argv[3]);
  if (rate < 1 || frames < 1) errx(64, "RATE and SECONDS must be whole numbers above 0");
  for (int finger = 0; finger < FINGERS; finger++) {
    add(EV_ABS, ABS_MT_SLOT, finger);
    add(EV_ABS, ABS_MT_TRACKING_ID, 1000 + finger);
    place(finger, 0);
  }
  add(EV_KEY, BTN_TOUCH, 1);
  send(device);
  struct timespec next;
  clock_gettime(CLOCK_MONOTONIC, &next);
  for (int step = 1; step <= frames; step++) {
    next.tv_nsec += 1000000000 / rate;
    if (next.tv_nsec >= 1000000000) next.tv_sec++, next.tv_nsec -= 1000000000;
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, 0);
    for (int finger = 0; finger < FINGERS; finger++) {
      add(EV_ABS, ABS_MT_SLOT, finger);
      place(finger, step);
    }
    send(device);
  }
  for (int finger = 0; finger < FINGERS; finger++) {
    add(EV_ABS, ABS_MT_SLOT, finger);
    add(EV_ABS, ABS_MT_TRACKING_ID, -1);
  }
  add(EV_KEY, BTN_TOUCH, 0);
  send(device);
  printf("%d\n", frames);
}
