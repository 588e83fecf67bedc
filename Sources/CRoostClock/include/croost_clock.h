// Nothing here is called: the library is preloaded (LD_PRELOAD) into a process whose time a test moves, and stands in
// front of libc's functions there. The test's side is in `croost_clock_page.h`.
#ifndef CROOST_CLOCK_H
#define CROOST_CLOCK_H
#endif
