public import LifeCycleModel

/// The arguments of `roost-guardian`, which `roost up` makes from its own.
public struct GuardianOrders: Hashable, Sendable {
    /// The name of the guardian's program, and the first word of its command line.
    public static let programName = "roost-guardian"

    /// The path of `roost`. After an upgrade, the new program is at this path.
    public var program: String
    /// A descriptor of the program that `roost up` was. It is executed if none can be executed at `program`.
    public var image: Int32
    /// The arguments of a supervisor, including its name. The supervisor finds its connection at descriptor
    /// `Guardian.supervisorsDescriptor`.
    public var supervisor: [String]
    /// The arguments, including the name, of the command that ends suspended apps and thaws the others (`roost
    /// release`). `--system=ID` follows if a supervisor has reported the system's id.
    public var release: [String]
    /// How long the system may be without a working supervisor.
    public var absence: Nanoseconds
    /// How long one iteration of the supervisor's event loop may take, and how long the supervisor may be stopped.
    public var hang: Nanoseconds
    /// How long the supervisor may take to shut the system down.
    public var shutdown: Nanoseconds
    /// Whether details are logged.
    public var isVerbose: Bool

    /// Made by `roost up`.
    public init(
        program: String, image: Int32, supervisor: [String], release: [String], absence: Nanoseconds,
        hang: Nanoseconds, shutdown: Nanoseconds, isVerbose: Bool
    ) {
        (self.program, self.image, self.supervisor, self.release) = (program, image, supervisor, release)
        (self.absence, self.hang, self.shutdown, self.isVerbose) = (absence, hang, shutdown, isVerbose)
    }

    /// The words, without the name of `roost-guardian`.
    public var words: [String] {
        let numbers = [Int64(image), absence.rawValue, hang.rawValue, shutdown.rawValue, isVerbose ? 1 : 0]
        return [program] + numbers.map(String.init) + [String(supervisor.count)] + supervisor + release
    }

    /// Reads the words. Nil if they are not those of `roost up`.
    public init?(words: [String]) {
        guard words.count > 7, let image = Int32(words[1]), let absence = Int64(words[2]), let hang = Int64(words[3]),
            let shutdown = Int64(words[4]), let isVerbose = ["0": false, "1": true][words[5]],
            let count = Int(words[6]), (1..<(words.count - 7)).contains(count)
        else { return nil }
        self.init(
            program: words[0], image: image, supervisor: Array(words[7..<(7 + count)]),
            release: Array(words[(7 + count)...]), absence: Nanoseconds(absence), hang: Nanoseconds(hang),
            shutdown: Nanoseconds(shutdown), isVerbose: isVerbose)
    }
}
