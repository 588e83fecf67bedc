extension Attack {
    static let fork = Attack(
        "have 1500 processes",
        #"""
        children = []
        gate, end = os.pipe()
        try:
            for _ in range(1500):
                child = os.fork()
                if child == 0:
                    os.close(end)
                    os.read(gate, 1)
                    os._exit(0)
                children.append(child)
        finally:
            os.close(end)
            for child in children:
                os.waitpid(child, 0)
        """#)
}
