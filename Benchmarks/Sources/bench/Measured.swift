import Foundation

/// A program that runs to its end, and its usage.
enum Measured {
    struct Usage {
        let wall: Double
        /// The processor time of the program, including the kernel's for it.
        let cpu: Double
    }

    static func run(_ path: String, _ arguments: [String]) throws -> Usage {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0)
        posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
        let words = ([path] + arguments).map { strdup($0) }
        defer { for word in words { free(word) } }
        var pid = pid_t()
        let clock = ContinuousClock()
        let start = clock.now
        let code = posix_spawn(&pid, path, &actions, nil, words + [nil], environ)
        guard code == 0 else { throw BenchError("\(path): \(String(cString: strerror(code)))") }
        var status = Int32()
        var used = rusage()
        while wait4(pid, &status, 0, &used) < 0 && errno == EINTR {}
        let time = clock.now - start
        guard status == 0 else { throw BenchError("\(path) has ended with the status \(status)") }
        func seconds(_ time: timeval) -> Double { Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
        return Usage(
            wall: Double(time.components.seconds) + Double(time.components.attoseconds) / 1e18,
            cpu: seconds(used.ru_utime) + seconds(used.ru_stime))
    }
}
