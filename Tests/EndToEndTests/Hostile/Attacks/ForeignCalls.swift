extension Attack {
    /// System calls of another architecture have other numbers, which a filter for this architecture would let through.
    static let callAsI386 = Attack(
        "make a system call as i386",
        #"""
        if platform.machine() != "x86_64":
            raise OSError(errno.ENOSYS, "")
        # mov eax, 20 (getpid); int 0x80; cdqe; ret
        code = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
        code.write(b"\xb8\x14\x00\x00\x00\xcd\x80\x48\x98\xc3")
        function = ctypes.CFUNCTYPE(ctypes.c_long)(ctypes.addressof(ctypes.c_char.from_buffer(code)))

        def enter_the_kernel():
            result = function()
            if result < 0:
                raise OSError(-result, "")

        in_child(enter_the_kernel)
        """#)
    static let callAsX32 = Attack(
        "make a system call as x32",
        #"""
        if platform.machine() != "x86_64":
            raise OSError(errno.ENOSYS, "")
        check(libc.syscall(ctypes.c_long(0x40000000 + 39)))
        """#)
}
