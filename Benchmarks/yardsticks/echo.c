// The yardstick for a message with an answer: an epoll loop reads messages that end with a NUL byte. It answers each
// with as many bytes as Roost's empty reply has. `echo PATH` runs until it is killed.
#define _GNU_SOURCE
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static const char answer[] = "{\"parameters\":{}}";

int main(int count, char **arguments) {
    if (count != 2) return 64;
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s", arguments[1]);
    int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    int loop = epoll_create1(EPOLL_CLOEXEC);
    struct epoll_event event = {.events = EPOLLIN, .data.fd = listener};
    if (bind(listener, (struct sockaddr *)&address, sizeof address) != 0 || listen(listener, 8) != 0
        || epoll_ctl(loop, EPOLL_CTL_ADD, listener, &event) != 0) {
        perror(arguments[1]);
        return 1;
    }
    while (1) {
        struct epoll_event events[16];
        int ready = epoll_wait(loop, events, 16, -1);
        for (int i = 0; i < ready; i++) {
            int descriptor = events[i].data.fd;
            if (descriptor == listener) {
                struct epoll_event client = {.events = EPOLLIN, .data.fd = accept(listener, NULL, NULL)};
                epoll_ctl(loop, EPOLL_CTL_ADD, client.data.fd, &client);
                continue;
            }
            char bytes[65536];
            ssize_t length = recv(descriptor, bytes, sizeof bytes, 0);
            if (length <= 0) close(descriptor);
            for (ssize_t at = 0; at < length; at++) {
                if (bytes[at] == 0) send(descriptor, answer, sizeof answer, MSG_NOSIGNAL);
            }
        }
    }
}
