import Foundation
import GPSDPeer
import LifeCycleModel
import RoostWire
import Testing

extension BundleIdentifier {
    fileprivate static let diary = named("org.roost.test.Diary")
}

extension TestSystem {
    /// Installs the app of Tests/LocationTestApp, which records significant changes.
    fileprivate func installDiary() throws {
        let keys = ["WhenInUse", "AlwaysAndWhenInUse"].map {
            "<key>NSLocation\($0)UsageDescription</key><string>For the diary.</string>"
        }
        try installTestApp("LocationTestApp", as: .diary, keys: keys.joined())
    }

    fileprivate func move(_ latitude: String, _ longitude: String) throws {
        let moved = try roost("location", latitude, longitude)
        #expect(moved.exit == .code(0), "\(moved.err)")
    }

    fileprivate func permitDiary(_ permission: String) throws {
        let permitted = try roost("location", "permit", BundleIdentifier.diary.rawValue, permission)
        #expect(permitted.exit == .code(0), "\(permitted.err)")
    }

    fileprivate func killDiary() throws {
        let process = try process(.diary)
        process.send(SIGKILL)
        try process.waitUntilGone()
        try until(.diary, is: .notRunning)
    }
}

extension EndToEnd {
    /// The device's location, and the user's decisions about it.
    @Suite struct LocationTests {
        private func decisions(_ system: TestSystem) throws -> [String] {
            try system.why(.counter).filter { $0.kind == "location" }.map(\.text)
        }

        /// A significant change thaws the app, and launches it after its process was killed, the user has swiped it
        /// away, or the whole system has crashed. Nothing is told without permission.
        @Test func significantChangesWakeAndLaunch() throws {
            try TestSystem.run(settings: ["significantPause=1ms"]) { system in
                try system.installDiary()
                try system.launch(.diary)
                let asked = try system.why(.diary).filter { $0.kind == "location" }.map(\.text)
                #expect(asked.contains("asks the user for the location at all times"), "\(asked)")
                try system.move("52.5163", "13.3777")
                #expect(!system.log(.diary).contains { $0.hasPrefix("at ") })
                try system.permitDiary("always")
                try system.untilPrinted(.diary, "at 52.5163 13.3777")
                let first = try system.suspend(.diary)

                // Too near, then far enough.
                try system.move("52.5163", "13.3800")
                try system.expectFrozen(.diary)
                try system.move("-33.8568", "151.2153")
                try system.untilPrinted(.diary, "at -33.8568 151.2153")
                #expect(try system.until(.diary, is: .suspended).pid == first.pid)
                try system.expectFrozen(.diary)

                try system.killDiary()
                try system.move("52.5219", "13.4132")
                try system.untilPrinted(.diary, "at 52.5219 13.4132")
                try system.until(.diary, is: .suspended)
                #expect(system.log(.diary).filter { $0 == "launched by a location" }.count == 1)

                try system.tell(.quit(.diary))
                try system.until(.diary, is: .notRunning)
                try system.crashAndRestart(.both)
                try system.move("52.5163", "13.3777")
                try system.until("the app is launched again") {
                    system.log(.diary).filter { $0 == "launched by a location" }.count == 2 ? true : nil
                }
                try system.until(.diary, is: .suspended)

                try system.permitDiary("deny")
                let printed = system.log(.diary).count
                try system.move("0", "0")
                try system.expectFrozen(.diary)
                #expect(system.log(.diary).count == printed)
            }
        }

