#ifndef CROOSTSOCKET_H
#define CROOSTSOCKET_H

/// Lets the process at the other end of a connected Unix socket take descriptors of this process by `pidfd_getfd`. Yama's
/// `ptrace_scope` 1 permits that only to ancestors and to a process that was named by PR_SET_PTRACER. Without Yama this
/// has no effect.
void roost_let_peer_take_descriptors(int connection);

#endif
