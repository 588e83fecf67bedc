// The yardstick that is in use today: a service on a message bus. It answers
// `org.freedesktop.ScreenSaver.Inhibit(app, reason)` with a number, and `UnInhibit(number)`. It remembers its grants.
// The bus address is in DBUS_SESSION_BUS_ADDRESS. It runs until it is killed.
#include <dbus/dbus.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char name[] = "org.freedesktop.ScreenSaver";

static struct grant {
    struct grant *next;
    dbus_uint32_t number;
    char text[];
} *grants;

static void grant(dbus_uint32_t number, const char *text) {
    struct grant *entry = malloc(sizeof *entry + strlen(text) + 1);
    if (!entry) abort();
    entry->next = grants;
    entry->number = number;
    strcpy(entry->text, text);
    grants = entry;
}

static void end(dbus_uint32_t number) {
    for (struct grant **at = &grants; *at; at = &(*at)->next) {
        if ((*at)->number != number) continue;
        struct grant *gone = *at;
        *at = gone->next;
        free(gone);
        return;
    }
}

int main(void) {
    DBusError error = DBUS_ERROR_INIT;
    DBusConnection *bus = dbus_bus_get(DBUS_BUS_SESSION, &error);
    if (!bus || dbus_bus_request_name(bus, name, 0, &error) != DBUS_REQUEST_NAME_REPLY_PRIMARY_OWNER) {
        fprintf(stderr, "inhibit: %s\n", error.message ? error.message : "the name is taken");
        return 1;
    }
    dbus_uint32_t last = 0;
    while (dbus_connection_read_write_dispatch(bus, -1)) {
        DBusMessage *call;
        while ((call = dbus_connection_pop_message(bus))) {
            const char *app, *reason;
            dbus_uint32_t number;
            DBusMessage *reply = NULL;
            if (dbus_message_is_method_call(call, name, "Inhibit")
                && dbus_message_get_args(
                    call, NULL, DBUS_TYPE_STRING, &app, DBUS_TYPE_STRING, &reason, DBUS_TYPE_INVALID)) {
                grant(++last, reason);
                reply = dbus_message_new_method_return(call);
                dbus_message_append_args(reply, DBUS_TYPE_UINT32, &last, DBUS_TYPE_INVALID);
            } else if (dbus_message_is_method_call(call, name, "UnInhibit")
                && dbus_message_get_args(call, NULL, DBUS_TYPE_UINT32, &number, DBUS_TYPE_INVALID)) {
                end(number);
                reply = dbus_message_new_method_return(call);
            }
            if (reply) {
                dbus_connection_send(bus, reply, NULL);
                dbus_connection_flush(bus);
                dbus_message_unref(reply);
            }
            dbus_message_unref(call);
        }
    }
    return 0;
}
