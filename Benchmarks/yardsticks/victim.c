// `victim THREADS`: the process that is frozen. One thread runs, and the others sleep; with THREADS 0 a single thread
// sleeps. The page at descriptor 3 is shared with the freezing process. If `ask` is set, the running thread records the
// time at which it sees that.
#include "freeze/include/freeze.h"
#include <pthread.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static void *sleeps(void *nothing) {
    while (1) pause();
    return nothing;
}

int main(int count, char **arguments) {
    int threads = count > 1 ? atoi(arguments[1]) : 0;
    struct shared_page *page = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, 3, 0);
    if (page == MAP_FAILED) return 1;
    for (int i = 1; i < threads; i++) {
        pthread_t thread;
        if (pthread_create(&thread, NULL, sleeps, NULL) != 0) return 1;
    }
    atomic_store(&page->ready, 1);
    if (threads == 0) sleeps(NULL);
    while (1) {
        if (!atomic_load(&page->ask)) continue;
        atomic_store(&page->seen, freeze_now());
        atomic_store(&page->ask, 0);
    }
}
