#ifndef CROOSTNOTE_H
#define CROOSTNOTE_H

#include <stdint.h>

#include "croostmake.h"
#include "croostsocket.h"

/// Prepares an app's process. Standard output becomes line-buffered, and a write to a system that has gone returns an
/// error instead of raising SIGPIPE. Returns the version in the ELF note that marks an app built on RoostKit. So every
/// caller links the note into its executable.
uint32_t roost_prepare_app(void);

#endif
