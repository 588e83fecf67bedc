import Glibc
import Testing

/// One attack of the hostile app: the body of a Python function, which raises if the attack is stopped.
struct Attack: Sendable {
    /// The name of a row of the table in `docs/security.md`; the app prints the outcome with it.
    let name: String
    let program: String

    init(_ name: String, _ program: String) {
        self.name = name
        self.program = program
    }
}

/// A level of the sandbox, and the user that the system runs as: a column of the table.
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

    /// The reason why this machine cannot offer the situation; nil if it can.
    var obstacle: String? {
        if let obstacle = setUp.obstacle { return obstacle }
        if geteuid() != 0 { return "the other columns take root" }
        return access(HostileApp.interpreter, X_OK) == 0 ? nil : "there is no \(HostileApp.interpreter)"
    }
}
