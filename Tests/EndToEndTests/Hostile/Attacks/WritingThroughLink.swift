extension Attack {
    /// The link itself is only a name, and may be made.
    static let writeThroughLink = Attack(
        "write through a link out of its container",
        #"""
        os.symlink(state, home + "/Documents/out")
        write(home + "/Documents/out/x")
        """#)
}
