// An app that sends similar requests to three services, in turns: to Roost for a background task (begin with an answer,
// then end), to the epoll echo with messages of the same lengths, and to a bus for an inhibition. After it has become
// active, it prints for each round the nanoseconds of the median begin with each service, and the bytes sent.
#define _GNU_SOURCE
#include "roost_app.h"
#include <dbus/dbus.h>

enum { rounds = 5, blocks = 10, calls = 300, most = blocks * calls };

static struct app app;
static struct wire echo;
static DBusConnection *bus;
static int64_t samples[3][most];
static int sent;

// The time of one call with its answer, in nanoseconds.
static int64_t ask(struct wire *wire, const char *message, size_t length) {
    int64_t start = now();
    if (send(wire->descriptor, message, length, MSG_NOSIGNAL) != (ssize_t)length) fail("send");
    char *answer = receive(wire);
    int64_t time = now() - start;
    if (strstr(answer, "error")) {
        fprintf(stderr, "begin: %s\n", answer);
        exit(1);
    }
    return time;
}

static int begin_text(char *message, size_t size, int64_t task) {
    return 1 + snprintf(message, size, "{\"method\":\"roost.App.BeginTask\",\"parameters\":"
        "{\"task\":{\"id\":%lld,\"name\":\"upload\"}}}", (long long)task);
}

static int end_text(char *message, size_t size, int64_t task) {
    return 1 + snprintf(message, size, "{\"method\":\"roost.App.EndTask\",\"parameters\":{\"task\":%lld}}",
        (long long)task);
}

static void tasks(struct wire *wire, int64_t *begins, int64_t first) {
    for (int i = 0; i < calls; i++) {
        char message[256];
        int length = begin_text(message, sizeof message, first + i);
        begins[i] = ask(wire, message, (size_t)length);
        sent = length;
        length = end_text(message, sizeof message, first + i);
        ask(wire, message, (size_t)length);
    }
}

static DBusMessage *call(DBusMessage *message) {
    DBusError error = DBUS_ERROR_INIT;
    DBusMessage *reply = dbus_connection_send_with_reply_and_block(bus, message, 5000, &error);
    dbus_message_unref(message);
    if (!reply) {
        fprintf(stderr, "begin: %s\n", error.message);
        exit(1);
    }
    return reply;
}

static DBusMessage *method(const char *name) {
    return dbus_message_new_method_call(
        "org.freedesktop.ScreenSaver", "/org/freedesktop/ScreenSaver", "org.freedesktop.ScreenSaver", name);
}

static void inhibitions(int64_t *begins) {
    for (int i = 0; i < calls; i++) {
        const char *name = "org.roost.bench.begin", *reason = "upload";
        dbus_uint32_t number = 0;
        int64_t start = now();
        DBusMessage *message = method("Inhibit");
        dbus_message_append_args(
            message, DBUS_TYPE_STRING, &name, DBUS_TYPE_STRING, &reason, DBUS_TYPE_INVALID);
        DBusMessage *reply = call(message);
        dbus_message_get_args(reply, NULL, DBUS_TYPE_UINT32, &number, DBUS_TYPE_INVALID);
        begins[i] = now() - start;
        dbus_message_unref(reply);
        message = method("UnInhibit");
        dbus_message_append_args(message, DBUS_TYPE_UINT32, &number, DBUS_TYPE_INVALID);
        dbus_message_unref(call(message));
    }
}

static int by_size(const void *a, const void *b) {
    int64_t left = *(const int64_t *)a, right = *(const int64_t *)b;
    return (left > right) - (left < right);
}

static long long median(int64_t *values) {
    qsort(values, most, sizeof *values, by_size);
    return values[most / 2];
}

static void measure(void) {
    int64_t task = 1;
    for (int round = 0; round < rounds; round++) {
        for (int block = 0; block < blocks; block++) {
            tasks(&app.requests, samples[0] + block * calls, task);
            tasks(&echo, samples[1] + block * calls, task);
            task += calls;
            inhibitions(samples[2] + block * calls);
        }
        printf("roost=%lld echo=%lld dbus=%lld bytes=%d\n", median(samples[0]), median(samples[1]), median(samples[2]),
            sent);
        fflush(stdout);
    }
    puts("done");
    fflush(stdout);
}

int main(int count, char **arguments) {
    (void)count;
    setenv("DBUS_SESSION_BUS_ADDRESS", setting(arguments[0], "bus"), 1);
    echo.descriptor = connected(setting(arguments[0], "echo"));
    DBusError error = DBUS_ERROR_INIT;
    bus = dbus_bus_get(DBUS_BUS_SESSION, &error);
    if (!bus) {
        fprintf(stderr, "begin: %s\n", error.message);
        return 1;
    }
    dbus_connection_set_exit_on_disconnect(bus, 0);
    enter(&app);
    while (1) {
        char kind[64];
        int callback = next_callback(&app, kind);
        acknowledge(&app, callback, kind, 0);
        if (strcmp(kind, "didBecomeActive") == 0) measure();
    }
}
