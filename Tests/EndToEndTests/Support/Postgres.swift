import Foundation
import Testing

extension Trait where Self == ConditionTrait {
    /// For the test with a real initdb: skipped without one, except in CI.
    static var wherePostgresIsInstalled: Self {
        .enabled(
            if: ProcessInfo.processInfo.environment["CI"] == "true" || Postgres.initdb != nil,
            "there is no initdb here: apt-get install postgresql")
    }
}

/// PostgreSQL. Debian installs each version into its own directory.
enum Postgres {
    /// The path of initdb; nil if no version is installed.
    static let initdb: String? = {
        let versions = "/usr/lib/postgresql"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: versions)) ?? []
        return (names.sorted().map { "\(versions)/\($0)/bin" } + ["/usr/local/bin", "/usr/bin"])
            .map { $0 + "/initdb" }
            .first { FileManager.default.isExecutableFile(atPath: $0) }
    }()
}
