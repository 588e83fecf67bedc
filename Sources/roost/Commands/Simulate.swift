import ArgumentParser
import Glibc
import LifeCycleModel
import LifeCycleScenario
import ScenarioFiles

/// Runs scenarios on the virtual device.
struct Simulate: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "simulate",
        abstract: "Run scenarios on the virtual device, by the rules of the service, and check what they expect.",
        discussion: """
            A scenario is a YAML file that lists actions of the user, the device and the apps, and the expected results: \
            see docs/scenarios.md. It needs no running system, and time is virtual. Each line of the trace shows the \
            time, the app, the event or its reason, and the row of the rule book.

            Exit codes: 0 all is as expected; 1 a picture cannot be written; 2 a scenario cannot be read, has an \
            impossible step, or an expectation fails: the message begins with the file, the line and the column.
            """)

    @Argument(
        help: ArgumentHelp("The scenarios, YAML files.", valueName: "scenario"), completion: .file(extensions: ["yaml"])
    )
    var scenarios: [String]
    @Option(
        help: ArgumentHelp("Draw the scenarios into this file, for any browser.", valueName: "file.html"),
        completion: .file(extensions: ["html"]))
    var timeline: String?
    @OptionGroup var limits: LimitOptions
    @Flag(name: .shortAndLong, help: "Print only the result of each scenario, not its trace.")
    var quiet = false

    func run() throws {
        var problems = 0
        var pictures: [Timeline.Picture] = []
        for path in scenarios {
            do throws(ScenarioProblem) {
                let scenario = try ScenarioFile.scenario(
                    from: bytes(of: path), policy: limits.namedPolicy, overrides: limits.settings)
                let outcome = ScenarioRun(scenario).run()
                if !quiet { print(Output.table(Trace.rows(outcome.story, of: scenario))) }
                for problem in outcome.problems { complain(problem, path) }
                problems += outcome.problems.count
                pictures.append(Timeline.Picture(scenario, outcome, file: path))
                print(
                    "\(outcome.problems.isEmpty ? "ok    " : "wrong ") \(Output.visible(path)): \(outcome.met) as expected"
                )
            } catch {
                complain(error, path)
                problems += 1
            }
        }
        if let timeline, !pictures.isEmpty { try draw(pictures, into: timeline) }
        if problems > 0 { throw ExitCode(2) }
    }

    private func complain(_ problem: ScenarioProblem, _ path: String) {
        writeError("\(Output.visible(path)):\(problem.place): error: \(problem.message)\n")
    }

    private func draw(_ pictures: [Timeline.Picture], into path: String) throws {
        let file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        defer { if file >= 0 { close(file) } }
        var rest = Array(Timeline.page(pictures).utf8)[...]
        while file >= 0, !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
            if count > 0 { rest = rest.dropFirst(count) } else if errno != EINTR { break }
        }
        guard file >= 0, rest.isEmpty else {
            throw Failure.failed("cannot write \(Output.visible(path)): \(String(cString: strerror(errno)))")
        }
    }

    /// The content of a file up to the size limit, and one more byte if it is larger.
    private func bytes(of path: String) throws(ScenarioProblem) -> [UInt8] {
        func failed() -> ScenarioProblem {
            ScenarioProblem(.start, "cannot read the file: \(String(cString: strerror(errno)))")
        }
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw failed() }
        defer { close(file) }
        var bytes: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while bytes.count <= ScenarioFile.largest {
            let count = read(file, &buffer, buffer.count)
            if count < 0, errno == EINTR { continue }
            guard count >= 0 else { throw failed() }
            if count == 0 { break }
            bytes += buffer[..<count]
        }
        return bytes
    }
}
