#define _GNU_SOURCE
#include "croost.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/vfs.h>
#include <time.h>

int croost_reserve(int file, int64_t offset, int64_t length)
{
    return fallocate(file, FALLOC_FL_KEEP_SIZE, offset, length) == 0 ? 0 : errno;
}

int croost_is_in_memory(int file)
{
    struct statfs status;
    return fstatfs(file, &status) == 0 && (status.f_type == TMPFS_MAGIC || status.f_type == RAMFS_MAGIC);
}

int croost_http_date(const char *text, int64_t *seconds)
{
    static const char *const forms[] = {
        "%a, %d %b %Y %H:%M:%S GMT", "%A, %d-%b-%y %H:%M:%S GMT", "%a %b %e %H:%M:%S %Y",
    };
    for (unsigned index = 0; index < sizeof forms / sizeof *forms; index++) {
        struct tm parts = { 0 };
        const char *rest = strptime(text, forms[index], &parts);
        if (rest && !*rest) {
            *seconds = timegm(&parts);
            return 0;
        }
    }
    return EINVAL;
}
