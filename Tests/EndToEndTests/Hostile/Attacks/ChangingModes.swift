extension Attack {
    static let openUpCookie = Attack("make the control socket's cookie readable", "os.chmod(cookie, 0o644)")
    static let closePerson = Attack("take a person's file away from them", "os.chmod(person, 0)")
    static let makeSetUser = Attack(
        "make a set-uid program",
        #"""
        path = home + "/Documents/with-a-bit"
        write(path)
        file = os.open(path, os.O_RDONLY)
        os.fchmod(file, 0o4755)
        """#)
}
