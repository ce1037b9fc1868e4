/* start SOCKET REQUEST PROGRAM [ARGUMENT...]: how long a server takes from exec to its first answer.

   Starts PROGRAM, connects to SOCKET as soon as that can be done, sends REQUEST (with a line break for Redis: one that
   begins with "{" ends with a NUL instead), and waits for the first byte of the answer. Prints the time in microseconds
   and ends the server. */
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1e6 + t.tv_nsec / 1e3;
}

static pid_t server;

static void give_up(const char *reason) {
  kill(server, SIGKILL);
  errx(1, "%s", reason);
}

int main(int argc, char **argv) {
  if (argc < 4) errx(64, "start SOCKET REQUEST PROGRAM [ARGUMENT...]");
  struct sockaddr_un address = {.sun_family = AF_UNIX};
  if (strlen(argv[1]) >= sizeof address.sun_path) errx(1, "%s: too long for a socket", argv[1]);
  strcpy(address.sun_path, argv[1]);
  unlink(argv[1]);

  double start = now();
  server = fork();
  if (server < 0) err(1, "fork");
  if (server == 0) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    int nowhere = open("/dev/null", O_RDWR);
    dup2(nowhere, 0);
    dup2(nowhere, 1);
    execvp(argv[3], argv + 3);
    err(127, "%s", argv[3]);
  }
  int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
  while (connect(fd, (struct sockaddr *)&address, sizeof address) < 0) {
    if (errno != ENOENT && errno != ECONNREFUSED) give_up(strerror(errno));
    if (now() - start > 20e6 || waitpid(server, 0, WNOHANG) == server) give_up("the server did not start");
    usleep(20);
  }
  size_t size = strlen(argv[2]) + (argv[2][0] == '{');
  char answer[64];
  if (send(fd, argv[2], size, MSG_NOSIGNAL) < 0 || recv(fd, answer, sizeof answer, 0) <= 0) give_up("no answer");
  printf("%.1f\n", now() - start);
  kill(server, SIGTERM);
  waitpid(server, 0, 0);
}
