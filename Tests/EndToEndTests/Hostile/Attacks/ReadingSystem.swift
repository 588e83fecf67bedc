extension Attack {
    static let readStore = Attack("read the store", #"read(state + "/store.db")"#)
    static let readLog = Attack("read its log", #"read(state + "/logs/org.roost.test.Hostile.log")"#)
    static let readCookie = Attack("read the control socket's cookie", "read(cookie)")
}
