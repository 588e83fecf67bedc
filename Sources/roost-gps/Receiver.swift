import CRoost
import Glibc
import LifeCycleModel
import RoostGPS
import RoostGPSD
import RoostHelpers
import RoostPorts

/// Passes positions from gpsd to the supervisor until one of the two has gone.
struct Receiver: ~Copyable {
    private var channel: HelperChannel
    private let gpsd: Int32
    private var lines = LineSplitter()
    private var pace = Pace()

    /// Switches gpsd's reports on; gpsd itself then switches its devices on.
    private static let watch = Array("?WATCH={\"enable\":true,\"json\":true};\n".utf8)

    /// Takes the settings from the supervisor, connects, and gives up all rights. Ends the process if a step fails.
    init(over descriptor: Int32) {
        channel = HelperChannel(taking: descriptor, longest: GPSSettings.longest)
        do throws(SystemError) {
            let settings = try Self.settings(from: &channel)
            try Confinement.dropRights(user: settings.user)
            gpsd = try GPSDConnection(host: settings.host, port: settings.port).open(
                supervisor: channel.descriptor, farewell: { GPSWord.gaveUp("\($0)").frame })
            try Confinement.closeRest()
        } catch {
            Self.giveUp("\(error)", over: &channel)
        }
    }

    private static func settings(from channel: inout HelperChannel) throws(SystemError) -> GPSSettings {
        while true {
            do throws(Malformed) {
                if let bytes = try channel.next() { return try GPSSettings(bytes) }
            } catch {
                throw invalid
            }
            var entry = pollfd(fd: channel.descriptor, events: Int16(POLLIN), revents: 0)
            poll(&entry, 1, -1)
            if channel.receive() == .hungUp { _exit(0) }
        }
    }

    private static var invalid: SystemError {
        SystemError(doing: "read the settings", subject: "roost-gps", errno: EBADMSG, reason: "they are invalid")
    }

    /// The supervisor reports the reason, so the exit code is not an error for the guardian.
    private static func giveUp(_ reason: String, over channel: inout HelperChannel) -> Never {
        channel.send(GPSWord.gaveUp(reason).frame)
        _exit(0)
    }

    /// Runs until the supervisor or gpsd has gone.
    mutating func run() -> Never {
        guard send(gpsd, Self.watch, Self.watch.count, Int32(MSG_NOSIGNAL)) == Self.watch.count else {
            giveUp("cannot write to gpsd: \(String(cString: strerror(errno)))")
        }
        while true {
            sleep()
            receiveOrders()
            let now = Nanoseconds(croost_monotonic())
            if pace.mayRead(at: now) { read(at: now) }
            pass(at: now)
        }
    }

    private mutating func giveUp(_ reason: String) -> Never { Self.giveUp(reason, over: &channel) }

    private func sleep() {
        let now = Nanoseconds(croost_monotonic())
        let events = channel.isSendingLate ? POLLIN | POLLOUT : POLLIN
        var waited = [pollfd(fd: channel.descriptor, events: Int16(events), revents: 0)]
        if pace.mayRead(at: now) { waited.append(pollfd(fd: gpsd, events: Int16(POLLIN), revents: 0)) }
        var milliseconds: Int32 = -1
        // While the supervisor does not read, the newest position waits for it.
        if !channel.isSendingLate, let deadline = pace.nextDeadline(at: now) {
            milliseconds = Int32(clamping: (max(.zero, deadline - now).rawValue + 999_999) / 1_000_000)
        }
        poll(&waited, nfds_t(waited.count), milliseconds)
    }

    private mutating func receiveOrders() {
        channel.flush()
        if channel.receive() == .hungUp { _exit(0) }
        // After the settings, the supervisor sends nothing.
        do throws(Malformed) {
            if try channel.next() != nil { throw Malformed() }
        } catch {
            giveUp("roost-gps received an invalid order")
        }
    }

    private mutating func read(at now: Nanoseconds) {
        withUnsafeTemporaryAllocation(byteCount: LineSplitter.longest, alignment: 16) { buffer in
            let count = recv(gpsd, buffer.baseAddress, buffer.count, Int32(MSG_DONTWAIT))
            if count > 0 {
                pace.read(count, at: now)
                lines.add(UnsafeRawBufferPointer(rebasing: buffer[..<count])) { line in
                    if let position = TPVReport.position(in: line) { pace.add(position) }
                }
            } else if count == 0 {
                giveUp("gpsd closed the connection")
            } else if errno != EAGAIN, errno != EINTR {
                giveUp("the connection to gpsd broke: \(String(cString: strerror(errno)))")
            }
        }
    }

    private mutating func pass(at now: Nanoseconds) {
        guard !channel.isSendingLate, let position = pace.takeDue(at: now) else { return }
        channel.send(GPSWord.position(position).frame)
    }
}
