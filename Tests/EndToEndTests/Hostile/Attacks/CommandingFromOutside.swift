extension Attack {
    /// In another cgroup and another session, the system does not recognize the process as an app's.
    static let commandFromOutside = Attack(
        "command the system from another cgroup",
        #"""
        def command():
            os.setsid()
            command_the_system()

        def leave_and_command():
            enter(cgroup)
            command()

        try:
            born_in(cgroup, command)
        except OSError:
            in_child(leave_and_command)
        """#)
    /// If no cgroup shows which app a process belongs to, the session does.
    static let commandFromSession = Attack(
        "command the system from another session",
        #"""
        def leave_and_command():
            os.setsid()
            command_the_system()

        in_child(leave_and_command)
        """#)
}
