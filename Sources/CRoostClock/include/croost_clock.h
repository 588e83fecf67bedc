// This header declares nothing. The library is preloaded (LD_PRELOAD) into a process whose time a test moves, and
// replaces functions of libc there. The test's side is in `croost_clock_page.h`.
#ifndef CROOST_CLOCK_H
#define CROOST_CLOCK_H
#endif
