extension Attack {
    static let becomeRoot = Attack(
        "become root",
        #"""
        if os.geteuid() == 0:
            raise OSError(errno.EALREADY, "")
        os.setuid(0)
        """#)
}
