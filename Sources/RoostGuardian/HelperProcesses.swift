internal import CRoost
internal import Glibc
internal import LifeCycleModel

/// Starts, kills and reaps the helpers of all programs.
struct HelperProcesses {
    /// The directory of `roost` and of the helpers' programs, with a slash at its end.
    private let directory: String
    private let tell: (Guardianship.Remark) -> Void
    private var helpers: [HelperProgram: Helpers] = [:]

    /// `program` is the path of `roost`.
    init(beside program: String, tell: @escaping (Guardianship.Remark) -> Void) {
        directory = program.lastIndex(of: "/").map { String(program[...$0]) } ?? ""
        self.tell = tell
    }

    /// Starts a helper, now or when the killed helpers of its program have exited.
    mutating func want(_ program: HelperProgram, _ wanted: Helpers.Wanted) {
        helpers[program, default: Helpers()].want(wanted)
        startDue(program)
    }

    /// Kills a helper that the supervisor no longer wants.
    mutating func end(_ program: HelperProgram, _ number: Int64) {
        guard let ended = helpers[program]?.end(number) else { return }
        if let pid = ended.kill { kill(pid, SIGKILL) }
        if let descriptor = ended.close { close(descriptor) }
    }

    /// Kills all helpers.
    mutating func supervisorEnded() {
        for program in HelperProgram.allCases {
            guard let ended = helpers[program]?.supervisorEnded() else { continue }
            for pid in ended.kill { kill(pid, SIGKILL) }
            for descriptor in ended.close { close(descriptor) }
        }
    }

    /// Records that a process was reaped. Returns whether it was a helper.
    mutating func reaped(_ pid: Int32, _ status: ExitStatus) -> Bool {
        for program in HelperProgram.allCases {
            let isCurrent = helpers[program]?.isCurrent(pid) ?? false
            guard helpers[program]?.reaped(pid) ?? false else { continue }
            if !isCurrent {
                startDue(program)
            } else if status != .exited(code: 0) {
                tell(.helperEnded(program, status))
            }
            return true
        }
        return false
    }

    private mutating func startDue(_ program: HelperProgram) {
        for wanted in helpers[program]?.takeDue() ?? [] {
            var pid: Int32 = 0
            let path = directory + program.rawValue
            let code = environment.withStrings { environment in
                [program.rawValue].withStrings { croost_spawn(path, $0, environment, wanted.descriptor, &pid) }
            }
            // The helper has its own copy by now. If the helper did not start, the supervisor sees the end of the stream.
            close(wanted.descriptor)
            if code == 0 {
                helpers[program]?.started(wanted.number, pid: pid)
            } else {
                tell(.helperDidNotStart(program, path: path, errno: code))
            }
        }
    }

    /// The variables of the guardian's environment that a helper needs. A helper gets no other variables.
    private var environment: [String] {
        let names: [String] = [
            "PATH", "LD_LIBRARY_PATH", "TZ", "RES_OPTIONS", "LOCALDOMAIN", "SSL_CERT_FILE", "SSL_CERT_DIR",
        ]
        // A crash is reported by its signal. A backtrace would take long, and would run another program.
        return names.compactMap { name in getenv(name).map { "\(name)=\(String(cString: $0))" } }
            + ["SWIFT_BACKTRACE=enable=no"]
    }
}

extension [String] {
    /// Calls `body` with the strings as a C array that ends with NULL.
    func withStrings<Result>(_ body: (UnsafePointer<UnsafeMutablePointer<CChar>?>) -> Result) -> Result {
        let words = map { strdup($0) } + [nil]
        defer { for word in words { free(word) } }
        // The array is not empty, so it has an address.
        return words.withUnsafeBufferPointer { body($0.baseAddress!) }
    }
}
