import ArgumentParser

/// Shows all of it.
struct Demo: ParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Show all of it.")
    func run() throws {}
}
