import Foundation
import Testing

extension Trait where Self == ConditionTrait {
    /// For tests with a real database: left out where there is none, except in CI.
    static var whereRedisIsInstalled: Self {
        .enabled(
            if: ProcessInfo.processInfo.environment["CI"] == "true" || Redis.isInstalled,
            "there is no redis-server here: apt-get install redis-server")
    }
}

/// redis-server as an adopted app: it keeps its data in its container, and writes it there when it gets SIGTERM.
enum Redis {
    static let server = "/usr/bin/redis-server"
    static let client = "/usr/bin/redis-cli"
    static let isInstalled = [server, client].allSatisfy { FileManager.default.isExecutableFile(atPath: $0) }

    /// What the app's executable is.
    static let script = """
        #!/bin/sh
        exec \(server) --port 0 --unixsocket "$HOME/redis.sock" --dir "$HOME" --save "3600 1" --appendonly no
        """
}
