extension Attack {
    static let traceApp = Attack("trace another app", "check(libc.ptrace(16, other, 0, 0))")
    static let readEnvironment = Attack(
        "read the supervisor's environment", #"read("/proc/%d/environ" % supervisor)"#)
    static let writeMemory = Attack(
        "write to the supervisor's memory", #"open("/proc/%d/mem" % supervisor, "r+b").close()"#)
    static let takeDescriptor = Attack(
        "take a descriptor of the supervisor's",
        #"""
        process = call("pidfd_open", supervisor, 0)
        os.close(call("pidfd_getfd", process, 0, 0))
        """#)
}