        /// A real gpsd has a client only while the app needs a position.
        @Test(.whereGPSDIs) func positionsComeFromGPSD() throws {
            let gpsd = try RealGPSD()
            try TestSystem.run(
                settings: ["significantPause=1ms", "receiverPause=1ms", "locationRest=1s"], starting: false
            ) { system in
                system.addedEnvironment["ROOST_GPSD"] = "127.0.0.1:\(gpsd.port)"
                try system.start()
                try system.installDiary()
                try system.launch(.diary)
                #expect(try !gpsd.hasClient(), "without permission nobody needs a position")
                try system.permitDiary("always")
                try gpsd.wait(untilItHasAClient: true)
                gpsd.report()
                try system.untilPrinted(.diary, "at 48.1173 11.5166667")
                try system.tell(.home)
                try system.until(.diary, is: .suspended)
                // 500 m to the north, and a bit more.
                gpsd.report(minutes: "07.338")
                try system.untilPrinted(.diary, "at 48.1223 11.5166667")
                let said = try system.why(.diary).map(\.text)
                #expect(said.contains("needs a position: the receiver is switched on"), "\(said)")
                try system.killDiary()
                try system.permitDiary("deny")
                try gpsd.wait(untilItHasAClient: false)
            }
        }

        /// A request switches the receiver on until gpsd has found a position. Without one, it fails after a while.
        @Test(.whereGPSDIs) func aRequestedPositionComesFromGPSD() throws {
            let gpsd = try RealGPSD()
            let settings = ["locationRequest=1h", "receiverLinger=1ms", "receiverPause=1ms"]
            try TestSystem.run(settings: settings, starting: false) { system in
                system.addedEnvironment["ROOST_GPSD"] = "127.0.0.1:\(gpsd.port)"
                try system.start()
                try system.installTestApp("RegionTestApp", as: .diary, keys: "<key>RequestsLocation</key><true/>")
                try system.permitDiary("when-in-use")
                try system.launch(.diary)
                try gpsd.wait(untilItHasAClient: true)
                gpsd.report()
                try system.untilPrinted(.diary, "here 48.1173 11.5166667")
                // 22.4 knots. On a busy machine gpsd reports the first sentence before it reads the one with course and speed.
                let details = try system.untilPrinted(.diary, "altitude ")
                let found = ["course 84.4 speed 11.52", "course -1.0 speed -1.0"].map { "altitude 545.4 \($0)" }
                #expect(found.contains { details.hasPrefix($0) }, "\(details)")
                try gpsd.wait(untilItHasAClient: false)
                #expect(try system.terminate() == .code(0))
            }
            try TestSystem.run(settings: ["locationRequest=200ms"], starting: false) { system in
                system.addedEnvironment["ROOST_GPSD"] = "127.0.0.1:1"
                try system.start()
                try system.installTestApp("RegionTestApp", as: .diary, keys: "<key>RequestsLocation</key><true/>")
                try system.permitDiary("when-in-use")
                try system.launch(.diary)
                try system.untilPrinted(.diary, "nowhere 0")
                try system.tell(.home)
                let moved = try system.roost(
                    "location", "1", "2", "--altitude", "-10.5", "--course", "90", "--speed", "1.4")
                #expect(moved.exit == .code(0), "\(moved.err)")
                try system.launch(.diary)
                try system.untilPrinted(.diary, "here 1.0 2.0")
                try system.untilPrinted(.diary, "altitude -10.5 course 90.0 speed 1.4")
            }
        }

        /// Without gpsd the app learns that no position is known, and `why` names the reason.
        @Test func withoutGPSDNoPositionIsKnown() throws {
            try TestSystem.run(starting: false) { system in
                system.addedEnvironment["ROOST_GPSD"] = "127.0.0.1:1"
                try system.start()
                try system.installDiary()
                try system.permitDiary("always")
                try system.launch(.diary)
                try system.until("the reason is recorded") {
                    try system.why(.diary).contains {
                        $0.text.contains("the source of positions ended") && $0.text.contains("Connection refused")
                    } ? true : nil
                }
                try system.move("52.5163", "13.3777")
                try system.untilPrinted(.diary, "at 52.5163 13.3777")
            }
        }

