#define _GNU_SOURCE
#include "freeze.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

int64_t freeze_now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

int freeze_open(const char *directory, struct freeze_cgroup *cgroup) {
    char path[4096];
    snprintf(path, sizeof path, "%s/cgroup.freeze", directory);
    cgroup->freeze = open(path, O_WRONLY | O_CLOEXEC);
    snprintf(path, sizeof path, "%s/cgroup.events", directory);
    cgroup->events = open(path, O_RDONLY | O_CLOEXEC);
    return cgroup->freeze < 0 || cgroup->events < 0 ? errno : 0;
}

int freeze_begin(struct freeze_cgroup cgroup) { return write(cgroup.freeze, "1", 1) == 1 ? 0 : errno; }

int freeze_wait(struct freeze_cgroup cgroup) {
    while (1) {
        char text[256];
        ssize_t length = pread(cgroup.events, text, sizeof text - 1, 0);
        if (length < 0) return errno;
        text[length] = 0;
        if (strstr(text, "frozen 1")) return 0;
        struct pollfd descriptor = {.fd = cgroup.events, .events = POLLPRI};
        struct timespec look = {.tv_nsec = 100000};
        ppoll(&descriptor, 1, &look, NULL);
    }
}

int freeze_thaw(struct freeze_cgroup cgroup) { return write(cgroup.freeze, "0", 1) == 1 ? 0 : errno; }

int freeze_share(int *descriptor, struct shared_page **page) {
    *descriptor = memfd_create("shared", 0);
    if (*descriptor < 0 || ftruncate(*descriptor, 4096) != 0) return errno;
    void *mapped = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, *descriptor, 0);
    if (mapped == MAP_FAILED) return errno;
    *page = mapped;
    return 0;
}

void freeze_ask(struct shared_page *page) { atomic_store(&page->ask, 1); }

int64_t freeze_answer(struct shared_page *page) {
    int64_t end = freeze_now() + INT64_C(1000000000);
    while (atomic_load(&page->ask)) {
        if (freeze_now() > end) return 0;
    }
    return atomic_load(&page->seen);
}

int freeze_ready(struct shared_page *page) {
    int64_t end = freeze_now() + INT64_C(5000000000);
    while (!atomic_load(&page->ready)) {
        if (freeze_now() > end) return 0;
    }
    return 1;
}
