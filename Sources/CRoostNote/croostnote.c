#include "croostnote.h"

#include <signal.h>
#include <stdio.h>

// An ELF note with the owner "Roost" and type 1. The note's description is the version of the protocol between app and
// system. The installer uses it to recognize an executable that is built on RoostKit.
static const struct {
    uint32_t owner_size, description_size, type;
    char owner[8];  // padded to a multiple of four
    uint32_t version;
} roost_note __attribute__((section(".note.roost"), used, aligned(4))) = {6, 4, 1, "Roost", 1};

uint32_t roost_prepare_app(void) {
    setvbuf(stdout, NULL, _IOLBF, BUFSIZ);
    signal(SIGPIPE, SIG_IGN);
    return *(volatile const uint32_t *)&roost_note.version;
}
