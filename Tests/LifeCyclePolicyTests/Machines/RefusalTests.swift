import LifeCycleModel
import LifeCyclePolicy
import Testing

/// Decisions that refuse an event's request.
@Suite struct RefusalTests {
    private static let shown = NotificationID(app: app(1), number: 1)
    private static let push = RemoteNotification(payload: "{}", isContentAvailable: true)
    private static let events: [Event] = [
        .device(.appOpened(app(1))), .device(.homePressed), .device(.deviceUnlocked),
        .device(.wakeOccurred(app(1), .backgroundFetch)), .device(.appSwitched(nil)),
        .concern(.transfer(.userAction(transfer(1), .pause))), .concern(.notification(.tapped(shown))),
        .concern(.notification(.dismissed(shown))), .concern(.notification(.pushArrived(app(1), push))),
    ]

    private func refused(by decision: Decision) -> [Event] { Self.events.filter(decision.refuses) }

    @Test func anImpossibleActionIsRefusedForAnyEvent() {
        #expect(refused(by: .device(.actRefused(.home, .locked))) == Self.events)
        #expect(refused(by: .app(app(1), .inputDropped(.background))) == Self.events)
    }

    /// A refused wake refuses only the actions that asked for a launch. Pushes have their own refusals.
    @Test func aRefusedWakeRefusesEventsThatAskForALaunch() {
        let asking: [Event] = [
            .device(.appOpened(app(1))), .device(.wakeOccurred(app(1), .backgroundFetch)), .device(.appSwitched(nil)),
            .concern(.notification(.tapped(Self.shown))),
        ]
        #expect(refused(by: .app(app(1), .wakeRefused(.user, .forceQuit))) == asking)
    }

    @Test func aUserActionIsRefusedForItsTransferOnly() {
        #expect(
            refused(by: .concern(.transfer(.userActionIgnored(transfer(1), .pause))))
                == [.concern(.transfer(.userAction(transfer(1), .pause)))])
        #expect(refused(by: .concern(.transfer(.userActionIgnored(transfer(2), .pause)))).isEmpty)
    }

    @Test func aNotificationThatIsGoneRefusesTapAndDismissal() {
        let answers: [Event] = [
            .concern(.notification(.tapped(Self.shown))), .concern(.notification(.dismissed(Self.shown))),
        ]
        #expect(refused(by: .concern(.notification(.answered(Self.shown, .gone)))) == answers)
        #expect(refused(by: .concern(.notification(.answered(Self.shown, .tapped)))).isEmpty)
        let other = NotificationID(app: app(1), number: 2)
        #expect(refused(by: .concern(.notification(.answered(other, .gone)))).isEmpty)
    }

    @Test func aPushIsRefusedIfItIsLostAtOnce() {
        let arrival: [Event] = [.concern(.notification(.pushArrived(app(1), Self.push)))]
        for decision in [
            .notRegistered(app(1)), .dropped(app(1), .refused(.forceQuit)), .dropped(app(1), .newsstandThrottled),
        ]
            as [PushDecision]
        {
            #expect(refused(by: .concern(.push(decision))) == arrival, "\(decision)")
        }
        for decision in [.dropped(app(1), .killed), .held(app(1), .throttled, replacing: false)] as [PushDecision] {
            #expect(refused(by: .concern(.push(decision))).isEmpty, "\(decision)")
        }
    }

    @Test func aVoIPPushIsRefusedIfItIsLostAtOnce() {
        let arrival = Event.concern(.voip(.pushArrived(app(1), payload: "{}")))
        for loss in [.notRegistered, .tooManyMisses, .tooMany] as [VoIPLoss] {
            #expect(Decision.concern(.voip(.dropped(app(1), loss))).refuses(arrival), "\(loss)")
            #expect(!Decision.concern(.voip(.dropped(app(2), loss))).refuses(arrival), "\(loss)")
        }
        #expect(Decision.app(app(1), .wakeRefused(.voipPush, .modeNotDeclared)).refuses(arrival))
        #expect(!Decision.concern(.voip(.waits(app(1)))).refuses(arrival))
        #expect(Decision.device(.actRefused(.answerCall, .noCall)).refuses(.concern(.voip(.chosen(.answer)))))
    }

    @Test(arguments: CallChoice.allCases) func eachActionOnCallsIsRefusedByItsName(_ choice: CallChoice) {
        let refusal = Decision.device(.actRefused(choice.act, .noCall))
        #expect(refusal.refuses(.concern(.voip(.chosen(choice)))))
        #expect(choice.act.rawValue == "\(choice)Call")
    }

    /// An earlier push of the app may be lost at the same time.
    @Test(arguments: [VoIPLoss.noRegistry, .launchEnded]) func theLossOfAnEarlierPushRefusesNothing(_ loss: VoIPLoss) {
        let arrival = Event.concern(.voip(.pushArrived(app(1), payload: "{}")))
        #expect(!Decision.concern(.voip(.dropped(app(1), loss))).refuses(arrival))
    }

    /// A report about a socket asks for nothing.
    @Test func noDecisionRefusesAReportAboutASocket() {
        let report = Event.concern(.socket(.readable(launch(1), .a, isOver: false)))
        #expect(ConcernInput.socket(.readable(launch(1), .a, isOver: false)).appAskedFor == nil)
        for decision in [.notKept(launch(1), .a, .tooMany), .endedTooOften(app(1))] as [SocketDecision] {
            #expect(!Decision.concern(.socket(decision)).refuses(report), "\(decision)")
        }
        #expect(!Decision.app(app(1), .wakeRefused(.voip, .notUnlockedSinceStart)).refuses(report))
    }

    @Test func otherDecisionsRefuseNothing() {
        for decision in [.device(.unlocked), .app(app(1), .unknown), .launch(launch(1), .ignoredLate)] as [Decision] {
            #expect(refused(by: decision).isEmpty, "\(decision)")
        }
    }
}
