extension Attack {
    /// The test puts the program there meanwhile; the attacker waits for it.
    static let runSetUser = Attack(
        "run a set-uid program",
        #"""
        program = home + "/Documents/set-uid"
        while not os.path.exists(program):
            time.sleep(0.01)
        said = subprocess.run([program, "-u"], capture_output=True, text=True).stdout.strip()
        if said == str(os.getuid()):
            raise OSError(errno.EPERM, "")
        """#)
}
