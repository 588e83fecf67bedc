import CRoost
import Glibc
import RoostCarrier
import RoostPorts

/// `roost-carry` carries transfers for the supervisor, over the stream at descriptor 3. It does nothing if run by hand.
signal(SIGPIPE, SIG_IGN)
var kind: Int32 = 0
var size = socklen_t(MemoryLayout<Int32>.size)
guard getsockopt(3, SOL_SOCKET, SO_DOMAIN, &kind, &size) == 0, kind == AF_UNIX else {
    let said = Array(
        "roost-carry: this program downloads files for `roost up`, which starts it; do not run it by hand\n".utf8)
    write(2, said, said.count)
    exit(64)
}
// The parent may have left more descriptors open.
croost_close_from(4)
CarrierBody(taking: 3).run()
