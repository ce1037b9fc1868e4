/* The kernel interfaces that Swift's Glibc module does not carry, as functions that answer 0 (or a descriptor) or
   -errno. Nothing else in the package says ioctl. The header asks for no feature macro: Swift imports it beside its
   own view of the C library, and the two must agree. */
#pragma once
#include <stdarg.h>
#include <sys/un.h>

struct linux_peer { int pid; unsigned int uid; unsigned int gid; };

/* accept4: non-blocking, closed on exec. */
int linux_accept(int listener);

int linux_unix_socket(int blocking);

/* `path` holds `length` bytes without a NUL; one that does not fit answers -ENAMETOOLONG. */
int linux_unix_address(struct sockaddr_un *address, const char *path, unsigned long length);
int linux_bind(int fd, const struct sockaddr_un *address);
int linux_connect(int fd, const struct sockaddr_un *address);

/* How long connect and send wait on a blocking socket before they fail with -EAGAIN. */
int linux_limit_waiting_to_send(int fd, unsigned int milliseconds);

int linux_peer_credentials(int fd, struct linux_peer *peer);

/* The groups of the process at the other end, at most `room`; how many there are, or -ERANGE where it has more. */
int linux_peer_groups(int fd, unsigned int *groups, unsigned int room);

/* recvmsg: how many bytes came; `carried` tells whether descriptors were passed along, which are closed again. */
long linux_receive(int fd, void *buffer, unsigned long length, int *carried);

struct linux_ready { unsigned long long token; unsigned int events; };

/* epoll: the events are its own bits, the token comes back with what was found. */
int linux_epoll_create(void);
int linux_epoll_add(int set, int fd, unsigned int events, unsigned long long token);
int linux_epoll_change(int set, int fd, unsigned int events, unsigned long long token);
int linux_epoll_remove(int set, int fd);

/* What is ready now, without waiting: at most `room`, and at most 64. */
int linux_epoll_ready(int set, struct linux_ready *ready, unsigned int room);

/* openat with O_PATH: a folder, to open what is in it; no link is followed. */
int linux_open_folder(int folder, const char *name);

/* eventfd: non-blocking, closed on exec. */
int linux_eventfd(void);

/* malloc_trim: gives memory that is not in use back to the system. */
void linux_trim_heap(void);

void linux_ignore_write_signals(void);

/* Runs the calling thread only when nothing else needs the processor or the disk, as far as the system allows it. */
void linux_run_idle(void);

/* Gives `sink` one finished line, for libraries that log through a format and a va_list. */
void linux_log_line(void (*sink)(const char *line), const char *format, va_list arguments);

/* An effect of a motor, which vibrates for so long each time it is played; answers its number. Blocks until the device
   has taken it. */
int linux_rumble_upload(int fd, unsigned short milliseconds);
int linux_effect_remove(int fd, int effect);

/* Whether a light of an input device is on: 1 or 0. */
int linux_light_is_on(int fd, unsigned short code);

/* Tells an input device something: to play an effect, a light, a tone. */
int linux_event_write(int fd, unsigned short type, unsigned short code, int value);

/* Turns the terminal at `fd` to giving each key at once and unseen; Ctrl-C stays a signal. Its former state comes
   back with linux_terminal_restore, at exit, and when a fatal signal ends the process. */
int linux_terminal_raw(int fd);
void linux_terminal_restore(void);

/* A file that lies in memory alone and has no place in any folder. */
int linux_memory_file(const char *name);

/* Takes an input device for this opening of it alone, or lets it go again. */
int linux_input_grab(int fd, int grabbed);

/* Lets an input device stamp its events by CLOCK_BOOTTIME, for this opening of it. */
int linux_input_use_boottime(int fd);

/* The user and the group whose rights this thread uses for files. */
void linux_user_of_files(unsigned int *user, unsigned int *group);

/* From now on this thread uses files with the rights of that user and group, who own what it makes; root may become
   anybody, and itself again. */
int linux_use_files_as(unsigned int user, unsigned int group);
