import RoostKit
import Testing

@testable import RoostTesting

@Suite @MainActor struct BadInputTests {
    @Test func timeNeedsAnApp() async {
        let findings = await Findings.from { device in
            await device.advance(by: .seconds(1))
            #expect(await device.advanceToNext() == false)
        }
        #expect(findings.all.count == 2)
        #expect(findings.sentences.allSatisfy { $0.contains("no app is installed") && $0.contains("device.install") })
    }

    @Test func timeGoesForward() async throws {
        let findings = try await Findings.from { device in
            try device.install()
            await device.advance(by: .seconds(-1))
        }
        #expect(findings.sentences == ["time can only move forward: -1.0 seconds is negative"])
    }

    @Test(
        arguments: [
            (["UIBackgroundModes": "fetch"], "UIBackgroundModes"),
            (["UIBackgroundModes": ["fly"]], "\"fly\""),
            (["CFBundleIdentifier": "not an identifier"], "CFBundleIdentifier"),
            (["RoostAdopted": true], "RoostAdopted"),
        ] as [([String: any Sendable], String)])
    func anAbsurdPropertyListIsRefused(keys: [String: any Sendable], word: String) async {
        await withVirtualDevice { device in
            let error = #expect(throws: InstallationError.self) { try device.install(infoPlist: InfoPlist(keys)) }
            #expect(error?.description.contains(word) == true, "\(String(describing: error))")
        }
    }

    @Test func aMissingPropertyListIsNamed() async {
        await withVirtualDevice { device in
            let error = #expect(throws: InstallationError.self) {
                try device.install(infoPlist: .file("No/Info.plist"))
            }
            #expect(error?.description.contains("cannot read No/Info.plist: ") == true)
            let other = #expect(throws: InstallationError.self) { try device.install(infoPlist: .file(#filePath)) }
            #expect(other?.description.contains("is not a property list") == true)
        }
    }

    @Test func unfinishedTasksFailTheTest() async throws {
        let findings = try await Findings.from { device in
            let app = try device.install("Notes") {
                _ = UIApplication.shared.beginBackgroundTask(withName: "left") {}
                UIApplication.shared.endBackgroundTask(UIBackgroundTaskIdentifier(rawValue: 77))
            }
            await device.launch(app)
        }
        #expect(findings.sentences.count == 2)
        #expect(findings.sentences.first?.contains("Notes has logged an error: Can't endBackgroundTask") == true)
        #expect(findings.sentences.last?.contains("left a background task open: task \"left\", begun BadInput") == true)
    }

    @Test func anUnansweredCallbackFailsTheTest() async throws {
        let findings = try await Findings.from { device in
            let app = try device.install("Notes")
            device.whileHandling(.willResignActive, takes: .seconds(2))
            await device.launch(app)
            await device.home()
        }
        #expect(findings.sentences == ["Notes has not returned from willResignActive by the end of the test"])
    }

    @Test func aHangingCallbackIsReportedWhileItHangs() async throws {
        let findings = try await Findings.from(patience: 0.05) { device in
            let app = try device.install("Notes") {
                // App: it stands for code that never releases the main thread; here it does, so that the test continues.
                Thread.sleep(forTimeInterval: 0.5)
            }
            await device.launch(app)
            #expect(app.state == .active)
        }
        #expect(findings.sentences.count == 1)
        #expect(
            findings.sentences.first?.hasPrefix("Notes has not returned from didFinishLaunching within 0.05 s") == true)
    }

    @Test func anEndThatDidNotComeFailsTheTest() async throws {
        let findings = try await Findings.from { device in
            let app = try device.install("Notes")
            await device.launch(app)
            #expect(device.expectTermination(of: app) == nil)
            device.expectLog(of: app, containing: "woe")
        }
        #expect(
            findings.sentences == [
                "Notes was expected to be terminated for breaking a rule, but it is active",
                "Notes has not logged \"woe\"",
            ])
    }
}
