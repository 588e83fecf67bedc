import Dispatch
import Foundation

/// A program that does not know that its clock is virtual. Its arguments name ways to wait, each as `way=seconds`. The
/// program reports the end of each wait as `way wall awake`, in milliseconds of the two clocks.
@main
enum ClockTestApp {
    static func main() {
        for argument in CommandLine.arguments.dropFirst() {
            let parts = argument.split(separator: "=")
            guard parts.count == 2, let seconds = Double(parts[1]) else { fatalError("not a way to wait: \(argument)") }
            begin(String(parts[0]), seconds)
        }
        keepAlive(.main)
        say("ready")
        // The main thread enters the main run loop, as in an app.
        RunLoop.main.run()
    }

    private static func begin(_ way: String, _ seconds: Double) {
        switch way {
        case "read": read(Int(seconds))
        case "spawn": spawn(seconds)
        case "busy": keepThePoolBusy(for: seconds)
        default:
            guard beginTimer(way, seconds) || beginTask(way, seconds) || beginThread(way, seconds) else {
                fatalError("no such way to wait: \(way)")
            }
        }
    }
}

/// Gives the run loop something to wait for, because an idle run loop returns at once.
func keepAlive(_ loop: RunLoop) {
    loop.add(Timer(fire: .distantFuture, interval: 0, repeats: false) { _ in }, forMode: .default)
}

/// Writes a line with one `write`, so that lines of several threads do not mix and no buffer delays them.
func say(_ what: String) {
    let wall = Int((Date().timeIntervalSince1970 * 1000).rounded())
    let line = "\(what) \(wall) \(DispatchTime.now().uptimeNanoseconds / 1_000_000)\n"
    FileHandle.standardOutput.write(Data(line.utf8))
}

/// Reads the clocks many times. The clocks must not move meanwhile.
private func read(_ times: Int) {
    let date = Date()
    let continuous = ContinuousClock.now
    let suspending = SuspendingClock.now
    let uptime = ProcessInfo.processInfo.systemUptime
    let stands = (0..<times).allSatisfy { _ in
        Date() == date && ContinuousClock.now == continuous && SuspendingClock.now == suspending
            && ProcessInfo.processInfo.systemUptime == uptime
    }
    say("read:\(stands ? "stands" : "moves")")
}

/// Starts another program under the same clock.
private func spawn(_ seconds: Double) {
    let child = Process()
    child.executableURL = URL(fileURLWithPath: "/bin/sleep")
    child.arguments = ["\(Int(seconds))"]
    child.terminationHandler = { child in say("ended:\(child.terminationStatus)") }
    do { try child.run() } catch { fatalError("\(error)") }
    say("child:\(child.processIdentifier)")
}

/// Blocks more threads of the pool than there are processors. Later work runs only because Dispatch detects this and
/// adds threads.
private func keepThePoolBusy(for seconds: Double) {
    for _ in 0..<ProcessInfo.processInfo.activeProcessorCount + 1 {
        // App: waiting is what it does.
        DispatchQueue.global().async { Thread.sleep(forTimeInterval: seconds) }
    }
    DispatchQueue.global().async { say("busy") }
}
