/// The program's version, as `--version` and `org.varlink.service` tell it.
public enum RoostVersion {
    /// Three numbers, by semantic versioning.
    public static let current = "0.1.0"
}
