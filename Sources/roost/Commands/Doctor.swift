import ArgumentParser

/// Examines the machine.
struct Doctor: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor",
        abstract: "Report what this machine offers Roost, what is missing, and what to do about it.",
        discussion: """
            Starts no app. Creates a cgroup to test whether cgroups work, removes it at once, and changes nothing else. \
            Exits with 1 if there is a problem, with 0 if all is well or there are only warnings.
            """)

    @OptionGroup var state: StateOptions
    @Flag(help: "Print JSON.")
    var json = false

    func run() throws {
        let findings = Examination(state: state).findings
        if json {
            print(try Output.json(findings))
        } else {
            for finding in findings { print(finding.text) }
        }
        if findings.contains(where: { $0.level == .problem }) { throw ExitCode(1) }
    }
}

/// The result of one check.
struct Finding: Encodable {
    enum Level: String, Encodable { case ok, warning, problem }

    /// The subject of the check.
    let about: String
    let level: Level
    /// The result, as a clause.
    let found: String
    /// Advice for the user; nil if nothing needs doing.
    let advice: String?

    static func ok(_ about: String, _ found: String) -> Finding {
        Finding(about: about, level: .ok, found: found, advice: nil)
    }

    static func warning(_ about: String, _ found: String, _ advice: String?) -> Finding {
        Finding(about: about, level: .warning, found: found, advice: advice)
    }

    static func problem(_ about: String, _ found: String, _ advice: String?) -> Finding {
        Finding(about: about, level: .problem, found: found, advice: advice)
    }

    /// The finding as text, such as `ok       kernel          6.8`, with the advice on its own line.
    var text: String {
        let word =
            switch level {
            case .ok: Color.green.paint("ok     ")
            case .warning: Color.yellow.paint("warning")
            case .problem: Color.red.paint("problem")
            }
        let blanks = String(repeating: " ", count: max(1, 18 - about.count))
        return "\(word)  \(about)\(blanks)\(Output.visible(found))"
            + (advice.map { "\n" + String(repeating: " ", count: 27) + $0 } ?? "")
    }
}
