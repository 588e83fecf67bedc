import Foundation

/// The app's log: its standard error, or the test's log for an app that a test hosts. Each line is a single `write`, so
/// lines from several threads do not mix.
enum AppLog {
    static func write(_ line: String) {
        if let link = CurrentApp.runner?.session.link { return link.log(line) }
        TestRecorder.shared?.write(.logged(line))
        let bytes = [UInt8]((line + "\n").utf8)
        _ = bytes.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }

    /// Logs why the app cannot run, and exits.
    static func fail(_ line: String, code: Int32) -> Never {
        write("\(ProcessInfo.processInfo.processName): \(line)")
        exit(code)
    }
}
