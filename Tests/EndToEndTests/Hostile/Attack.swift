import Glibc
import Testing

/// One thing a hostile app tries: a function's body in Python, which raises where the app is stopped.
struct Attack: Sendable {
    /// What is tried: a row of the table in `docs/security.md`, and the name the app prints the outcome by.
    let name: String
    let program: String

    init(_ name: String, _ program: String) {
        self.name = name
        self.program = program
    }
}

/// A level of the sandbox, and the user the system runs as: a column of the table.
enum Situation: Int, CaseIterable, CustomTestStringConvertible {
    case uids
    case landlock
    case landlockOfUser
    case none
    case noneOfUser

    var heading: String {
        switch self {
        case .uids: "`uids`"
        case .landlock: "`landlock`, root"
        case .landlockOfUser: "`landlock`, user"
        case .none: "`none`, root"
        case .noneOfUser: "`none`, user"
        }
    }

    var testDescription: String { heading }

    var setUp: SetUp {
        switch self {
        case .landlockOfUser, .noneOfUser: .ordinaryUser
        case .uids, .landlock, .none: .asFound
        }
    }

    var level: String {
        switch self {
        case .uids: "uids"
        case .landlock, .landlockOfUser: "landlock"
        case .none, .noneOfUser: "none"
        }
    }

    /// Why it cannot be had here; nil if it can.
    var obstacle: String? {
        if let obstacle = setUp.obstacle { return obstacle }
        if geteuid() != 0 { return "the other columns take root" }
        return access(HostileApp.interpreter, X_OK) == 0 ? nil : "there is no \(HostileApp.interpreter)"
    }
}
