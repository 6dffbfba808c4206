/* The program of the images that the tests build: a small HTTP server without a C library beside it.
 *   server serve PORT [MILLISECONDS]   listens, after a while
 *   server write FILE TEXT             writes a file and ends
 *   server fail TEXT                   says something and fails
 * Requests: /env/NAME, /read/FILE, /write/FILE/TEXT, /at/PORT/PATH (asks localhost), /slow/MILLISECONDS, /health, /sick, /well, /grow, /exit */
#include <arpa/inet.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static volatile int *healthy;
static int connected(int port, int server) {
  int fd = socket(AF_INET, SOCK_STREAM, 0), on = 1;
  struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = server ? INADDR_ANY : htonl(INADDR_LOOPBACK)};
  setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (server ? bind(fd, (void *)&at, sizeof at) || listen(fd, 64) : connect(fd, (void *)&at, sizeof at)) { perror("socket"); exit(4); }
  return fd;
}
static int put(const char *file, const char *text) {
  int fd = open(file, O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (fd < 0 || write(fd, text, strlen(text)) < 0) { perror(file); return 5; }
  return close(fd);
}
static void answer(int fd, int code, const char *body) {
  dprintf(fd, "HTTP/1.1 %d -\r\nContent-Type: text/plain\r\nContent-Length: %zu\r\nConnection: close\r\n\r\n%s", code, strlen(body), body);
}
static void serve(int fd) {
  char in[65536] = "", path[4096] = "", out[65536] = "";
  if (read(fd, in, sizeof in - 1) <= 0) return;
  sscanf(in, "%*s %4095s", path);
  char *rest = strchr(path + 1, '/');
  if (rest) *rest++ = 0; else rest = "";
  char *word = path + 1;
  if (!strcmp(word, "env")) return answer(fd, 200, getenv(rest) ? getenv(rest) : "(none)");
  if (!strcmp(word, "read")) { char name[4096]; snprintf(name, sizeof name, "/%s", rest); int f = open(name, O_RDONLY); if (f < 0) return answer(fd, 404, "no such file"); if (read(f, out, sizeof out - 1) < 0) return answer(fd, 500, "unreadable"); return answer(fd, 200, out); }
  if (!strcmp(word, "write")) { char name[4096]; char *text = strrchr(rest, '/'); *text++ = 0; snprintf(name, sizeof name, "/%s", rest); return answer(fd, put(name, text) ? 500 : 200, text); }
  if (!strcmp(word, "at")) { char *to = strchr(rest, '/'); int other = connected(atoi(rest), 0); dprintf(other, "GET %s HTTP/1.0\r\n\r\n", to); int n, all = 0; while ((n = read(other, out + all, sizeof out - 1 - all)) > 0) all += n; char *body = strstr(out, "\r\n\r\n"); return answer(fd, 200, body ? body + 4 : "nothing"); }
  if (!strcmp(word, "slow")) { usleep(atoi(rest) * 1000); return answer(fd, 200, "slept"); }
  if (!strcmp(word, "health")) return answer(fd, *healthy ? 200 : 503, *healthy ? "well" : "sick");
  if (!strcmp(word, "sick")) { *healthy = 0; return answer(fd, 200, "sick"); }
  if (!strcmp(word, "well")) { *healthy = 1; return answer(fd, 200, "well"); }
  if (!strcmp(word, "grow")) { kill(getppid(), SIGUSR1); return answer(fd, 200, "growing"); }
  if (!strcmp(word, "exit")) { kill(getppid(), SIGUSR2); return answer(fd, 200, "bye"); }
  snprintf(out, sizeof out, "%s %s\n%s", getenv("CONTAINER_APP_REVISION") ? getenv("CONTAINER_APP_REVISION") : "", getenv("VERSION") ? getenv("VERSION") : "", in);
  answer(fd, 200, out);
}
static void leave(int signal) { (void)signal; _exit(0); }
static void fall(int signal) { (void)signal; puts("falling over"); fflush(stdout); _exit(3); }
static void grow(int signal) { (void)signal; for (;;) memset(malloc(1 << 20), 1, 1 << 20); }
int main(int count, char **args) {
  if (count > 3 && !strcmp(args[1], "write")) return put(args[2], args[3]);
  if (count > 2 && !strcmp(args[1], "fail")) { fprintf(stderr, "%s\n", args[2]); return 7; }
  signal(SIGTERM, leave); signal(SIGINT, leave); signal(SIGUSR1, grow); signal(SIGUSR2, fall); signal(SIGCHLD, SIG_IGN);
  healthy = mmap(0, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0); *healthy = 1;
  if (count > 3) usleep(atoi(args[3]) * 1000);
  int door = connected(count > 2 ? atoi(args[2]) : 8080, 1);
  printf("listening on %s\n", count > 2 ? args[2] : "8080"); fflush(stdout);
  for (;;) {
    int fd = accept(door, 0, 0);
    if (fd < 0) continue;
    if (fork() == 0) { signal(SIGTERM, SIG_DFL); close(door); serve(fd); _exit(0); }
    close(fd);
  }
}
