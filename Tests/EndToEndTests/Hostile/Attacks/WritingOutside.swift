extension Attack {
    static let writeBeside = Attack("write beside its container", #"write(home + "/../x")"#)
    static let writeInTemporary = Attack(
        "write in /tmp",
        #"""
        path = "/tmp/roost-hostile-%d" % os.getpid()
        write(path)
        os.unlink(path)
        """#)
    static let writeProgram = Attack("write its own program", "write(__file__)")
}
