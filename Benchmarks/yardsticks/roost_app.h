// An app in C, by docs/wire.md: two connections, callbacks one at a time, and a settings file of the benchmark next to
// the executable.
#pragma once
#include <errno.h>
#include <libgen.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

// The note from which `roost install` knows that this program receives callbacks.
__attribute__((section(".note.roost"), used, aligned(4)))
static const struct { int name, content, type; char owner[8]; int version; } note = {6, 4, 1, "Roost", 1};

_Noreturn static inline void fail(const char *what) {
    perror(what);
    exit(1);
}

static inline int64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

static inline void pause_ms(int ms) {
    struct timespec time = {ms / 1000, ms % 1000 * 1000000L};
    nanosleep(&time, NULL);
}

// The value of `name` in the file `settings` next to the executable (lines of name=value); NULL if there is none.
static inline char *setting(char *executable, const char *name) {
    char path[4096], line[4096];
    snprintf(path, sizeof path, "%s/settings", dirname(strdupa(executable)));
    FILE *file = fopen(path, "r");
    if (!file) fail(path);
    size_t length = strlen(name);
    char *value = NULL;
    while (!value && fgets(line, sizeof line, file)) {
        line[strcspn(line, "\n")] = 0;
        if (strncmp(line, name, length) == 0 && line[length] == '=') value = strdup(line + length + 1);
    }
    fclose(file);
    return value;
}

static inline int connected(const char *path) {
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0 || connect(descriptor, (struct sockaddr *)&address, sizeof address) != 0) fail(path);
    return descriptor;
}

// A connection, with the bytes that were read from it and not returned yet.
struct wire {
    int descriptor;
    size_t length, taken;
    char bytes[65536];
};

// The next message, valid until the next call; exits at the end of the stream.
static inline char *receive(struct wire *wire) {
    memmove(wire->bytes, wire->bytes + wire->taken, wire->length - wire->taken);
    wire->length -= wire->taken;
    wire->taken = 0;
    char *end;
    while (!(end = memchr(wire->bytes, 0, wire->length))) {
        ssize_t count = read(wire->descriptor, wire->bytes + wire->length, sizeof wire->bytes - wire->length);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) exit(0);
        wire->length += (size_t)count;
    }
    wire->taken = (size_t)(end + 1 - wire->bytes);
    return wire->bytes;
}

// Sends a message with its terminating NUL in one call.
static inline void say(struct wire *wire, const char *format, ...) {
    char message[4096];
    va_list values;
    va_start(values, format);
    int length = vsnprintf(message, sizeof message, format, values);
    va_end(values);
    if (send(wire->descriptor, message, (size_t)length + 1, MSG_NOSIGNAL) != length + 1) fail("send");
}

struct app {
    struct wire callbacks, requests;
};

// Introduces this process.
static inline void enter(struct app *app) {
    const char *path = getenv("ROOST_SOCKET"), *token = getenv("ROOST_TOKEN");
    if (!path || !token) {
        fprintf(stderr, "this is an app for Roost: the benchmark launches it\n");
        exit(64);
    }
    app->callbacks.descriptor = connected(path);
    app->requests.descriptor = connected(path);
    say(&app->callbacks,
        "{\"method\":\"roost.App.Attach\",\"more\":true,\"parameters\":"
        "{\"lastCallback\":0,\"open\":[],\"phase\":\"starting\",\"token\":\"%s\"}}", token);
    say(&app->requests, "{\"method\":\"roost.App.Identify\",\"parameters\":{\"token\":\"%s\"}}", token);
    receive(&app->requests);
}

// Waits for the next callback, returns its number, and writes its kind to `kind`.
static inline int next_callback(struct app *app, char kind[64]) {
    while (1) {
        char *callback = strstr(receive(&app->callbacks), "\"callback\":{");
        int id;
        if (!callback || sscanf(callback, "\"callback\":{\"id\":%d,\"kind\":\"%63[a-zA-Z]", &id, kind) != 2) continue;
        return id;
    }
}

// Acknowledges a callback, with this open task, or with none for 0. Exits after the acknowledgment of a termination.
static inline void acknowledge(struct app *app, int callback, const char *kind, int task) {
    char open[64] = "";
    if (task) snprintf(open, sizeof open, "{\"id\":%d,\"name\":\"work\"}", task);
    say(&app->requests,
        "{\"method\":\"roost.App.Acknowledge\",\"oneway\":true,\"parameters\":{\"callback\":%d,\"open\":[%s]}}",
        callback, open);
    if (strcmp(kind, "willTerminate") == 0) exit(0);
}
