import CRoost
import Glibc

/// `roost-gps` reads positions from gpsd for the supervisor, over the stream at descriptor 3. If run by hand, it does
/// nothing.
signal(SIGPIPE, SIG_IGN)
var kind: Int32 = 0
var size = socklen_t(MemoryLayout<Int32>.size)
guard getsockopt(3, SOL_SOCKET, SO_DOMAIN, &kind, &size) == 0, kind == AF_UNIX else {
    let said = Array(
        "roost-gps: this program reads positions for `roost up`, which starts it; do not run it by hand\n".utf8)
    write(2, said, said.count)
    exit(64)
}
// The parent may have left more descriptors open.
croost_close_from(4)
var receiver = Receiver(over: 3)
receiver.run()
