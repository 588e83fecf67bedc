// A check from outside whether processes are idle.
//
// The check looks at one thread after another. A thread seen asleep may be woken by another that is asleep again when
// the check reaches it. A comparison of two looks detects that, because the kernel counts how often a thread has gone
// to sleep. A thread that is about to sleep already counts as sleeping, but may still continue. Its `syscall` file is
// readable only when the thread has really left the processor.
#define _GNU_SOURCE
#include "croost_testing.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

// Reads the beginning of a thread's file. Returns 0 if the file is gone or not readable.
static int read_file(int tasks, const char *thread, const char *name, char *text, size_t size) {
    char path[64];
    snprintf(path, sizeof path, "%s/%s", thread, name);
    int file = openat(tasks, path, O_RDONLY | O_CLOEXEC);
    if (file < 0) return 0;
    ssize_t count = read(file, text, size - 1);
    close(file);
    text[count < 0 ? 0 : count] = 0;
    return count > 0;
}

static uint64_t field(const char *text, const char *name) {
    const char *found = strstr(text, name);
    return found ? strtoull(found + strlen(name), NULL, 10) : 0;
}

static void look_at_thread(int tasks, const char *thread, struct croost_testing_look *look) {
    char text[4096];
    if (!read_file(tasks, thread, "status", text, sizeof text)) {
        // The thread has just ended, and may have done something before.
        look->busy++;
        return;
    }
    const char *state = strstr(text, "\nState:\t");
    // The main thread of a program that called `dispatchMain()` stays a zombie.
    if (state && (state[8] == 'Z' || state[8] == 'X')) return;
    if (!state || (state[8] != 'S' && state[8] != 'T' && state[8] != 't')) look->busy++;
    look->threads++;
    uint64_t switches = field(text, "\nvoluntary_ctxt_switches:\t") + field(text, "\nnonvoluntary_ctxt_switches:\t");
    uint64_t mixed = strtoull(thread, NULL, 10) * 0x9e3779b97f4a7c15ull + switches;
    look->digest = (look->digest ^ mixed) * 0xff51afd7ed558ccdull;
    if (read_file(tasks, thread, "syscall", text, sizeof text)) {
        if (strncmp(text, "running", 7) == 0) look->busy++;
        long number = strtol(text, NULL, 10);
        if (number == SYS_clock_nanosleep || number == SYS_nanosleep) look->naps++;
    }
}

static void look_at_process(pid_t pid, struct croost_testing_look *look) {
    char path[32], me[16];
    snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
    snprintf(me, sizeof me, "%d", (int)gettid());
    DIR *tasks = opendir(path);
    if (!tasks) return;
    for (struct dirent *entry; (entry = readdir(tasks)) != NULL;) {
        if (entry->d_name[0] == '.' || strcmp(entry->d_name, me) == 0) continue;
        look_at_thread(dirfd(tasks), entry->d_name, look);
    }
    closedir(tasks);
}

// The process group of a process, which is given by its id as text; 0 if the process is gone.
static pid_t group_of(int proc, const char *process) {
    char text[512];
    if (!read_file(proc, process, "stat", text, sizeof text)) return 0;
    // After the name, which may contain anything: state, parent, group.
    const char *end = strrchr(text, ')');
    int parent = 0, group = 0;
    return end && sscanf(end + 1, " %*c %d %d", &parent, &group) == 2 ? group : 0;
}

struct croost_testing_look croost_testing_look_at_each(const pid_t *pids, int count) {
    struct croost_testing_look look = {0};
    for (int index = 0; index < count; index++) look_at_process(pids[index], &look);
    return look;
}

struct croost_testing_look croost_testing_look_at(const pid_t *pids, int count) {
    struct croost_testing_look look = {0};
    pid_t own = getpid();
    int groups = 0;
    for (int index = 0; index < count; index++) {
        if (pids[index] == own) look_at_process(own, &look);
        else groups++;
    }
    if (groups == 0) return look;
    DIR *proc = opendir("/proc");
    if (!proc) return look;
    for (struct dirent *entry; (entry = readdir(proc)) != NULL;) {
        if (entry->d_name[0] < '1' || entry->d_name[0] > '9') continue;
        pid_t group = group_of(dirfd(proc), entry->d_name);
        if (group == 0 || group == own) continue;
        for (int index = 0; index < count; index++) {
            if (pids[index] == group) look_at_process((pid_t)strtol(entry->d_name, NULL, 10), &look);
        }
    }
    closedir(proc);
    return look;
}
