extension LinuxProcesses {
    /// STUB
    public func isAppProcess(pid: Int32) -> Bool? { false }
}