        @Test func theUserDecidesAboutAnApp() throws {
            try TestSystem.run { system in
                try system.install("Counter")
                let counter = BundleIdentifier.counter.rawValue
                for (word, text) in [
                    ("when-in-use", "the user allows it the location while in use"),
                    ("deny", "the user forbids it the location"),
                    ("ask", "the user has not decided about its location"),
                    ("always", "the user always allows it the location"),
                ] {
                    let (exit, out, err) = try system.roost("location", "permit", counter, word)
                    #expect(exit == .code(0) && out.contains(text), "\(word): \(out)\(err)")
                    #expect(try decisions(system).last == text)
                }
                let json = try system.roost("location", "permit", counter, "always", "--json").out
                let lines = try JSONDecoder().decode([DecisionLine].self, from: Data(json.utf8))
                #expect(lines.map(\.kind) == ["location"])
                let stranger = try system.roost("location", "permit", "org.example.None", "always")
                #expect(stranger.exit == .code(1) && stranger.err.contains("no app"), "\(stranger.err)")
            }
        }

        /// Negative numbers need no `--` before them, in any place.
        @Test(arguments: [
            ["52.52", "13.405"], ["-33.86", "151.2"], ["33.86", "-151.2"], ["-33.86", "-151.2", "--accuracy", "0"],
            ["--accuracy", "12.5", "-0.5", "-0.5"], ["--", "-33.86", "151.2"], ["move", "-90", "180"], ["-90", "-180"],
            ["52.520006599999988", "13.40495399999999"], ["1", "-2", "--accuracy", "10000000"],
            ["1", "2", "--altitude", "-100000", "--altitude-accuracy", "0", "--speed", "0", "--course", "359.99"],
            ["1", "2", "--altitude=1000000", "--speed=100000", "--course=0"],
        ])
        func positions(arguments: [String]) throws {
            try TestSystem.run { system in
                let (exit, out, err) = try system.run([TestSystem.program, "location"] + arguments)
                #expect(exit == .code(0) && out == "the device is at this position now\n", "\(out)\(err)")
            }
        }

        @Test(arguments: [
            (["90.0000001", "0"], "latitude"), (["-90.5", "0"], "-90 to 90"), (["0", "180.1"], "longitude"),
            (["0", "-181"], "-180 to 180"), (["nan", "0"], "\"nan\" is not a latitude"), (["0", "inf"], "longitude"),
            (["1e1", "0"], "latitude"), (["", "0"], "latitude"), (["-", "0"], "latitude"), (["1.", "0"], "latitude"),
            ([".5", "0"], "latitude"), (["--1", "0"], "--1"), (["٣", "0"], "latitude"), (["1,5", "0"], "latitude"),
            (["+1", "0"], "latitude"), (["99999999999999999999", "0"], "latitude"), (["1"], "two numbers"),
            (["1", "2", "3"], "two numbers"), ([], "two numbers"), (["1", "2", "--accurate", "3"], "--accurate"),
            (["1", "2", "--accuracy", "far"], "metres"), (["1", "2", "--accuracy", "10000000.01"], "metres"),
            (["1", "2", "--accuracy=-1"], "metres"), (["1", "2", "--altitude", "1000000.01"], "-100000 to 1000000,"),
            (["1", "2", "--speed=-1"], "0 to 100000,"), (["1", "2", "--course", "360"], "0 to 359.99,"),
            (["1", "2", "--altitude-accuracy", "5"], "needs --altitude"),
            (["permit", "org.example.App", "never"], "when-in-use"),
            (["permit", "org.example.App"], "permission"), (["permit", "not..one", "always"], "bundle identifier"),
        ])
        func wrongArguments(arguments: [String], word: String) throws {
            try TestSystem.run(starting: false) { system in
                let (exit, _, err) = try system.run([TestSystem.program, "location"] + arguments)
                #expect(exit == .code(64), "\(err)")
                #expect(err.contains(word) && err.contains("Usage: roost"), "\(err)")
                #expect(!FileManager.default.fileExists(atPath: system.state), "no state is created")
            }
        }
    }
}
