#include "CLinux.h"
#include <errno.h>
#include <linux/input.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

int linux_rumble_upload(int fd, unsigned short milliseconds) {
  struct ff_effect effect;
  memset(&effect, 0, sizeof effect);
  effect.type = FF_RUMBLE;
  effect.id = -1;
  effect.replay.length = milliseconds;
  /* Both motors where there are two: the small one is the sooner felt, the large one the better. */
  effect.u.rumble.strong_magnitude = 0xc000;
  effect.u.rumble.weak_magnitude = 0xc000;
  return ioctl(fd, EVIOCSFF, &effect) < 0 ? -errno : effect.id;
}

int linux_effect_remove(int fd, int effect) { return ioctl(fd, EVIOCRMFF, (long)effect) < 0 ? -errno : 0; }

int linux_light_is_on(int fd, unsigned short code) {
  unsigned char bits[LED_MAX / 8 + 1];
  memset(bits, 0, sizeof bits);
  if (code > LED_MAX) return -EINVAL;
  if (ioctl(fd, EVIOCGLED(sizeof bits), bits) < 0) return -errno;
  return bits[code / 8] >> code % 8 & 1;
}

int linux_event_write(int fd, unsigned short type, unsigned short code, int value) {
  struct input_event event;
  memset(&event, 0, sizeof event);
  event.type = type;
  event.code = code;
  event.value = value;
  ssize_t count;
  do count = write(fd, &event, sizeof event); while (count < 0 && errno == EINTR);
  return count < 0 ? -errno : 0;
}
