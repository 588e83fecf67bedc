import CRoost
import Glibc
import RoostCarrier
import RoostPorts

/// `roost-carry` runs transfers for the supervisor, over the stream at descriptor 3. If run by hand, it does nothing.
signal(SIGPIPE, SIG_IGN)
var kind: Int32 = 0
var size = socklen_t(MemoryLayout<Int32>.size)
guard getsockopt(3, SOL_SOCKET, SO_DOMAIN, &kind, &size) == 0, kind == AF_UNIX else {
    let said = Array(
        "roost-carry: this program downloads files for `roost up`, which starts it; do not run it by hand\n".utf8)
    write(2, said, said.count)
    exit(64)
}
// The limit of memory counts the whole stack of each thread.
croost_set_stack_size(512 << 10)
// The parent may have left more descriptors open.
croost_close_from(4)
// By default, glibc would return the memory of each request to the kernel, and get it back for the next.
croost_retain_memory(16 << 20)
CarrierBody(taking: 3).run()
