extension Attack {
    /// What every level allows: an app has to be able to live.
    static let writeInContainer = Attack("write in its container", #"write(home + "/Documents/mine")"#)
    static let readSystemFile = Attack("read a file of the machine's", #"read("/etc/passwd")"#)
    static let startProgram = Attack("start a program", #"subprocess.run(["true"], check=True)"#)
}
