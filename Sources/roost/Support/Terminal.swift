import CRoost
import Glibc
import RoostLinux
import Synchronization

/// The user's terminal. While this program uses the terminal, keys arrive one by one without echo. The terminal is
/// always restored, except after SIGKILL.
final class Terminal {
    /// The original modes, for restoring.
    private var saved: termios
    private let undo: String
    private let enter: String
    private var isTaken = false

    /// Whether input and output are a terminal that can do more than print.
    static var isThere: Bool {
        isatty(STDIN_FILENO) == 1 && isatty(STDOUT_FILENO) == 1
            && !["", "dumb"].contains(LinuxProcesses.ownEnvironment["TERM"] ?? "")
    }

    /// Takes over the terminal; nil on failure. With the alternate screen, the previous content returns later.
    init?(alternateScreen: Bool) {
        saved = termios()
        guard tcgetattr(STDIN_FILENO, &saved) == 0 else { return nil }
        // The cursor is hidden while the screen is redrawn.
        enter = (alternateScreen ? "\u{1B}[?1049h" : "") + "\u{1B}[?25l"
        undo = "\u{1B}[0m\u{1B}[?25h" + (alternateScreen ? "\u{1B}[?1049l" : "\r\u{1B}[J")
        CrashGuard.arm(saved, undo)
        take()
    }

    deinit {
        giveBack()
        CrashGuard.disarm()
    }

    /// Takes over the terminal, at first or after `giveBack`.
    func take() {
        var raw = saved
        // Ctrl-C and Ctrl-Z remain signals, and line feeds still end lines.
        raw.c_lflag &= ~tcflag_t(ICANON | ECHO)
        withUnsafeMutableBytes(of: &raw.c_cc) { controls in
            controls[Int(VMIN)] = 1
            controls[Int(VTIME)] = 0
        }
        set(raw)
        write(enter)
        isTaken = true
    }

    /// Restores the terminal.
    func giveBack() {
        guard isTaken else { return }
        isTaken = false
        write(undo)
        set(saved)
    }

    private func set(_ modes: termios) {
        var modes = modes
        // From the background, this call stops the process unless SIGTTOU is blocked.
        var signals = sigset_t()
        var before = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGTTOU)
        pthread_sigmask(SIG_BLOCK, &signals, &before)
        while tcsetattr(STDIN_FILENO, TCSADRAIN, &modes) != 0, errno == EINTR {}
        pthread_sigmask(SIG_SETMASK, &before, nil)
    }

    /// The current size; 80 columns and 24 rows if the size is unknown.
    static var size: (columns: Int, rows: Int) {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return (80, 24)
        }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// The bytes typed so far; nil once the terminal is gone.
    func typed() -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 1024)
        let count = read(STDIN_FILENO, &buffer, buffer.count)
        if count < 0, errno == EINTR || errno == EAGAIN { return [] }
        return count > 0 ? Array(buffer[..<count]) : nil
    }

    func write(_ text: String) { writeOutput(text) }
}

/// Writes to standard output, unbuffered. If the reader has gone, the text is dropped without an error.
func writeOutput(_ text: String) {
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
        let count = rest.withUnsafeBytes { Glibc.write(STDOUT_FILENO, $0.baseAddress, $0.count) }
        if count < 0, errno == EAGAIN {
            var wait = pollfd(fd: STDOUT_FILENO, events: Int16(POLLOUT), revents: 0)
            poll(&wait, 1, -1)
            continue
        }
        guard count > 0 || errno == EINTR else { return }
        rest = rest.dropFirst(max(0, count))
    }
}

/// Restores the terminal if the program crashes. A signal handler may only set modes and write, with data that was
/// prepared in memory.
private enum CrashGuard {
    private struct Plan {
        var modes: termios
        let undo: UnsafeMutablePointer<CChar>
        let length: Int
    }

    /// The address of the plan; 0 while no terminal is taken over.
    private static let plan = Atomic<UInt>(0)
    private static let signals = [SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV, SIGQUIT]

    static func arm(_ modes: termios, _ undo: String) {
        disarm()
        let new = UnsafeMutablePointer<Plan>.allocate(capacity: 1)
        new.initialize(to: Plan(modes: modes, undo: strdup(undo), length: undo.utf8.count))
        plan.store(UInt(bitPattern: new), ordering: .releasing)
        for number in signals {
            var action = sigaction()
            action.__sigaction_handler.sa_handler = { CrashGuard.giveBack($0) }
            // Only once: the raised signal then ends the program by default.
            action.sa_flags = Int32(bitPattern: UInt32(SA_RESETHAND))
            sigaction(number, &action, nil)
        }
    }

    static func disarm() {
        for number in signals where plan.load(ordering: .acquiring) != 0 { signal(number, SIG_DFL) }
        release(plan.exchange(0, ordering: .acquiringAndReleasing))
    }

    private static func release(_ address: UInt) {
        guard let old = UnsafeMutablePointer<Plan>(bitPattern: address) else { return }
        free(old.pointee.undo)
        old.deallocate()
    }

    private static func giveBack(_ number: Int32) {
        if let plan = UnsafeMutablePointer<Plan>(bitPattern: plan.load(ordering: .acquiring)) {
            write(STDOUT_FILENO, plan.pointee.undo, plan.pointee.length)
            tcsetattr(STDIN_FILENO, TCSANOW, &plan.pointee.modes)
        }
        raise(number)
    }
}
