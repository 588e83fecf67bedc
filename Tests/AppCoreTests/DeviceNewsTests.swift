import AppCore
import LifeCycleModel
import Testing

/// Device changes and input (K008, K009) that an app receives.
@Suite struct DeviceNewsTests {
    private func facts(_ change: (inout DeviceFacts) -> Void = { _ in }) -> DeviceFacts {
        var facts = DeviceFacts()
        change(&facts)
        return facts
    }

    /// An active app that has received the facts of its device.
    private func knowing(_ facts: DeviceFacts = DeviceFacts()) -> Scripted {
        var app = Scripted.at(.active)
        _ = app.receive(.device(facts))
        return app
    }

    @Test func theFirstWordIsNoNews() {
        var app = Scripted()
        #expect(app.receive(.device(facts { $0.batteryLevel = 3 })) == [])
        #expect(app.core.facts.batteryLevel == 3)
    }

    @Test func r26EachKindOfChangeIsReportedOnce() {
        let changes: [(DeviceFacts, [Step])] = [
            (
                facts { $0.isProtectedDataAvailable = false },
                [.call(.protectedDataWillBecomeUnavailable), .post(.protectedDataWillBecomeUnavailable)]
            ),
            (facts { $0.clockChanges = 5 }, [.call(.significantTimeChange), .post(.significantTimeChange)]),
            (facts { $0.power = .battery }, [.post(.batteryStateDidChange)]),
            (facts { $0.batteryLevel = 50 }, [.post(.batteryStateDidChange), .post(.batteryLevelDidChange)]),
            (facts { $0.isLowPowerModeEnabled = true }, [.post(.powerStateDidChange)]),
            (facts { $0.backgroundRefresh = .denied }, [.post(.backgroundRefreshStatusDidChange)]),
            (facts(), []),
        ]
        for (changed, expected) in changes {
            var app = knowing()
            let steps = app.run(.deviceChanged(changed))
            #expect(steps.filter { $0 != .finish(CallbackID(3)) }.dropLast() == expected[...], "\(changed)")
            #expect(app.receive(.device(changed)) == [], "the app has these values already")
            #expect(app.receive(.device(facts())).count == expected.count, "the old values are another change")
        }
    }

    @Test func r125ProtectedDataBecomesAvailableAgain() {
        var app = knowing(facts { $0.isProtectedDataAvailable = false })
        #expect(
            app.receive(.device(facts())) == [
                .call(.protectedDataDidBecomeAvailable), .post(.protectedDataDidBecomeAvailable),
            ])
    }

    @Test func wordsDuringACallbackWait() {
        var app = knowing()
        let id = app.start(.willResignActive)
        #expect(app.receive(.device(facts { $0.isLowPowerModeEnabled = true })) == [])
        #expect(!app.core.facts.isLowPowerModeEnabled)
        #expect(app.finish(id).contains(.post(.powerStateDidChange)))
    }

    // MARK: Input

    private static let touch = UserInput.touch(x: 1, y: 2)

    @Test(arguments: AppPhase.allCases) func k008OnlyAnActiveAppReceivesEvents(_ phase: AppPhase) {
        var app = Scripted.at(phase)
        #expect(app.receive(.input(Self.touch)) == (phase == .active ? [.deliver(Self.touch)] : []))
    }

    @Test func k008EventsWaitForTheCallbackInTheirOrder() {
        var app = Scripted.at(.rising)
        let id = app.start(.didBecomeActive)
        #expect(app.receive(.input(Self.touch)) == [])
        #expect(app.receive(.input(.text("a"))) == [])
        #expect(Array(app.finish(id).suffix(2)) == [.deliver(Self.touch), .deliver(.text("a"))])
    }

    @Test func k009LateInputsAreDropped() {
        var app = Scripted.at(.active)
        let id = app.start(.willResignActive)
        #expect(app.receive(.input(Self.touch)) == [])
        #expect(app.finish(id) == [.send(.acknowledge(CallbackID(id), open: []))])
    }

    // MARK: The app's own settings

    @Test func theIdleTimerIsSentOnlyIfItChanges() {
        var app = Scripted.at(.active)
        var steps: [Step] = []
        app.core.setIdleTimerDisabled(false, into: &steps)
        #expect(steps == [], "the timer is not disabled anyway")
        app.core.setIdleTimerDisabled(true, into: &steps)
        app.core.setIdleTimerDisabled(true, into: &steps)
        #expect(steps == [.send(.setIdleTimerDisabled(true))])
        #expect(app.core.attachment.isIdleTimerDisabled, "the attachment contains the setting")
    }

    @Test func k077ATaskWithoutAHandlerIsWarnedOf() {
        var app = Scripted.at(.active)
        let (id, steps) = app.begin("careless", hasHandler: false)
        #expect(steps == [.log(.taskWithoutHandler(id ?? TaskID(0)))], "logged before a missing handler causes a kill")
        #expect(app.begin("careful").1 == [])
    }
}
