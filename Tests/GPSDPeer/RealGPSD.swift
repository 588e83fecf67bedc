internal import CRoost
internal import Foundation
internal import RoostLinux
internal import Synchronization
package import Testing

extension Trait where Self == ConditionTrait {
    /// For tests against the usual source of positions on Linux.
    package static var whereGPSDIs: Self {
        .enabled("there is no gpsd: scripts/test installs it") {
            ProcessInfo.processInfo.environment["CI"] == "true" || RealGPSD.program != nil
        }
    }
}

/// A real gpsd with a receiver at a terminal's other end. It ends with this object.
package final class RealGPSD {
    static let program = ["/usr/sbin/gpsd", "/usr/bin/gpsd", "/usr/local/sbin/gpsd"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    package let port: UInt16
    private let process = Process()
    /// The receiver's end of the terminal, and gpsd's.
    private let terminal: Int32
    private let device: Int32
    private let receiver: Receiver

    package init() throws {
        terminal = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK)
        // TIOCSPTLCK and TIOCGPTN, which Swift's Glibc module lacks.
        var (lock, number): (Int32, UInt32) = (0, 0)
        try #require(ioctl(terminal, 0x4004_5431, &lock) == 0 && ioctl(terminal, 0x8004_5430, &number) == 0)
        let path = "/dev/pts/\(number)"
        receiver = Receiver(terminal)
        device = open(path, O_RDWR | O_NOCTTY | O_CLOEXEC)
        // gpsd gives up root's rights before it opens the device.
        try #require(device >= 0 && chmod(path, 0o666) == 0)
        var setting = termios()
        tcgetattr(device, &setting)
        cfmakeraw(&setting)
        tcsetattr(device, TCSANOW, &setting)
        port = try Self.freePort()
        process.executableURL = URL(fileURLWithPath: try #require(Self.program))
        process.arguments = ["-N", "-S", "\(port)", path]
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        try waitUntilItListens()
    }

    deinit {
        // A child inherits the signals that this thread blocks, so another signal might not end it.
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
        receiver.end()
        close(device)
        close(terminal)
    }

    /// The receiver reports a position ten times a second from now on: 48° and these minutes to the north, 11° 31' to the
    /// east.
    package func report(minutes: String = "07.038") { receiver.report(minutes) }

    /// Whether a process has a TCP connection to gpsd.
    package func hasClient() throws -> Bool {
        let established = "01"
        let connections = try #require(Files.text("/proc/net/tcp"))
        return connections.split(separator: "\n").contains { line in
            let fields = line.split(separator: " ")
            return fields[2].hasSuffix(String(format: ":%04X", Int(port))) && fields[3] == established
        }
    }

    /// Waits until a process is connected to gpsd, or none is.
    package func wait(untilItHasAClient isWanted: Bool, at location: SourceLocation = #_sourceLocation) throws {
        let end = croost_monotonic() + Self.patience * 1_000_000_000
        while try hasClient() != isWanted {
            try #require(croost_monotonic() < end, "gpsd has a client: not \(isWanted)", sourceLocation: location)
            // The kernel reports no event when another process connects.
            poll(nil, 0, 10)
        }
    }

    /// A port that was free a moment ago. It is outside the range from which the kernel takes the ports of clients: no
    /// connection of another test can get it before gpsd has it.
    private static func freePort() throws -> UInt16 {
        for _ in 0..<1000 {
            let port = UInt16.random(in: 10_000..<30_000)
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(descriptor) }
            if call(bind, descriptor, port) == 0 { return port }
        }
        throw NoPort()
    }

    private struct NoPort: Error {}

    private static func call(
        _ function: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Int32, _ descriptor: Int32, _ port: UInt16
    ) -> Int32 {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                function(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
    }

    /// The longest wait in seconds. Long enough for a slow machine, so it only ends waits that would never end.
    private static let patience: Int64 = 180

    private func waitUntilItListens() throws {
        let end = croost_monotonic() + Self.patience * 1_000_000_000
        while true {
            let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
            defer { close(descriptor) }
            if Self.call(connect, descriptor, port) == 0 { return }
            try #require(process.isRunning && croost_monotonic() < end, "gpsd does not listen")
            poll(nil, 0, 10)
        }
    }
}

/// A receiver at a terminal, whose reports are a second apart by its own clock.
private final class Receiver: Sendable {
    private let terminal: Int32
    /// The minutes to the north; nil while the receiver says nothing.
    private let minutes = Mutex<String?>(nil)
    private let isOver = DispatchSemaphore(value: 0)

    init(_ terminal: Int32) { self.terminal = terminal }

    func report(_ new: String) {
        let isFirst = minutes.withLock { minutes in
            defer { minutes = new }
            return minutes == nil
        }
        if isFirst { Thread { self.run() }.start() }
    }

    private func run() {
        var second = 0
        while let minutes = minutes.withLock({ $0 }) {
            second += 1
            let text = Self.sentences(minutes, second)
            write(terminal, text, text.utf8.count)
            poll(nil, 0, 100)
        }
        isOver.signal()
    }

    /// Afterwards nothing is written to the terminal.
    func end() {
        let isRunning = minutes.withLock { minutes in
            defer { minutes = nil }
            return minutes != nil
        }
        if isRunning { isOver.wait() }
    }

    private static func sentences(_ minutes: String, _ second: Int) -> String {
        let time = String(format: "12%02d%02d.00", second / 60 % 60, second % 60)
        let lines = [
            "GPGGA,\(time),48\(minutes),N,01131.000,E,1,08,0.9,545.4,M,46.9,M,,",
            "GPGSA,A,3,04,05,,09,12,,,24,,,,,2.5,1.3,2.1",
            "GPRMC,\(time),A,48\(minutes),N,01131.000,E,022.4,084.4,230325,,",
        ]
        return lines.map { "$\($0)*\(String(format: "%02X", $0.utf8.reduce(0, ^)))\r\n" }.joined()
    }
}
