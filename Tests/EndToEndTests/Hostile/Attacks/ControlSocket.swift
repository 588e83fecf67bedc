extension Attack {
    static let useControlSocket = Attack("use the control socket", "command_the_system()")
}
