/// The program's version, as reported by `--version` and `org.varlink.service`.
public enum RoostVersion {
    /// Three numbers, by semantic versioning.
    public static let current = "0.1.0"
}
