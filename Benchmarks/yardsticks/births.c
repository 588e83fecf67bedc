// Prints when each process of the machine starts, as the kernel reports it (CLOCK_MONOTONIC), until it is killed:
// `pid=PID at=NANOSECONDS`. Needs root, for the process connector.
#include <linux/cn_proc.h>
#include <linux/connector.h>
#include <linux/netlink.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

int main(void) {
    int descriptor = socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, NETLINK_CONNECTOR);
    struct sockaddr_nl address = {.nl_family = AF_NETLINK, .nl_groups = CN_IDX_PROC};
    if (descriptor < 0 || bind(descriptor, (struct sockaddr *)&address, sizeof address) != 0) {
        perror("the process connector");
        return 1;
    }
    char request[NLMSG_LENGTH(sizeof(struct cn_msg) + sizeof(enum proc_cn_mcast_op))] = {0};
    struct nlmsghdr *header = (struct nlmsghdr *)request;
    header->nlmsg_len = sizeof request;
    header->nlmsg_type = NLMSG_DONE;
    struct cn_msg *message = NLMSG_DATA(header);
    message->id = (struct cb_id){CN_IDX_PROC, CN_VAL_PROC};
    message->len = sizeof(enum proc_cn_mcast_op);
    enum proc_cn_mcast_op listen = PROC_CN_MCAST_LISTEN;
    memcpy(message->data, &listen, sizeof listen);
    if (send(descriptor, request, sizeof request, 0) < 0) {
        perror("the process connector");
        return 1;
    }
    puts("watching");
    fflush(stdout);
    while (1) {
        char bytes[4096];
        ssize_t length = recv(descriptor, bytes, sizeof bytes, 0);
        if (length < (ssize_t)NLMSG_LENGTH(sizeof(struct cn_msg) + sizeof(struct proc_event))) continue;
        struct proc_event event;
        memcpy(&event, ((struct cn_msg *)NLMSG_DATA((struct nlmsghdr *)bytes))->data, sizeof event);
        if (event.what != PROC_EVENT_FORK || event.event_data.fork.child_pid != event.event_data.fork.child_tgid) {
            continue;
        }
        printf("pid=%d at=%llu\n", event.event_data.fork.child_pid, (unsigned long long)event.timestamp_ns);
        fflush(stdout);
    }
}
