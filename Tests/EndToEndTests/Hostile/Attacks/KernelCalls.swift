extension Attack {
    /// Parts of the kernel that hardly any app needs, and that have had many flaws.
    static let useRing = Attack(
        "use io_uring", #"os.close(call("io_uring_setup", 1, ctypes.create_string_buffer(120)))"#)
    static let useKeys = Attack(
        "keep a key in the kernel", #"call("add_key", b"user", b"roost-hostile", b"x", ctypes.c_size_t(1), -2)"#)
    static let useBPF = Attack(
        "load a table for BPF",
        #"os.close(call("bpf", 0, struct.pack("5I", 2, 4, 4, 1, 0) + bytes(100), 120))"#)
    static let usePerformanceEvents = Attack(
        "watch performance events",
        #"""
        attributes = ctypes.create_string_buffer(struct.pack("2IQ", 1, 128, 0) + bytes(112), 128)
        os.close(call("perf_event_open", attributes, 0, -1, -1, 0))
        """#)
    static let useFaults = Attack("serve its own page faults", #"os.close(call("userfaultfd", 0))"#)
    static let readKernelLog = Attack(
        "read the kernel's log", #"call("syslog", 3, ctypes.create_string_buffer(16), 16)"#)
}
