#include <libevdev/libevdev.h>

/* The stamp of an event in nanoseconds; where its two parts are kept depends on the width of time_t. */
static inline long long evdev_event_nanoseconds(const struct input_event *event) {
  return (long long)event->input_event_sec * 1000000000LL + (long long)event->input_event_usec * 1000LL;
}
