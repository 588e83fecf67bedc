/// The number of an installed app. The system counts it up from 1 and never gives it twice.
public struct AppID: Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
    /// The number itself.
    public let rawValue: Int32

    /// Wraps a number that the store has assigned.
    public init(_ rawValue: Int32) { self.rawValue = rawValue }

    /// In the order of the numbers.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    /// The number with its kind, for logs and reports.
    public var description: String { "app \(rawValue)" }
}

/// The id of a launch. A message with the id of an earlier launch is late.
public struct LaunchID: Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
    /// The app that is launched.
    public let app: AppID
    /// The number among the app's launches. It counts up from 1 and is never given twice, not even after a restart of
    /// the system.
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

/// A callback of a launch, counted up from 1. The app acknowledges the callback by this number.
public struct CallbackID: Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
    /// The number itself; 0 means no callback yet.
    public let rawValue: Int32

    /// Wraps a callback's number.
    public init(_ rawValue: Int32) { self.rawValue = rawValue }

    /// The value of an app that has not finished a callback yet.
    public static let none = CallbackID(0)

    /// The callback after this one.
    public var next: CallbackID { CallbackID(rawValue &+ 1) }

    /// In the order of the numbers.
    public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }

    /// `#number`, for logs and reports.
    public var description: String { "#\(rawValue)" }
}

/// A finite-length task of a launch: the raw value of its `UIBackgroundTaskIdentifier`, from 1.
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
