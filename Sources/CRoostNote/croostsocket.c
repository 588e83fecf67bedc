#define _GNU_SOURCE
#include "croostsocket.h"

#include <sys/prctl.h>
#include <sys/socket.h>

void roost_let_peer_take_descriptors(int connection) {
    struct ucred peer;
    socklen_t size = sizeof peer;
    // The pid is 0 if the peer is in another pid namespace. The kernel would take 0 for no process.
    if (getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && peer.pid > 0)
        prctl(PR_SET_PTRACER, (unsigned long)peer.pid, 0, 0, 0);
}
