// An app whose file `settings` selects what it does:
//   mode=idle   nothing; it is suspended as soon as it is in the background
//   mode=wake   in the background, under a task: wakes every 10 ms until the word is 2, and then ends the task
//   mode=spin   in the background, under a task: computes while the word is 1, otherwise sleeps
//   mode=front  in the foreground: computes, and prints the word and the speed ten times a second, until the word is 2
// The word is in the file `word` in the container, the app's working directory. The benchmark writes it.
#define _GNU_SOURCE
#include "roost_app.h"
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/mman.h>

static struct app app;
static const _Atomic uint32_t *word;
static volatile uint64_t sink;
// The newest task begun.
static int task;

// A fixed amount of computation, about ten microseconds.
static void portion(void) {
    uint64_t x = sink | 1;
    for (int i = 0; i < 10000; i++) {
        x = x * UINT64_C(6364136223846793005) + 1442695040888963407;
        // Prevents the compiler from shortening the loop.
        __asm__ volatile("" : "+r"(x));
    }
    sink = x;
}

static void *spin(void *nothing) {
    while (1) {
        if (atomic_load(word) == 1) portion(); else pause_ms(50);
    }
    return nothing;
}

static void *wake(void *nothing) {
    int open = task;
    while (atomic_load(word) != 2) pause_ms(10);
    say(&app.requests, "{\"method\":\"roost.App.EndTask\",\"oneway\":true,\"parameters\":{\"task\":%d}}", open);
    return nothing;
}

static double speed(int ms) {
    int64_t start = now(), time;
    uint64_t portions = 0;
    do {
        portion();
        portions++;
        time = now() - start;
    } while (time < ms * INT64_C(1000000));
    return (double)portions * 1e9 / (double)time;
}

static void *front(void *nothing) {
    uint32_t before;
    while ((before = atomic_load(word)) != 2) {
        double portions = speed(100);
        // A measurement during which the word changed is dropped.
        if (atomic_load(word) == before) printf("word=%u speed=%.0f\n", before, portions);
    }
    puts("done");
    fflush(stdout);
    return nothing;
}

static void start(void *(*work)(void *)) {
    pthread_t thread;
    if (pthread_create(&thread, NULL, work, NULL) != 0) fail("pthread_create");
    pthread_detach(thread);
}

int main(int count, char **arguments) {
    (void)count;
    const char *mode = setting(arguments[0], "mode");
    int descriptor = open("word", O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) fail("word");
    word = mmap(NULL, 4096, PROT_READ, MAP_SHARED, descriptor, 0);
    if (word == MAP_FAILED) fail("word");
    int works = strcmp(mode, "wake") == 0 || strcmp(mode, "spin") == 0, is_spinning = 0;
    enter(&app);
    while (1) {
        char kind[64];
        int callback = next_callback(&app, kind);
        int goes_back = strcmp(kind, "didEnterBackground") == 0;
        acknowledge(&app, callback, kind, works && goes_back ? ++task : 0);
        if (goes_back && strcmp(mode, "wake") == 0) start(wake);
        if (goes_back && strcmp(mode, "spin") == 0 && !is_spinning++) start(spin);
        if (strcmp(kind, "didBecomeActive") == 0 && strcmp(mode, "front") == 0) start(front);
    }
}
