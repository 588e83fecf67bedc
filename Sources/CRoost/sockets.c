#define _GNU_SOURCE
#include "croost.h"

#include <sys/socket.h>

int croost_accept(int listening) { return accept4(listening, 0, 0, SOCK_NONBLOCK | SOCK_CLOEXEC); }
