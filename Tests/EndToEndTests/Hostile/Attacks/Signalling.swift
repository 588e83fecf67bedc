extension Attack {
    static let signalApp = Attack("signal another app", "os.kill(other, 0)")
    static let signalSupervisor = Attack("signal the supervisor", "os.kill(supervisor, 0)")
}
