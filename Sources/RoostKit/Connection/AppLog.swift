import Foundation

/// The app's log is its standard error; that of an app a test hosts is the test's. A line is one `write`, so that lines
/// of several threads do not mix.
enum AppLog {
    static func write(_ line: String) {
        if let link = CurrentApp.runner?.session.link { return link.log(line) }
        TestRecorder.shared?.write(.logged(line))
        let bytes = [UInt8]((line + "\n").utf8)
        _ = bytes.withUnsafeBytes { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }

    /// Says why the app cannot run, and ends it.
    static func fail(_ line: String, code: Int32) -> Never {
        write("\(ProcessInfo.processInfo.processName): \(line)")
        exit(code)
    }
}
