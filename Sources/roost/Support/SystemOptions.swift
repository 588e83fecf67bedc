import ArgumentParser
import LifeCycleModel
import Logging
import RoostLinux
import RoostRuntime

/// The options of `roost up`, which it passes on to the supervisor.
struct SystemOptions: ParsableArguments {
    @OptionGroup var state: StateOptions

    @Option(
        help: ArgumentHelp(
            "The limits of an iOS generation: \(Policy.presets.map(\.name).joined(separator: ", ")).", valueName: "name"
        ), completion: .list(Policy.presets.map(\.name)))
    var policy = Policy.iOS26.name

    @Option(
        name: .customLong("set"),
        help: ArgumentHelp(
            "Change one limit, for example backgroundTime=10s; may be given several times.",
            discussion: "The limits: \(PolicySetting.names.joined(separator: ", ")).", valueName: "limit=value"))
    var settings: [String] = []

    @Option(
        help: ArgumentHelp(
            "The level at which apps are isolated from each other and from your files: "
                + Sandbox.Request.allCases.map(\.rawValue).joined(separator: ", ") + ".",
            discussion: "auto picks the strongest available level; naming a level fails if it is unavailable.",
            valueName: "level"), completion: .list(Sandbox.Request.allCases.map(\.rawValue)),
        transform: Self.sandbox)
    var sandbox = Sandbox.Request.auto

    @Flag(name: .shortAndLong, help: "Log the ends of connections as well.")
    var verbose = false

    func validate() throws { _ = try chosenPolicy() }

    func chosenPolicy() throws -> Policy {
        guard var chosen = Policy.preset(named: policy) else {
            throw ValidationError(
                "there is no policy called \"\(policy)\"; there are "
                    + Policy.presets.map(\.name).joined(separator: ", "))
        }
        do throws(PolicySetting.Invalid) {
            for setting in settings { try PolicySetting.apply(setting, to: &chosen) }
            try PolicySetting.check(chosen)
        } catch {
            throw ValidationError(error.description)
        }
        return chosen
    }

    /// For `roost supervise`, which runs with the same options.
    var arguments: [String] {
        ["--state=\(state.path)", "--policy=\(policy)"] + settings.map { "--set=\($0)" }
            + ["--sandbox=\(sandbox.rawValue)"]
            + (verbose ? ["--verbose"] : [])
    }

    private static func sandbox(_ name: String) throws -> Sandbox.Request {
        guard let request = Sandbox.Request(rawValue: name) else {
            throw ValidationError(
                "there is no sandbox called \"\(name)\"; there are "
                    + Sandbox.Request.allCases.map(\.rawValue).joined(separator: ", "))
        }
        return request
    }

    /// A logger to standard error.
    var logger: Logger {
        var logger = Logger(label: "roost", factory: { VisibleLog(StreamLogHandler.standardError(label: $0)) })
        logger.logLevel = verbose ? .debug : .info
        return logger
    }
}
