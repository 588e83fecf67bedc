/// An installed app, as the system numbers it: counted up from 1 and never given twice.
public struct AppID: Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
    /// The number itself.
    public let rawValue: Int32

    /// Wraps a number the store has given out.
    public init(_ rawValue: Int32) { self.rawValue = rawValue }

    /// In the order of the numbers.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    /// The number with its kind, for logs and reports.
    public var description: String { "app \(rawValue)" }
}

/// One launch of one app: late messages of an earlier launch are recognised by it.
public struct LaunchID: Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
    /// Whose launch it is.
    public let app: AppID
    /// The app's launches, counted up from 1 and never given twice, not even over a restart of the system.
    public let number: Int32

    /// The `number`th launch of `app`.
    public init(app: AppID, number: Int32) {
        self.app = app
        self.number = number
    }

    /// In the order of the numbers.
    public static func < (left: Self, right: Self) -> Bool {
        (left.app, left.number) < (right.app, right.number)
    }

    /// `app.launch`, for logs and reports.
    public var description: String { "\(app.rawValue).\(number)" }
}

/// One callback of one launch, counted up from 1. The app acknowledges it by this number.
public struct CallbackID: Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
    /// The number itself; 0 is "none yet".
    public let rawValue: Int32

    /// Wraps a callback's number.
    public init(_ rawValue: Int32) { self.rawValue = rawValue }

    /// What an app that has finished no callback yet reports.
    public static let none = CallbackID(0)

    /// The callback after this one.
    public var next: CallbackID { CallbackID(rawValue &+ 1) }

    /// In the order of the numbers.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    /// `#number`, for logs and reports.
    public var description: String { "#\(rawValue)" }
}

/// A finite-length task of one launch: the raw value of its `UIBackgroundTaskIdentifier`, from 1.
public struct TaskID: Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
    /// The number itself; 0 is `UIBackgroundTaskIdentifier.invalid`.
    public let rawValue: Int64

    /// Wraps a task's number.
    public init(_ rawValue: Int64) { self.rawValue = rawValue }

    /// In the order of the numbers.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    /// The number with its kind, for logs and reports.
    public var description: String { "task \(rawValue)" }
}
