import ArgumentParser
import Glibc
import LifeCycleModel
import RoostWire

/// Sends a remote notification to an app.
struct Push: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "push",
        abstract: "Send an app a remote notification, as its provider does.",
        discussion: """
            The payload is checked as Apple's service checks it: a JSON object of at most 4096 bytes, whose "aps" the system \
            reads. "content-available": 1 wakes an app that declares remote-notification in UIBackgroundModes and has \
            registered. Silent pushes wake an app three times an hour; the newest push beyond that is held back. A push with an \
            alert, a badge or a sound is displayed, unless its app is in the foreground. "roost notifications" lists it.
            """)

    @OptionGroup var state: StateOptions
    @OptionGroup var app: AppArgument
    @Option(help: ArgumentHelp("The file with the payload; - for the standard input.", valueName: "file"))
    var payload: String

    @OptionGroup var output: OutputOptions

    func run() throws {
        let notification: RemoteNotification
        do {
            notification = try RemoteNotification(payload: try read())
        } catch let fault as PayloadFault {
            throw Failure.failed("cannot send the payload in \(source): \(fault)")
        }
        try output.print(ControlClient(to: state).decisions(.notification(.push(app.app, notification))))
    }

    private var source: String { payload == "-" ? "the standard input" : Output.visible(payload) }

    private var unreadable: ExitCode {
        Failure.failed("cannot read the payload in \(source): \(String(cString: strerror(errno)))")
    }

    /// The payload's bytes. Reading ends at 1 MiB, because a payload of that size is always too large.
    private func read() throws -> [UInt8] {
        let file = payload == "-" ? STDIN_FILENO : open(payload, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw unreadable }
        defer { if payload != "-" { close(file) } }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 64 << 10)
        while bytes.count < 1 << 20 {
            let count = Glibc.read(file, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw unreadable }
            if count == 0 { break }
            bytes += chunk[..<count]
        }
        return bytes
    }
}
