import ArgumentParser
import Glibc
import LifeCycleModel
import RoostWire

/// Sends a remote notification or a VoIP push to an app.
struct Push: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "push",
        abstract: "Send an app a remote notification or a VoIP push, as its provider does.",
        discussion: """
            The payload is checked as Apple's service checks it: a JSON object of at most 4096 bytes, whose "aps" the system \
            reads. "content-available": 1 wakes an app that declares remote-notification in UIBackgroundModes and has \
            registered. Silent pushes wake an app three times an hour; the newest push beyond that is held back. A push with an \
            alert, a badge or a sound is displayed, unless its app is in the foreground. "roost notifications" lists it.

            With --type voip the payload is any JSON object of at most 5120 bytes. The push wakes or launches an app \
            that declares voip in UIBackgroundModes and has registered by PKPushRegistry, also after a force quit. The \
            app has to report an incoming call by CXProvider; otherwise it is killed. See "roost call".
            """)

    /// The framework that the push is for.
    enum PushType: String, CaseIterable, ExpressibleByArgument { case notification, voip }

    @OptionGroup var state: StateOptions
    @OptionGroup var app: AppArgument
    @Argument(help: ArgumentHelp("The file with the payload; - for the standard input.", valueName: "file"))
    var file: String?
    @Option(help: ArgumentHelp("The file with the payload, instead of the argument.", valueName: "file"))
    var payload: String?
    @Option(
        help: ArgumentHelp(
            "notification: an alert or a background push, as its payload says; voip: a push for PushKit.",
            valueName: "type"))
    var type = PushType.notification

    @OptionGroup var output: OutputOptions

    func validate() throws {
        guard (file == nil) != (payload == nil) else {
            throw ValidationError("name the file with the payload once: as an argument or by --payload")
        }
    }

    func run() throws {
        let bytes = try read()
        let call: ControlCall
        do throws(PayloadFault) {
            switch type {
            case .notification: call = .notification(.push(app.app, try RemoteNotification(payload: bytes)))
            case .voip: call = .voip(.pushVoIP(app.app, payload: try VoIPPush.payload(bytes)))
            }
        } catch {
            throw Failure.failed("cannot send the payload in \(source): \(error)")
        }
        try output.print(ControlClient(to: state).decisions(call))
    }

    private var path: String { file ?? payload ?? "-" }

    private var source: String { path == "-" ? "the standard input" : Output.visible(path) }

    private var unreadable: ExitCode {
        Failure.failed("cannot read the payload in \(source): \(String(cString: strerror(errno)))")
    }

    /// The payload's bytes. Reading ends at 1 MiB, because a payload of that size is always too large.
    private func read() throws -> [UInt8] {
        let file = path == "-" ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw unreadable }
        defer { if path != "-" { close(file) } }
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
