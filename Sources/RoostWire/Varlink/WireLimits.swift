/// Limits for messages. Anything beyond a limit is rejected before it is stored.
public enum WireLimits {
    /// The longest message in bytes, without its terminating NUL.
    public static let message = 256 * 1024
    /// The longest reply in bytes that the command line accepts from the system. The system is trusted, and lists may
    /// be long.
    public static let controlReply = 16 * 1024 * 1024
    /// The deepest nesting of arrays and objects in a message.
    public static let depth = 16
    /// The most open tasks of an app, and so the most in one message.
    public static let tasks = 4096
    /// The longest name of a task, in bytes of UTF-8.
    public static let name = 1024
    /// The longest launch token, in bytes.
    public static let token = 256
    /// The longest path in bytes, as on Linux.
    public static let path = 4096
}
