#define _GNU_SOURCE
#include "croost.h"

#include <link.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

// Releases only segments that are mapped from a file and never written. Relocations are in writable segments and would
// be lost.
static int release_segments(struct dl_phdr_info *object, size_t size, void *page_size)
{
    (void)size;
    uintptr_t mask = *(uintptr_t *)page_size - 1;
    for (int i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        if (segment->p_type != PT_LOAD || segment->p_flags & PF_W)
            continue;
        uintptr_t begin = (object->dlpi_addr + segment->p_vaddr) & ~mask;
        uintptr_t end = object->dlpi_addr + segment->p_vaddr + segment->p_filesz;
        // The last page may be shared with a writable segment.
        end &= ~mask;
        // For the vDSO, which has no file, madvise fails, and its pages stay.
        if (begin < end)
            madvise((void *)begin, end - begin, MADV_DONTNEED);
    }
    return 0;
}

void croost_release_code(void)
{
    uintptr_t page_size = (uintptr_t)sysconf(_SC_PAGESIZE);
    dl_iterate_phdr(release_segments, &page_size);
}
