import Foundation
import Testing

extension Trait where Self == ConditionTrait {
    /// For tests with a real database: skipped without one, except in CI.
    static var whereRedisIsInstalled: Self {
        .enabled(
            if: ProcessInfo.processInfo.environment["CI"] == "true" || Redis.isInstalled,
            "there is no redis-server here: apt-get install redis-server")
    }
}

/// redis-server as an adopted app. The server's data is in its container, and is written on SIGTERM.
enum Redis {
    static let server = "/usr/bin/redis-server"
    static let client = "/usr/bin/redis-cli"
    static let isInstalled = [server, client].allSatisfy { FileManager.default.isExecutableFile(atPath: $0) }

    /// The text of the app's executable.
    static let script = """
        #!/bin/sh
        exec \(server) --port 0 --unixsocket "$HOME/redis.sock" --dir "$HOME" --save "3600 1" --appendonly no
        """
}
