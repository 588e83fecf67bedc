extension Attack {
    /// If the attack succeeds, the app moves back: the next attacks have to come from within the cgroup.
    static let moveToCgroup = Attack(
        "move to another cgroup",
        #"""
        with open("/proc/self/cgroup") as file:
            own = [line[3:].strip() for line in file if line.startswith("0::")]
        enter(cgroup)
        enter(cgroups + own[0])
        """#)
    static let bornInCgroup = Attack("be born in another cgroup", "born_in(cgroup, lambda: None)")
}
