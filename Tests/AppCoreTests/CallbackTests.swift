import AppCore
import LifeCycleModel
import Testing

/// Callbacks: their calls and order, the app's state during them, and the phase afterwards.
@Suite struct CallbackTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let from: AppPhase
        let callback: Callback
        let steps: [Step]
        let inside: AppState
        let to: AppPhase
        var testDescription: String { "\(from) \(callback)" }
    }

    static let rows: [Row] = [
        Row(
            from: .starting, callback: .launch(.user),
            steps: [
                .call(.willFinishLaunching(.user)), .call(.didFinishLaunching(.user)),
                .post(.didFinishLaunching(.user)),
            ], inside: .inactive, to: .rising),
        Row(
            from: .rising, callback: .didBecomeActive, steps: [.call(.didBecomeActive), .post(.didBecomeActive)],
            inside: .active, to: .active),
        Row(
            from: .active, callback: .willResignActive, steps: [.call(.willResignActive), .post(.willResignActive)],
            inside: .active, to: .falling),
        Row(
            from: .falling, callback: .didBecomeActive, steps: [.call(.didBecomeActive), .post(.didBecomeActive)],
            inside: .active, to: .active),
        Row(
            from: .falling, callback: .didEnterBackground,
            steps: [.call(.didEnterBackground), .post(.didEnterBackground)], inside: .background, to: .background),
        Row(
            from: .background, callback: .didEnterBackground,
            steps: [.call(.didEnterBackground), .post(.didEnterBackground)], inside: .background, to: .background),
        Row(
            from: .background, callback: .willEnterForeground,
            steps: [.call(.willEnterForeground), .post(.willEnterForeground)], inside: .background, to: .rising),
        Row(from: .background, callback: .expireTasks, steps: [], inside: .background, to: .background),
        Row(
            from: .background, callback: .willTerminate, steps: [.call(.willTerminate), .post(.willTerminate)],
            inside: .background, to: .background),
        Row(
            from: .falling, callback: .willTerminate, steps: [.call(.willTerminate), .post(.willTerminate)],
            inside: .inactive, to: .falling),
    ]

    @Test(arguments: rows) func callsTheDelegateThenPosts(_ row: Row) {
        var app = Scripted.at(row.from)
        let id = app.core.lastCallback.next
        #expect(app.receive(.callback(id, row.callback)) == row.steps + [.finish(id)])
        #expect(app.core.applicationState == row.inside)
        #expect(app.core.phase == row.from, "the phase changes only after the callback returns")
        let last = app.finish(id.rawValue)
        #expect(last.first == .send(.acknowledge(id, open: [])))
        #expect(last.dropFirst() == (row.callback == .willTerminate ? [.exit] : []))
        #expect(app.core.phase == row.to)
        #expect(app.core.lastCallback == id)
    }

    @Test(arguments: LaunchReason.allCases) func theLaunchReasonDecidesTheState(_ reason: LaunchReason) {
        var app = Scripted(reason)
        let isForeground = reason == .user
        #expect(app.core.applicationState == (isForeground ? .inactive : .background))
        let id = app.start(.launch(reason))
        #expect(app.core.applicationState == (isForeground ? .inactive : .background))
        _ = app.finish(id)
        #expect(app.core.phase == (isForeground ? .rising : .background))
        #expect(app.core.applicationState == (isForeground ? .inactive : .background))
    }

    @Test func callbacksDuringAnotherCallbackWait() {
        var app = Scripted.at(.active)
        let (first, second, third) = (CallbackID(3), CallbackID(4), CallbackID(5))
        #expect(!app.receive(.callback(first, .willResignActive)).isEmpty)
        #expect(app.receive(.callback(second, .didEnterBackground)).isEmpty)
        #expect(app.receive(.callback(third, .expireTasks)).isEmpty)
        #expect(
            app.finish(3) == [
                .send(.acknowledge(first, open: [])), .call(.didEnterBackground), .post(.didEnterBackground),
                .finish(second),
            ])
        #expect(app.finish(4) == [.send(.acknowledge(second, open: [])), .finish(third)])
        #expect(app.finish(5) == [.send(.acknowledge(third, open: []))])
    }

    @Test func repeatedCallbacksAreIgnored() {
        var app = Scripted.at(.active)
        #expect(app.receive(.callback(CallbackID(2), .didBecomeActive)).isEmpty, "finished")
        #expect(app.receive(.callback(CallbackID(1), .launch(.user))).isEmpty, "an earlier callback is ignored")
        _ = app.receive(.callback(CallbackID(3), .willResignActive))
        #expect(app.receive(.callback(CallbackID(3), .willResignActive)).isEmpty, "running")
        _ = app.receive(.callback(CallbackID(4), .didEnterBackground))
        #expect(app.receive(.callback(CallbackID(4), .didEnterBackground)).isEmpty, "waiting")
        #expect(app.finish(3).filter { $0 == .call(.didEnterBackground) }.count == 1)
        #expect(app.finish(3).isEmpty, "the callback has already returned")
        #expect(app.finish(4) == [.send(.acknowledge(CallbackID(4), open: []))])
    }

    @Test func callbacksAfterWillTerminateAreIgnored() {
        var app = Scripted.at(.background)
        let id = app.start(.willTerminate)
        #expect(app.begin("in willTerminate").0 != nil)
        #expect(app.finish(id).last == .exit)
        #expect(app.receive(.callback(CallbackID(99), .willEnterForeground)).isEmpty)
        #expect(app.begin("after it").0 == nil)
    }

    /// RoostKit sends the messages while it holds its lock, before it carries out the other steps. So sends must come
    /// first.
    @Test func sendsPrecedeTheOtherSteps() {
        var app = Scripted.at(.active)
        _ = app.begin("one")
        _ = app.begin("two")
        let first = CallbackID(3)
        _ = app.receive(.callback(first, .willResignActive))
        _ = app.begin("three")
        _ = app.receive(.callback(CallbackID(4), .didEnterBackground))
        for steps in [app.finish(3), app.finish(4)] {
            let isSend = steps.map { if case .send = $0 { true } else { false } }
            #expect(isSend == isSend.sorted { $0 && !$1 })
        }
    }

    @Test func theAttachmentListsWhatIsFinishedAndOpen() {
        var app = Scripted.at(.background)
        #expect(Scripted().core.attachment == .new)
        _ = app.begin("a")
        let id = app.start(.willEnterForeground)
        #expect(
            app.core.attachment
                == Attachment(lastCallback: CallbackID(id - 1), phase: .background, open: [task(1, "a")]),
            "a running callback does not count as finished")
    }
}
