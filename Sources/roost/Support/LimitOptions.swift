import ArgumentParser
import LifeCycleModel

/// Options for limits that replace those of a file.
struct LimitOptions: ParsableArguments {
    @Option(
        help: ArgumentHelp(
            "The limits of an iOS generation, instead of those the file names: "
                + "\(Policy.presets.map(\.name).joined(separator: ", ")).", valueName: "name"))
    var policy: String?

    @Option(
        name: .customLong("set"),
        help: ArgumentHelp(
            "Change one limit, for example backgroundTime=10s; may be given several times.",
            discussion: "The limits: \(PolicySetting.names.joined(separator: ", ")).", valueName: "limit=value"))
    var settings: [String] = []

    func validate() throws {
        if let policy, Policy.preset(named: policy) == nil {
            throw ValidationError(
                "there is no policy called \"\(policy)\"; there are "
                    + Policy.presets.map(\.name).joined(separator: ", "))
        }
        var tried = Policy.iOS26
        do throws(PolicySetting.Invalid) {
            for setting in settings { try PolicySetting.apply(setting, to: &tried) }
        } catch {
            throw ValidationError(error.description)
        }
    }

    /// The preset from `--policy`; nil without it.
    var namedPolicy: Policy? { policy.flatMap(Policy.preset) }
}
