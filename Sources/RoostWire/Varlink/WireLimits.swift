/// What a message may hold. Whatever exceeds a limit is refused before it is stored.
public enum WireLimits {
    /// The longest message, without its ending NUL, in bytes.
    public static let message = 256 * 1024
    /// The longest reply the command line takes from the system, which it trusts: lists may be long.
    public static let controlReply = 16 * 1024 * 1024
    /// The deepest nesting of arrays and objects in a message.
    public static let depth = 16
    /// The most tasks an app may have open, and so the most in one message.
    public static let tasks = 4096
    /// The longest name of a task, in bytes of UTF-8.
    public static let name = 1024
    /// The longest launch token, in bytes.
    public static let token = 256
    /// The longest path, in bytes, as Linux has it.
    public static let path = 4096
}
