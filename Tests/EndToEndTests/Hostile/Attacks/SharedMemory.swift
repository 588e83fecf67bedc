extension Attack {
    /// A segment that any user of the machine may attach.
    static let attachMemory = Attack(
        "attach another's shared memory",
        #"""
        libc.shmat.restype = ctypes.c_ssize_t
        libc.shmdt(ctypes.c_void_p(check(libc.shmat(segment, None, 0))))
        """#)
    static let leaveMemory = Attack(
        "make shared memory that outlives it",
        #"""
        segment = check(libc.shmget(0, ctypes.c_size_t(4096), 0o1600))
        check(libc.shmctl(segment, 0, None))
        """#)
}
