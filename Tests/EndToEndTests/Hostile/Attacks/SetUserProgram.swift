extension Attack {
    /// The test puts the program there while this runs; the attacker has nothing better to do than to look.
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
