extension Attack {
    static let raiseLimits = Attack(
        "raise its limits",
        #"""
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (4096, 4096))
        except ValueError:
            raise OSError(errno.EPERM, "")
        """#)
}
