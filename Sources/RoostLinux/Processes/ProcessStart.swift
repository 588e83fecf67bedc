internal import CRoost
internal import Glibc
internal import RoostPorts

/// Starts the process of a launch.
struct ProcessStart {
    let specification: LaunchSpecification
    /// A descriptor that the process gets as number 3; nil for none.
    var passed: Int32?
    /// The process's soft limit of open files; nil for our own limit.
    var openFiles: UInt64?
    /// Whether the process becomes a child of our parent, the guardian, which then reaps it.
    var isSibling = false
    /// The process's resource limits and sandbox.
    var bounds: Bounds

    /// Starts the process in the cgroup with the open directory `cgroup`; nil for no cgroup. The caller closes the
    /// returned pidfd.
    func run(cgroup: Int32?) throws(SystemError) -> croost_started {
        try check()
        let log = try LogFile(path: specification.logFile).open()
        defer { close(log) }
        let arguments = CStrings([specification.executable] + specification.arguments)
        let environment = CStrings(specification.environment)
        var started = croost_started()
        var failed = CROOST_STEP_NONE
        let code = specification.executable.withCString { executable in
            specification.workingDirectory.withCString { directory in
                bounds.withValue { bounds in
                    var launch = croost_launch(
                        executable: executable, arguments: arguments.pointer, environment: environment.pointer,
                        directory: directory, log: log, cgroup: cgroup ?? -1, passed: passed ?? -1,
                        open_files: openFiles ?? 0, sibling: isSibling ? 1 : 0, bounds: bounds)
                    return withExtendedLifetime((arguments, environment)) { croost_start(&launch, &started, &failed) }
                }
            }
        }
        guard code == 0 else { throw error(code, failed) }
        return started
    }

    /// Throws for invalid strings. A NUL would silently cut a C string short.
    private func check() throws(SystemError) {
        let texts = [specification.executable, specification.workingDirectory, specification.logFile]
        for text in texts + specification.arguments + specification.environment where text.utf8.contains(0) {
            throw SystemError(
                doing: "start an app", subject: specification.executable, errno: EINVAL,
                reason: "an argument, a path or an environment entry holds a NUL byte: \(text.debugDescription)")
        }
        guard specification.executable.hasPrefix("/") else {
            throw SystemError(
                doing: "start an app", subject: specification.executable, errno: EINVAL,
                reason: "its executable is not an absolute path")
        }
    }

    private func error(_ code: Int32, _ step: croost_step) -> SystemError {
        let executable = specification.executable
        switch step {
        case CROOST_STEP_EXECUTE: return executeError(code)
        case CROOST_STEP_DIRECTORY:
            return SystemError(
                doing: "enter the app's directory", subject: specification.workingDirectory, errno: code)
        case CROOST_STEP_CGROUP, CROOST_STEP_CLONE:
            let advice: String? =
                switch code {
                case EAGAIN, ENOMEM: "too many processes (ulimit -u, pids.max) or too little memory: end some"
                case EACCES:
                    "cannot move it from our cgroup into its own: start `roost up` in a cgroup of the same user, or name one in ROOST_CGROUP"
                default: nil
                }
            return SystemError(doing: "create the app's process", subject: executable, errno: code, advice: advice)
        case CROOST_STEP_GROUPS, CROOST_STEP_LIMITS, CROOST_STEP_CAPABILITIES, CROOST_STEP_USER, CROOST_STEP_LANDLOCK,
            CROOST_STEP_FILTER:
            return SystemError(doing: Self.confining(step), subject: executable, errno: code)
        case CROOST_STEP_TIMEOUT:
            return SystemError(
                doing: "start an app", subject: executable, errno: code,
                advice: "its process did not start within 5 s; is the cgroup above it frozen? (roost thaw --all)")
        default:
            let advice = code == EMFILE || code == ENFILE ? "raise the limit of open files (ulimit -n)" : nil
            return SystemError(doing: "prepare the app's process", subject: executable, errno: code, advice: advice)
        }
    }

    private static func confining(_ step: croost_step) -> String {
        switch step {
        case CROOST_STEP_GROUPS: "move an app into its cgroups"
        case CROOST_STEP_LIMITS: "set the resource limits of an app"
        case CROOST_STEP_USER: "set the uid of an app"
        case CROOST_STEP_LANDLOCK: "apply Landlock to an app"
        case CROOST_STEP_FILTER: "install the system call filter of an app"
        default: "drop an app's privileges"
        }
    }

    private func executeError(_ code: Int32) -> SystemError {
        let advice: String? =
            switch code {
            case ENOENT where access(specification.executable, F_OK) == 0:
                "the file is there, but not the interpreter or loader it names: was it built for this system?"
            case ENOENT: "the app's bundle lacks it: install the app again"
            case EACCES: "it is not executable, or its file system is mounted noexec: run chmod +x, or check the mount"
            case ENOEXEC: "it is not a program for this machine, or is a script without a #! line"
            default: nil
            }
        return SystemError(
            doing: "run the app's executable", subject: specification.executable, errno: code, advice: advice)
    }
}

/// An array of C strings that ends with NULL, freed with the object.
private final class CStrings {
    private let strings: UnsafeMutableBufferPointer<UnsafeMutablePointer<CChar>?>

    init(_ texts: [String]) {
        strings = .allocate(capacity: texts.count + 1)
        strings.initialize(repeating: nil)
        for (index, text) in texts.enumerated() { strings[index] = strdup(text) }
    }

    deinit {
        for string in strings { free(string) }
        strings.deallocate()
    }

    var pointer: UnsafePointer<UnsafeMutablePointer<CChar>?>? { UnsafePointer(strings.baseAddress) }
}
