extension Attack {
    static let openFiles = Attack(
        "open 5000 files",
        #"""
        kept = []
        try:
            for _ in range(5000):
                kept.append(os.open("/dev/null", os.O_RDONLY))
        finally:
            for file in kept:
                os.close(file)
        """#)
}
