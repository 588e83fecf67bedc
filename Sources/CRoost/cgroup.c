#include "croost.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Reads a cgroupfs file, or its beginning, as a string. Returns its length, or -1 with errno.
static ssize_t text(int descriptor, char *buffer, size_t size)
{
    ssize_t length = pread(descriptor, buffer, size - 1, 0);
    buffer[length < 0 ? 0 : length] = 0;
    return length;
}

// Matches whole lines only: `strstr` alone would also find `unfrozen 1`.
static int has_line(const char *text, const char *line)
{
    for (const char *found = text; (found = strstr(found, line)); found++)
        if ((found == text || found[-1] == '\n') && found[strlen(line)] == '\n')
            return 1;
    return 0;
}

int croost_cgroup_events(int descriptor)
{
    char buffer[256];
    if (text(descriptor, buffer, sizeof buffer) < 0)
        return -1;
    return (has_line(buffer, "populated 1") ? CROOST_POPULATED : 0) | (has_line(buffer, "frozen 1") ? CROOST_FROZEN : 0);
}

int croost_cgroup_lists(int descriptor, int32_t pid)
{
    char buffer[64];
    if (text(descriptor, buffer, sizeof buffer) < 0)
        return 0;
    // Ignore the text after the last line end: the text may be only a part of a number.
    for (char *line = buffer, *end; (end = strchr(line, '\n')); line = end + 1)
        if (strtol(line, NULL, 10) == pid)
            return 1;
    return 0;
}

int croost_cgroup_freeze(const struct croost_freezer *freezer, int looks, int64_t pause)
{
    while (pwrite(freezer->freeze, "1", 1, 0) != 1)
        if (errno != EINTR)
            return -1;
    for (;;) {
        int now = croost_cgroup_events(freezer->events);
        if (now < 0)
            return -1;
        if (now & CROOST_FROZEN)
            return now | (croost_pidfd_is_in(freezer->first, freezer->id) ? CROOST_HAS_FIRST : 0);
        if (looks-- == 0)
            return now;
        croost_wait_for(freezer->events, POLLPRI, pause);
    }
}
