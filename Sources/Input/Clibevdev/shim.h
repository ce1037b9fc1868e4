#include <libevdev/libevdev.h>

/* The stamp of an event in nanoseconds; where its two parts are kept depends on the width of time_t. */
static inline long long evdev_event_nanoseconds(const struct input_event *event) {
  return (long long)event->input_event_sec * 1000000000LL + (long long)event->input_event_usec * 1000LL;
}

/* An event with a stamp of so many nanoseconds, which are not negative. */
static inline struct input_event evdev_event(long long nanoseconds, unsigned short type, unsigned short code, int value) {
  struct input_event event = {.type = type, .code = code, .value = value};
  event.input_event_sec = nanoseconds / 1000000000LL;
  event.input_event_usec = nanoseconds % 1000000000LL / 1000LL;
  return event;
}
