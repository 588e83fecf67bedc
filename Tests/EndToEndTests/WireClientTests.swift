import Foundation
import Glibc
import LifeCycleModel
import RoostWire
import Testing

extension EndToEnd {
    /// The client in `docs/wire.md`, run exactly as the document shows it.
    @Suite struct WireClientTests {
        /// The variable by which the client finds the state directory.
        enum Variable: String, CaseIterable, CustomTestStringConvertible {
            case state = "ROOST_STATE"
            case stateHome = "XDG_STATE_HOME"
            case home = "HOME"

            var testDescription: String { rawValue }

            /// The client's environment, in which nothing else leads to the system's state directory.
            func environment(in system: TestSystem) throws -> [String: String] {
                let place = system.directory + "/place"
                switch self {
                case .state: return ["ROOST_STATE": system.state, "XDG_STATE_HOME": "/nowhere", "HOME": "/nowhere"]
                case .stateHome:
                    try Self.lead(to: system.state, from: place)
                    return ["ROOST_STATE": "", "XDG_STATE_HOME": place, "HOME": "/nowhere"]
                case .home:
                    try Self.lead(to: system.state, from: place + "/.local/state")
                    return ["ROOST_STATE": "", "XDG_STATE_HOME": "", "HOME": place]
                }
            }

            private static func lead(to state: String, from folder: String) throws {
                try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
                try FileManager.default.createSymbolicLink(atPath: folder + "/roost", withDestinationPath: state)
            }
        }

        @Test(arguments: Variable.allCases) func theDocumentsClientRuns(by variable: Variable) throws {
            // Root's state directory does not depend on its home.
            let setUp: SetUp = variable == .home && geteuid() == 0 ? .ordinaryUser : .asFound
            if let obstacle = setUp.obstacle { try Test.cancel("\(obstacle)") }
            let asUser =
                setUp == .ordinaryUser
                ? ["setpriv", "--reuid=\(SetUp.user)", "--regid=\(SetUp.user)", "--clear-groups"] : []
            try TestSystem.run(setUp) { system in
                try system.install("Clock")
                let script = system.directory + "/client.py"
                try Self.client().write(toFile: script, atomically: false, encoding: .utf8)
                system.give(script)
                let (exit, out, err) = try system.run(
                    asUser + ["/usr/bin/python3", script], adding: variable.environment(in: system))
                #expect(exit == .code(0) && err.isEmpty, "\(err)")
                let lines = out.split(separator: "\n")
                try #require(lines.count == 4, "\(out)\(err)")
                #expect(lines[0].contains("'system': '\(system.systemID)'"), "\(lines[0])")
                #expect(lines[1].contains("'kind': 'launched'"), "\(lines[1])")
                #expect(lines[2].contains("'code': 'noSuchApp'"), "\(lines[2])")
                #expect(lines[3].contains("'kind': 'watching'"), "\(lines[3])")
                try system.until(.clock, is: .active)
            }
        }

        /// The document's code block for this client.
        private static func client() throws -> String {
            let document = try #require(Kernel.text(OtherPackage.checkout + "/docs/wire.md"))
            let start = try #require(document.range(of: "A complete client:\n\n```python\n")).upperBound
            let end = try #require(document.range(of: "```\n", range: start..<document.endIndex)).lowerBound
            return String(document[start..<end])
        }
    }
}
