internal import Foundation
package import Testing

extension Trait where Self == ConditionTrait {
    /// For tests against a usual sound server of Linux.
    package static var wherePulseAudioIs: Self {
        .enabled("there is no pulseaudio: scripts/test installs it") {
            ProcessInfo.processInfo.environment["CI"] == "true" || RealPulseAudio.isInstalled
        }
    }
}

/// A real PulseAudio whose sound card is a pipe, from which `cat` records the sound. All users can connect to
/// it. It ends with this object.
///
/// The monitor of a sink would not do: it lacks the beginning of a sound, which replaces silence that was recorded.
package final class RealPulseAudio {
    /// The rate at which it plays and records 16-bit numbers.
    package static let rate = 44_100
    static let isInstalled = ["pulseaudio", "pactl"].allSatisfy {
        FileManager.default.isExecutableFile(atPath: "/usr/bin/" + $0)
    }
    /// The longest wait in seconds. It only ends waits that would never end.
    private static let patience: Double = 180

    /// The address, as in `PULSE_SERVER`.
    package let address: String
    private let home: String
    private let command: [String]
    private var server: pid_t = 0
    private let recorder: pid_t
    /// The pipe, which has room for seconds.
    private let card: Int32
    /// The samples that are recorded so far and are not silence, the bytes that were read for them, and the number of
    /// samples of silence at the end.
    private var heard: (samples: [Int16], bytes: Int, silence: Int) = ([], 0, 0)

    package init(channels: Int = 1) throws {
        home = "/tmp/roost-pulse-\(UInt32.random(in: 0 ... .max))"
        let pipe = home + "/card"
        try #require(mkdir(home, 0o711) == 0 && mkdir(home + "/run", 0o700) == 0 && mkfifo(pipe, 0o600) == 0)
        recorder = try Self.start(["cat", pipe], home, nil, home + "/recording")
        address = "unix:\(home)/native"
        let map = channels == 6 ? "front-left,front-right,front-center,lfe,rear-left,rear-right" : "mono"
        card = open(pipe, O_RDWR | O_NONBLOCK | O_CLOEXEC)
        // F_SETPIPE_SZ, which Swift's Glibc module lacks.
        try #require(card >= 0 && fcntl(card, 1031, 1 << 20) >= 0)
        let sink =
            "module-pipe-sink file=\(pipe) rate=\(Self.rate) channels=\(channels) channel_map=\(map) format=s16le "
            + "use_system_clock_for_timing=yes"
        command = [
            "pulseaudio", "-n", "--daemonize=no", "--use-pid-file=no", "--exit-idle-time=-1", "--realtime=no",
            "--high-priority=no", "-L", sink, "-L",
            "module-native-protocol-unix socket=\(home)/native auth-anonymous=1",
        ]
        try restart()
    }

    /// Starts the server, also after `kill()`.
    package func restart() throws {
        server = try Self.start(command, home, nil, "/dev/null")
        try wait("PulseAudio answers") { try pactl("info") != nil }
    }

    deinit {
        Self.end(recorder)
        close(card)
        kill()
        try? FileManager.default.removeItem(atPath: home)
    }

    package func kill() {
        if server != 0 { Self.end(server) }
        server = 0
    }

    /// Stops the server as if it hung, until `resume()`.
    package func pause() { Glibc.kill(server, SIGSTOP) }

    package func resume() { Glibc.kill(server, SIGCONT) }

    // MARK: Streams

    /// The number of streams that are played; nil if the server does not answer.
    package func streams() throws -> Int? { try count("sink-inputs") }

    package func wait(forStreams wanted: Int) throws {
        try wait("\(wanted) streams are played") { try streams() == wanted }
    }

    // MARK: The recording

    /// The samples so far that are not silence. Those of several channels follow each other.
    package func recording() throws -> [Int16] {
        let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: home + "/recording"))
        defer { try? file.close() }
        try file.seek(toOffset: UInt64(heard.bytes))
        let bytes = [UInt8](try file.readToEnd() ?? Data())
        for place in stride(from: 0, to: bytes.count - 1, by: 2) {
            let sample = Int16(truncatingIfNeeded: Int(bytes[place]) | Int(bytes[place + 1]) << 8)
            heard.silence = sample == 0 ? heard.silence + 1 : 0
            if sample != 0 { heard.samples.append(sample) }
        }
        heard.bytes += bytes.count & ~1
        return heard.samples
    }

    /// Waits for silence, and forgets the samples so far.
    package func forget() throws {
        try wait("there is silence") {
            _ = try recording()
            return heard.silence > Self.rate / 5
        }
        heard.samples = []
    }

    /// Waits until so many samples are recorded that are not silence, and returns all of them.
    package func wait(forSamples count: Int) throws -> [Int16] {
        try wait("\(count) samples are recorded") { try recording().count >= count }
        return heard.samples
    }

    // MARK: Programs

    private func wait(_ what: String, _ isSo: () throws -> Bool) throws {
        let end = Date(timeIntervalSinceNow: Self.patience)
        while try !isSo() {
            try #require(Date() < end, "\(what)")
            poll(nil, 0, 50)
        }
    }

    private func count(_ kind: String) throws -> Int? {
        try pactl("list", "short", kind)?.split(separator: "\n").count
    }

    /// The output of a command; nil if the server does not answer.
    private func pactl(_ arguments: String...) throws -> String? {
        let process = try Self.start(["pactl"] + arguments, home, address, home + "/answer")
        var status: Int32 = 0
        try #require(waitpid(process, &status, 0) == process)
        return status == 0 ? try String(contentsOfFile: home + "/answer", encoding: .utf8) : nil
    }

    /// Starts a program that knows no session and no other server. It inherits nothing from this process: Foundation's
    /// `Process` does not see the end of a program if another one has inherited its descriptors.
    private static func start(
        _ command: [String], _ home: String, _ address: String?, _ output: String
    ) throws -> pid_t {
        let variables =
            [
                "PATH=/usr/bin:/bin", "HOME=\(home)", "XDG_RUNTIME_DIR=\(home)", "PULSE_RUNTIME_PATH=\(home)/run",
                "DBUS_SESSION_BUS_ADDRESS=unix:path=/nonexistent",
            ] + (address.map { ["PULSE_SERVER=\($0)"] } ?? [])
        let arguments = command.map { strdup($0) } + [nil]
        let environment = variables.map { strdup($0) } + [nil]
        defer { for text in arguments + environment { free(text) } }
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output, O_WRONLY | O_CREAT | O_TRUNC, 0o644)
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0)
        var process: pid_t = 0
        let code = posix_spawn(&process, "/usr/bin/" + command[0], &actions, nil, arguments, environment)
        try #require(code == 0, "\(command[0]): \(String(cString: strerror(code)))")
        return process
    }

    /// A child inherits the signals that this thread blocks, so another signal might not end it.
    private static func end(_ process: pid_t) {
        Glibc.kill(process, SIGKILL)
        waitpid(process, nil, 0)
    }
}
