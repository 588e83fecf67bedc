// Keeps a system busy while it lives, in one of three ways:
//   flood PATH COUNT          COUNT connections that ask for the service's info, again and again, and never read
//   flood PATH COUNT COOKIE   COUNT connections to the control socket that ask for the list of apps
//   without arguments         as an app: messages of 250 KiB on its connection for requests, which it reopens if cut off
#define _GNU_SOURCE
#include "roost_app.h"
#include <poll.h>
#include <pthread.h>

#define LONGEST 300000

// Sends a message again and again, as long as the connection accepts bytes. `sent` is the number of bytes sent of the
// current copy. Returns 0 if the connection is closed.
static int pour(int descriptor, const char *message, size_t length, size_t *sent) {
    while (1) {
        ssize_t count = send(descriptor, message + *sent, length - *sent, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (count < 0) return errno == EAGAIN;
        *sent = (*sent + (size_t)count) % length;
    }
}

static int opened(const char *path, const char *cookie) {
    int descriptor = connected(path);
    char first[512];
    int length = snprintf(
        first, sizeof first, "{\"method\":\"roost.Control.Authenticate\",\"oneway\":true,\"parameters\":{\"cookie\":\"%s\"}}",
        cookie ? cookie : "");
    if (cookie) send(descriptor, first, (size_t)length + 1, MSG_NOSIGNAL);
    return descriptor;
}

static void strangers(const char *path, int count, const char *cookie) {
    static const char what[] = "{\"method\":\"org.varlink.service.GetInfo\"}", list[] = "{\"method\":\"roost.Control.List\"}";
    const char *message = cookie ? list : what;
    size_t length = cookie ? sizeof list : sizeof what;
    struct pollfd *all = calloc((size_t)count, sizeof *all);
    size_t *sent = calloc((size_t)count, sizeof *sent);
    for (int i = 0; i < count; i++) all[i] = (struct pollfd){opened(path, cookie), POLLOUT, 0};
    puts("floods");
    fflush(stdout);
    while (1) {
        for (int i = 0; i < count; i++) {
            if (!(all[i].revents & (POLLHUP | POLLERR)) && pour(all[i].fd, message, length, &sent[i])) continue;
            close(all[i].fd);
            all[i].fd = opened(path, cookie);
            sent[i] = 0;
        }
        poll(all, (nfds_t)count, -1);
    }
}

static struct app app;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *speak(void *nothing) {
    static char message[LONGEST];
    int length = snprintf(
        message, sizeof message, "{\"method\":\"roost.App.EndTask\",\"oneway\":true,\"parameters\":{\"task\":1,\"x\":\"%0250000d\"}}", 0);
    while (1) {
        pthread_mutex_lock(&lock);
        int is_open = send(app.requests.descriptor, message, (size_t)length + 1, MSG_NOSIGNAL) == length + 1;
        if (!is_open) {
            close(app.requests.descriptor);
            app.requests = (struct wire){.descriptor = connected(getenv("ROOST_SOCKET"))};
            say(&app.requests, "{\"method\":\"roost.App.Identify\",\"parameters\":{\"token\":\"%s\"}}", getenv("ROOST_TOKEN"));
            receive(&app.requests);
        }
        pthread_mutex_unlock(&lock);
    }
    return nothing;
}

int main(int count, char **arguments) {
    if (count > 2) strangers(arguments[1], atoi(arguments[2]), arguments[3]);
    enter(&app);
    while (1) {
        char kind[64];
        int callback = next_callback(&app, kind);
        pthread_mutex_lock(&lock);
        acknowledge(&app, callback, kind, 0);
        pthread_mutex_unlock(&lock);
        pthread_t thread;
        if (strcmp(kind, "didBecomeActive") == 0) {
            if (pthread_create(&thread, NULL, speak, NULL) != 0) fail("pthread_create");
            pthread_detach(thread);
        }
    }
}
