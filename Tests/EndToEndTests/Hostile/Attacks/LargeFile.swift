extension Attack {
    static let makeLargeFile = Attack(
        "make a file of 5 GiB",
        #"""
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        with open(home + "/tmp/large", "wb") as file:
            file.truncate(5 << 30)
        os.unlink(home + "/tmp/large")
        """#)
}
