#ifndef CROOSTNOTE_H
#define CROOSTNOTE_H

#include <stdint.h>

#include "croostmake.h"

/// Prepares the process of an app: lines of its log are written when they are complete, and writing to a system that
/// has gone is an error, not a signal. Returns the version of the ELF note that tells an app built on RoostKit, so
/// that whoever links this carries the note.
uint32_t roost_prepare_app(void);

#endif
