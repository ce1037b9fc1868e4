#include "Calsa.h"
#include <dlfcn.h>
#include <errno.h>
#include <stdlib.h>

/* The part of alsa/pcm.h that is called, which has been the same since ALSA 1.0: what is not linked needs no header. */
enum { PLAYBACK = 0, INTERLEAVED = 3, SIGNED_16_LITTLE = 2, SIGNED_16_BIG = 3 };
typedef void quiet_handler(const char *, int, const char *, int, const char *, ...);

static struct {
  int (*open)(void **, const char *, int, int);
  int (*set_params)(void *, int, int, unsigned int, unsigned int, int, unsigned int);
  long (*writei)(void *, const void *, unsigned long);
  int (*recover)(void *, int, int);
  int (*prepare)(void *);
  int (*drain)(void *);
  int (*close)(void *);
  int (*set_handler)(quiet_handler *);
} alsa;

struct calsa { void *pcm; };

/* What the library would print is told by the codes. */
static void quiet(const char *file, int line, const char *function, int code, const char *format, ...) {
  (void)file, (void)line, (void)function, (void)code, (void)format;
}

static int load(void) {
  static int loaded;
  if (loaded) return 0;
  void *library = dlopen("libasound.so.2", RTLD_NOW | RTLD_LOCAL);
  if (!library) return -ENOENT;
  const struct { void *function; const char *name; } needed[] = {
    {&alsa.open, "snd_pcm_open"}, {&alsa.set_params, "snd_pcm_set_params"}, {&alsa.writei, "snd_pcm_writei"},
    {&alsa.recover, "snd_pcm_recover"}, {&alsa.prepare, "snd_pcm_prepare"}, {&alsa.drain, "snd_pcm_drain"},
    {&alsa.close, "snd_pcm_close"}, {&alsa.set_handler, "snd_lib_error_set_handler"},
  };
  for (unsigned long i = 0; i < sizeof needed / sizeof *needed; i++)
    if (!(*(void **)needed[i].function = dlsym(library, needed[i].name))) {
      dlclose(library);
      return -ENOENT;
    }
  alsa.set_handler(quiet);
  loaded = 1;
  return 0;
}

int calsa_open(struct calsa **device, unsigned int rate, unsigned int buffer_microseconds) {
  int code = load();
  if (code < 0) return code;
  struct calsa *new = malloc(sizeof *new);
  if (!new) return -ENOMEM;
  code = alsa.open(&new->pcm, "default", PLAYBACK, 0);
  if (code < 0) {
    free(new);
    return code;
  }
  int format = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? SIGNED_16_LITTLE : SIGNED_16_BIG;
  code = alsa.set_params(new->pcm, format, INTERLEAVED, 1, rate, 1, buffer_microseconds);
  if (code < 0) {
    calsa_close(new);
    return code;
  }
  *device = new;
  return 0;
}

int calsa_write(struct calsa *device, const short *samples, unsigned long count) {
  for (int tries = 0; count > 0;) {
    long written = alsa.writei(device->pcm, samples, count);
    if (written >= 0) {
      samples += written;
      count -= (unsigned long)written;
      continue;
    }
    /* A gap in what is heard is mended; a device that is gone is not. */
    int code = tries++ < 3 ? alsa.recover(device->pcm, (int)written, 1) : (int)written;
    if (code < 0) return code;
  }
  return 0;
}

int calsa_drain(struct calsa *device) {
  int code = alsa.drain(device->pcm);
  return code < 0 ? code : alsa.prepare(device->pcm);
}

void calsa_close(struct calsa *device) {
  alsa.close(device->pcm);
  free(device);
}
