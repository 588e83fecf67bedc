extension Attack {
    /// Every level allows this, because an app needs it.
    static let writeInContainer = Attack("write in its container", #"write(home + "/Documents/mine")"#)
    static let readSystemFile = Attack("read a file of the machine's", #"read("/etc/passwd")"#)
    static let learnItsName = Attack(
        "learn its own user's name",
        #"""
        import grp, pwd
        if not pwd.getpwuid(os.getuid()).pw_name or not grp.getgrgid(os.getgid()).gr_name:
            raise OSError(errno.ENOENT, "")
        subprocess.run(["whoami"], check=True, stdout=subprocess.DEVNULL)
        """#)
    static let startProgram = Attack("start a program", #"subprocess.run(["true"], check=True)"#)
}
