#define _GNU_SOURCE
#include "croost.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SYS_landlock_create_ruleset
#define SYS_landlock_create_ruleset 444
#define SYS_landlock_add_rule 445
#endif

// Declared here, because the build headers may be older than the running kernel.
struct ruleset_attributes {
    uint64_t handled_fs, handled_net, scoped;
};
struct path_beneath {
    uint64_t allowed;
    int32_t parent;
} __attribute__((packed));
#define VERSION_FLAG 1u
#define RULE_PATH_BENEATH 1

int croost_landlock_abi(void)
{
    long version = syscall(SYS_landlock_create_ruleset, NULL, 0, VERSION_FLAG);
    return version < 0 ? -errno : (int)version;
}

int croost_landlock_create(uint64_t handled, uint64_t scoped, int *ruleset)
{
    struct ruleset_attributes attributes = { handled, 0, scoped };
    // A kernel that is older than the last fields rejects the longer struct.
    size_t size = scoped != 0 ? sizeof attributes : sizeof attributes.handled_fs;
    long made = syscall(SYS_landlock_create_ruleset, &attributes, size, 0);
    if (made < 0)
        return errno;
    // Stay clear of a child's standard descriptors.
    int moved = fcntl((int)made, F_DUPFD_CLOEXEC, 10);
    int error = errno;
    close((int)made);
    if (moved < 0)
        return error;
    *ruleset = moved;
    return 0;
}

int croost_landlock_allow(int ruleset, const char *path, uint64_t allowed)
{
    int parent = open(path, O_PATH | O_CLOEXEC | O_NOFOLLOW);
    if (parent < 0)
        return errno;
    struct path_beneath rule = { allowed, parent };
    int error = syscall(SYS_landlock_add_rule, ruleset, RULE_PATH_BENEATH, &rule, 0) == 0 ? 0 : errno;
    close(parent);
    return error;
}
