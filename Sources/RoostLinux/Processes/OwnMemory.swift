internal import CRoost

/// The memory of this process.
public enum OwnMemory {
    /// Releases pages of code and constants that startup used and an idle process does not need. Pages that are needed
    /// again come from the page cache. May be called on any thread, at any time.
    public static func releaseCode() { croost_release_code() }
}
