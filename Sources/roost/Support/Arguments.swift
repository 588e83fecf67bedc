public import ArgumentParser
public import LifeCycleModel
import LifeCycleSimulation

extension BundleIdentifier: ExpressibleByArgument {
    /// Reads a bundle identifier; nil where it is none.
    public init?(argument: String) { self.init(argument) }
}

extension LaunchReason: ExpressibleByArgument {}

/// An app, named as the command line names it.
struct AppArgument: ParsableArguments {
    @Argument(help: ArgumentHelp("The app's bundle identifier.", valueName: "app"))
    var app: BundleIdentifier
}

/// A range of seeds.
struct Seeds: ExpressibleByArgument {
    let range: ClosedRange<UInt64>

    init?(argument: String) {
        guard let range = ExplorationReport.seeds(from: argument) else { return nil }
        self.range = range
    }

    init(range: ClosedRange<UInt64>) { self.range = range }

    var defaultValueDescription: String { "\(range.lowerBound)...\(range.upperBound)" }
}
