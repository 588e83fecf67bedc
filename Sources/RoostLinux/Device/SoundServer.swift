internal import Glibc

/// The sound server that apps use: PulseAudio, or PipeWire with pipewire-pulse. Any thread.
public struct SoundServer: Hashable, Sendable {
    /// The variable with the server's address, for the system and for apps.
    public static let variable = "PULSE_SERVER"

    /// The server's address, in PulseAudio's form.
    public let address: String
    /// Whether the user has named it.
    public let isChosen: Bool

    /// The server of an environment: that of `PULSE_SERVER`, or the session's server if its socket exists. Nil if there
    /// is none.
    public init?(environment: [String: String]) {
        if let chosen = environment[Self.variable], !chosen.isEmpty {
            (address, isChosen) = (chosen, true)
            return
        }
        guard let runtime = environment["XDG_RUNTIME_DIR"], runtime.hasPrefix("/") else { return nil }
        let socket = runtime + "/pulse/native"
        var status = stat()
        guard stat(socket, &status) == 0, status.st_mode & S_IFMT == S_IFSOCK else { return nil }
        (address, isChosen) = ("unix:" + socket, false)
    }

    /// The path of the server's Unix socket; nil if the address is of another kind.
    public var path: String? {
        let path = address.hasPrefix("unix:") ? String(address.dropFirst(5)) : address
        return path.hasPrefix("/") ? path : nil
    }
}
