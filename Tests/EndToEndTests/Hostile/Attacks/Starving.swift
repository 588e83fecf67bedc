extension Attack {
    /// The kernel decides this by the uid alone.
    static let limitSupervisor = Attack(
        "limit the supervisor", "resource.prlimit(supervisor, resource.RLIMIT_NOFILE)")
    static let slowSupervisor = Attack(
        "slow the supervisor down",
        "os.setpriority(os.PRIO_PROCESS, supervisor, os.getpriority(os.PRIO_PROCESS, supervisor))")
    static let pinSupervisor = Attack(
        "choose the supervisor's processors",
        "os.sched_setaffinity(supervisor, os.sched_getaffinity(supervisor))")
    /// While a lease is held, a process that opens the file waits until the lease is given back. The kernel then sends
    /// the holder SIGIO, which would end the app: the test opens the log, too.
    static let leaseLog = Attack(
        "hold others up by a lease on its log",
        #"""
        import fcntl, signal
        signal.signal(signal.SIGIO, signal.SIG_IGN)
        fcntl.fcntl(1, fcntl.F_SETLEASE, fcntl.F_WRLCK)
        fcntl.fcntl(1, fcntl.F_SETLEASE, fcntl.F_UNLCK)
        """#)
}
