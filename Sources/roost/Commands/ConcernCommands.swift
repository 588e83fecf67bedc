import ArgumentParser

/// The user interface of a concern.
protocol CommandsOfConcern: SendableMetatype {
    /// The commands of `roost`.
    static var commands: [any ParsableCommand.Type] { get }
    /// The keys of `roost run`.
    static var runKeys: [RunKey] { get }
}

/// The commands of all concerns. Background fetch has no commands, because `roost wake` triggers it.
enum ConcernCommands {
    static let all: [any CommandsOfConcern.Type] = [
        TransferCommands.self,
        NotificationCommands.self,
        LocationCommands.self,
        AudioCommands.self,
        VoIPCommands.self,
    ]
}

enum TransferCommands: CommandsOfConcern {
    static let commands: [any ParsableCommand.Type] = [Transfers.self]
    static let runKeys: [RunKey] = []
}

enum NotificationCommands: CommandsOfConcern {
    static let commands: [any ParsableCommand.Type] = [Push.self, Notifications.self]
    static let runKeys: [RunKey] = [.notification]
}

enum LocationCommands: CommandsOfConcern {
    static let commands: [any ParsableCommand.Type] = [Location.self]
    static let runKeys: [RunKey] = []
}

enum AudioCommands: CommandsOfConcern {
    static let commands: [any ParsableCommand.Type] = [Audio.self]
    static let runKeys: [RunKey] = []
}

/// VoIP pushes are sent by `Push`.
enum VoIPCommands: CommandsOfConcern {
    static let commands: [any ParsableCommand.Type] = [Call.self]
    static let runKeys: [RunKey] = []
}
