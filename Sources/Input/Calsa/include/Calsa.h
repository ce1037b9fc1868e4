/* ALSA's way to a loudspeaker, which a sound server takes over where there is one. The library is looked for when the
   first sound is to be played: whoever plays none does without it and its memory. Functions answer 0 or -errno. */
#pragma once

struct calsa;

/* -ENOENT where the library is not installed. Opens the device called `default`: one channel of 16 bits. */
int calsa_open(struct calsa **device, unsigned int rate, unsigned int buffer_microseconds);

/* Waits until there is room for all samples. */
int calsa_write(struct calsa *device, const short *samples, unsigned long count);

/* Waits until all has been heard. */
int calsa_drain(struct calsa *device);
void calsa_close(struct calsa *device);
