#define _GNU_SOURCE
#include "bounds.h"

#include <errno.h>
#include <linux/capability.h>
#include <sched.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SYS_landlock_restrict_self
#define SYS_landlock_restrict_self 446
#endif

// A `0` means the writer. In `tasks` it moves only the writing thread, which is enough because the child has one
// thread. A write to `cgroup.procs` would take a lock that blocks all forks on the machine.
int croost_join_groups(const struct croost_bounds *bounds)
{
    if (bounds == NULL)
        return 0;
    for (int index = 0; index < bounds->group_count; index++)
        if (write(bounds->groups[index], "0", 1) != 1)
            return errno;
    return 0;
}

static int limit(int resource, uint64_t value)
{
    struct rlimit now;
    if (getrlimit((__rlimit_resource_t)resource, &now) != 0)
        return errno;
    // Our own hard limit cannot be exceeded.
    if (now.rlim_max != RLIM_INFINITY && value > now.rlim_max)
        value = now.rlim_max;
    struct rlimit new = { value, value };
    return setrlimit((__rlimit_resource_t)resource, &new) == 0 ? 0 : errno;
}

int croost_set_limits(const struct croost_bounds *bounds)
{
    if (bounds == NULL)
        return 0;
    int error = 0;
    if (bounds->no_core && (error = limit(RLIMIT_CORE, 0)) != 0)
        return error;
    if (bounds->open_files != 0 && (error = limit(RLIMIT_NOFILE, bounds->open_files)) != 0)
        return error;
    if (bounds->file_size != 0 && (error = limit(RLIMIT_FSIZE, bounds->file_size)) != 0)
        return error;
    if (bounds->processes != 0 && (error = limit(RLIMIT_NPROC, bounds->processes)) != 0)
        return error;
    return 0;
}

// Mounts the app's own user database over /etc/passwd and /etc/group, for this process and its children. Does nothing
// without the right to create a mount namespace.
static void bind_entries(const struct croost_bounds *bounds)
{
    if (bounds->passwd == NULL || unshare(CLONE_NEWNS) != 0)
        return;
    // Later mounts of the machine appear here, but ours do not appear there.
    if (mount(NULL, "/", NULL, MS_REC | MS_SLAVE, NULL) != 0)
        return;
    mount(bounds->passwd, "/etc/passwd", NULL, MS_BIND, NULL);
    mount(bounds->group, "/etc/group", NULL, MS_BIND, NULL);
}

// Drops the bounding set, so that no program can regain a capability. `capset` drops the process's own capabilities.
// Without the right to drop the set (EPERM), the process has no capability that a program could regain under
// `no_new_privs`.
static int drop_bounding_set(void)
{
    for (int number = 0; number < 64; number++) {
        int there = prctl(PR_CAPBSET_READ, number, 0, 0, 0);
        if (there < 0)
            return errno == EINVAL && number > 0 ? 0 : errno;
        if (there > 0 && prctl(PR_CAPBSET_DROP, number, 0, 0, 0) != 0)
            return errno == EPERM ? 0 : errno;
    }
    return 0;
}

static int drop_own_capabilities(void)
{
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    struct __user_cap_header_struct header = { _LINUX_CAPABILITY_VERSION_3, 0 };
    struct __user_cap_data_struct none[2];
    memset(none, 0, sizeof none);
    return syscall(SYS_capset, &header, none) == 0 ? 0 : errno;
}

static int change_user(const struct croost_bounds *bounds)
{
    if (syscall(SYS_setgroups, 0, NULL) != 0)
        return errno;
    if (syscall(SYS_setresgid, bounds->gid, bounds->gid, bounds->gid) != 0)
        return errno;
    return syscall(SYS_setresuid, bounds->uid, bounds->uid, bounds->uid) == 0 ? 0 : errno;
}

int croost_confine(const struct croost_bounds *bounds, enum croost_step *step)
{
    int error = 0;
    if (bounds == NULL)
        return 0;
    bind_entries(bounds);
    int shared = bounds->has_user ? 0 : CROOST_SHARED_USER;
    // In its own IPC namespace, an app's System V memory disappears with its last process. Without the namespace, other
    // apps with the same uid could access the memory, so refuse these calls.
    if (bounds->refuse_calls && unshare(CLONE_NEWIPC) != 0 && !bounds->has_user)
        shared |= CROOST_SHARED_IPC;
    *step = CROOST_STEP_CAPABILITIES;
    if (bounds->drop_capabilities && (error = drop_bounding_set()) != 0)
        return error;
    *step = CROOST_STEP_USER;
    if (bounds->has_user && (error = change_user(bounds)) != 0)
        return error;
    *step = CROOST_STEP_CAPABILITIES;
    if (bounds->drop_capabilities && (error = drop_own_capabilities()) != 0)
        return error;
    if (bounds->no_new_privileges && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0)
        return errno;
    *step = CROOST_STEP_LANDLOCK;
    if (bounds->ruleset >= 0 && syscall(SYS_landlock_restrict_self, bounds->ruleset, 0) != 0)
        return errno;
    *step = CROOST_STEP_FILTER;
    return bounds->refuse_calls ? croost_refuse_calls_of_apps(shared) : 0;
}
