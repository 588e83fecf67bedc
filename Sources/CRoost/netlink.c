#define _GNU_SOURCE
#include "croost.h"

#include <errno.h>
#include <linux/netlink.h>
#include <linux/rtnetlink.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static int listen_to(int family, unsigned int groups, int *descriptor) {
    int own = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, family);
    if (own < 0) return errno;
    struct sockaddr_nl address = {.nl_family = AF_NETLINK, .nl_groups = groups};
    if (bind(own, (struct sockaddr *)&address, sizeof address) != 0) {
        int code = errno;
        close(own);
        return code;
    }
    *descriptor = own;
    return 0;
}

int croost_link_watch(int *descriptor) {
    return listen_to(NETLINK_ROUTE, RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR, descriptor);
}

int croost_device_watch(int *descriptor) { return listen_to(NETLINK_KOBJECT_UEVENT, 1, descriptor); }

int croost_netlink_drain(int descriptor, const char *word) {
    char message[16384];
    int is_found = 0;
    for (;;) {
        struct sockaddr_nl sender = {0};
        socklen_t size = sizeof sender;
        ssize_t count = recvfrom(descriptor, message, sizeof message, 0, (struct sockaddr *)&sender, &size);
        if (count < 0) {
            if (errno == EINTR) continue;
            // The queue overflowed and messages were dropped, so there was a change.
            if (errno == ENOBUFS) {
                is_found = 1;
                continue;
            }
            return is_found;
        }
        // Trust only messages from the kernel.
        if (sender.nl_pid != 0) continue;
        if (word == NULL || memmem(message, (size_t)count, word, strlen(word)) != NULL) is_found = 1;
    }
}
