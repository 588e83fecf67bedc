extension Attack {
    static let mount = Attack(
        "mount",
        #"""
        place = (home + "/Library").encode()
        check(libc.mount(b"none", place, b"tmpfs", 0, None))
        check(libc.umount(place))
        """#)
    static let copyMount = Attack("copy a mount", #"os.close(call("open_tree", -100, b"/usr", 1))"#)
}
