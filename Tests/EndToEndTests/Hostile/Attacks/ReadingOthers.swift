extension Attack {
    static let readContainer = Attack("read another container", #"read(victim + "/Documents/secret")"#)
    static let listContainers = Attack("list the containers", #"os.listdir(state + "/containers")"#)
    static let readPerson = Attack("read a person's file", "read(person)")
}
