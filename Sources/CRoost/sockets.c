#define _GNU_SOURCE
#include "croost.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

// Kernel headers have these from 6.5 and 6.16 on. Defined here, because the running kernel may be newer than the build
// headers. The numbers are the same on all architectures that Swift supports.
#ifndef SO_PEERPIDFD
#define SO_PEERPIDFD 77
#endif
#ifndef SO_PASSRIGHTS
#define SO_PASSRIGHTS 83
#endif

int croost_accept(int listening) { return accept4(listening, 0, 0, SOCK_NONBLOCK | SOCK_CLOEXEC); }

int croost_peer_pidfd(int socket, int pid, int *pidfd)
{
    socklen_t size = sizeof *pidfd;
    if (getsockopt(socket, SOL_SOCKET, SO_PEERPIDFD, pidfd, &size) == 0)
        return 0;
    return errno == ENOPROTOOPT ? croost_pidfd_open(pid, pidfd) : errno;
}

int croost_refuse_descriptors(int socket)
{
    int off = 0;
    return setsockopt(socket, SOL_SOCKET, SO_PASSRIGHTS, &off, sizeof off) == 0 ? 0 : errno;
}

long croost_receive(int socket, void *buffer, size_t size, int *descriptors, int *count)
{
    union {
        struct cmsghdr header;
        char space[CMSG_SPACE(CROOST_PASSED_AT_ONCE * sizeof(int))];
    } control;
    struct iovec part = { .iov_base = buffer, .iov_len = size };
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control
    };
    *count = 0;
    ssize_t got = recvmsg(socket, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    if (got < 0)
        return got;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS)
            continue;
        size_t bytes = header->cmsg_len - CMSG_LEN(0);
        memcpy(descriptors + *count, CMSG_DATA(header), bytes);
        *count += (int)(bytes / sizeof(int));
    }
    return got;
}

void croost_close_passed(const int *descriptors, int count)
{
    for (int index = 0; index < count; index++) {
        // With SO_LINGER set by the sender, closing the last copy would block until the peer has received everything.
        struct linger none = { 0, 0 };
        setsockopt(descriptors[index], SOL_SOCKET, SO_LINGER, &none, sizeof none);
        close(descriptors[index]);
    }
}

static int option(int descriptor, int name)
{
    int value;
    socklen_t size = sizeof value;
    return getsockopt(descriptor, SOL_SOCKET, name, &value, &size) == 0 ? value : -1;
}

struct croost_tcp croost_examine_tcp(int descriptor)
{
    struct croost_tcp found = { 0, 0, 0 };
    int domain = option(descriptor, SO_DOMAIN);
    if ((domain != AF_INET && domain != AF_INET6) || option(descriptor, SO_TYPE) != SOCK_STREAM
        || option(descriptor, SO_PROTOCOL) != IPPROTO_TCP)
        return found;
    found.is_tcp = 1;
    socklen_t size = sizeof found.cookie;
    if (getsockopt(descriptor, SOL_SOCKET, SO_COOKIE, &found.cookie, &size) != 0)
        found.cookie = 0;
    struct tcp_info info;
    size = sizeof info;
    found.is_connected = getsockopt(descriptor, IPPROTO_TCP, TCP_INFO, &info, &size) == 0
        && (info.tcpi_state == TCP_ESTABLISHED || info.tcpi_state == TCP_CLOSE_WAIT);
    return found;
}

void croost_close_connection(int socket)
{
    // No more data arrives after this call, so the remaining data is finite.
    shutdown(socket, SHUT_RDWR);
    char buffer[4096];
    int descriptors[CROOST_PASSED_AT_ONCE], count;
    for (;;) {
        long got = croost_receive(socket, buffer, sizeof buffer, descriptors, &count);
        croost_close_passed(descriptors, count);
        if (got == 0 || (got < 0 && errno != EINTR))
            break;
    }
    close(socket);
}

ssize_t croost_send_passing(int socket, const void *bytes, size_t count, int passed)
{
    union {
        char bytes[CMSG_SPACE(sizeof(int))];
        struct cmsghdr align;
    } control;
    memset(&control, 0, sizeof control);
    struct iovec part = { (void *)bytes, count };
    struct msghdr message = { .msg_iov = &part, .msg_iovlen = 1 };
    if (passed >= 0) {
        message.msg_control = &control;
        message.msg_controllen = sizeof control.bytes;
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof passed);
        memcpy(CMSG_DATA(header), &passed, sizeof passed);
    }
    return sendmsg(socket, &message, MSG_NOSIGNAL | MSG_DONTWAIT);
}

ssize_t croost_receive_passed(int socket, void *bytes, size_t count, int *passed)
{
    union {
        char bytes[CMSG_SPACE(sizeof(int))];
        struct cmsghdr align;
    } control;
    struct iovec part = { bytes, count };
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = &control, .msg_controllen = sizeof control.bytes,
    };
    *passed = -1;
    ssize_t result = recvmsg(socket, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    if (result < 0)
        return result;
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (header != NULL && header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_RIGHTS
        && header->cmsg_len == CMSG_LEN(sizeof(int)))
        memcpy(passed, CMSG_DATA(header), sizeof(int));
    return result;
}
