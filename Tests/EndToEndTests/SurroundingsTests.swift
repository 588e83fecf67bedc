import Foundation
import LifeCycleModel
import RoostWire
import Testing

extension EndToEnd {
    /// The machine's own network and power, as the system sees them.
    @Suite struct SurroundingsTests {
        /// A download pauses when the link goes down, and resumes by itself when it is back. No byte is requested
        /// twice.
        @Test(.whereNginxIs) func aLinkThatComesAndGoes() throws {
            if let obstacle = SetUp.ownNetwork.obstacle { try Test.cancel("\(obstacle)") }
            try TestSystem.run(.ownNetwork) { system in
                let pid = try #require(system.supervisor?.pid)
                func ip(_ words: String) throws {
                    let command =
                        ["nsenter", "-t", "\(pid)", "-n", "ip"] + words.split(separator: " ").map(String.init)
                    let (exit, _, err) = try system.run(command)
                    try #require(exit == .code(0), "ip \(words): \(err)")
                }
                let server = try WebServer(
                    in: system.directory + "/web", rate: "8m", inNetworkOf: pid, at: "192.0.2.7")
                try server.make("file", bytes: 24 << 20)
                try system.installDownloader([server.url("file")])
                try system.launch(.downloader)
                try system.untilPrinted(.downloader, "begun 1")
                try system.untilTransfer("it waits for a network") { $0.wait == "network" && $0.received == 0 }
                try ip("link add out0 type ifb")
                try ip("link set out0 up")
                try ip("address add 192.0.2.7/24 dev out0")
                try system.untilTransfer("the download makes progress") { $0.state == "running" && $0.received > 0 }
                try ip("link set out0 down")
                let rests = try system.untilTransfer("the download waits for a network again") { $0.wait == "network" }
                #expect(rests.received > 0)
                try ip("link set out0 up")
                try system.untilPrinted(.downloader, "completed 1 well")
                let kept = system.documents(.downloader) + "/1.bin"
                #expect(FileManager.default.contentsEqual(atPath: server.path("file"), andPath: kept))
                try system.until("both answers are logged") { server.answers.count == 2 ? true : nil }
                #expect(server.answers.map(\.status) == [200, 206])
            }
        }

        /// A directory replaces sysfs, because no test machine has a battery.
        @Test func theBatteryIsReadFromTheKernel() throws {
            try TestSystem.run(starting: false) { system in
                let supplies = system.directory + "/supplies"
                try FileManager.default.createDirectory(
                    atPath: supplies + "/BAT0", withIntermediateDirectories: true)
                for (file, text) in [("type", "Battery"), ("status", "Discharging"), ("capacity", "17")] {
                    try (text + "\n").write(toFile: "\(supplies)/BAT0/\(file)", atomically: true, encoding: .utf8)
                }
                system.addedEnvironment["ROOST_POWER_SUPPLIES"] = supplies
                try system.start()
                #expect(try system.roost("settings", "power").out == "battery\n")
                #expect(try system.roost("settings", "batteryLevel").out == "17\n")
            }
        }
    }
}
