extension Attack {
    /// A user namespace gives all capabilities in it, and thus access to most of the kernel.
    static let unshareUser = Attack("make a user namespace", "in_child(lambda: check(libc.unshare(0x10000000)))")
    static let cloneUser = Attack(
        "be born in a user namespace",
        #"""
        child = call("clone", 0x10000000 | signal.SIGCHLD, 0, 0, 0, 0)
        if child == 0:
            os._exit(0)
        wait(child)
        """#)
    static let programUnshares = Attack(
        "have a program make one",
        #"""
        said = subprocess.run(["unshare", "--user", "true"], capture_output=True, text=True)
        if "not permitted" in said.stderr:
            raise OSError(errno.EPERM, "")
        if said.returncode != 0:
            raise Ended(said.stderr)
        """#)
    static let joinNamespace = Attack(
        "join a namespace",
        #"""
        with open("/proc/self/ns/uts") as namespace:
            in_child(lambda: check(libc.setns(namespace.fileno(), 0)))
        """#)
}
