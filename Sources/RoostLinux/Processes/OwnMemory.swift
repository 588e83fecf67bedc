internal import CRoost

/// The memory of this process itself.
public enum OwnMemory {
    /// Gives back what holds code and constants, which a start has touched and a wait does not: what is needed again
    /// comes from the page cache. For any thread, at any time.
    public static func releaseCode() { croost_release_code() }
}
