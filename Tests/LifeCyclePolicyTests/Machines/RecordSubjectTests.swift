import LifeCycleModel
import LifeCyclePolicy
import Testing

/// Effects, and the records they wait for.
@Suite struct RecordSubjectTests {
    private static let notification = NotificationID(app: app(1), number: 1)
    private static let name = SessionIdentifier("s")

    @Test func aRecordHasTheSubjectsThatEffectsBuildOn() throws {
        let transferRecord = TransferRecord(
            id: transfer(1), request: TransferRequest(url: "https://example.org/1"), made: .zero)
        let session = TransferSessionRecord(
            id: session(), identifier: try #require(Self.name), configuration: TransferSessionConfiguration())
        let subjects: [(Record, [RecordSubject])] = [
            (.app(AppRecord(app: app(1), manifest: .sample())), [.app(app(1))]),
            (.appRemoved(app(1)), [.app(app(1))]),
            (.concern(.transfer(.session(session))), [.sessions(of: app(1))]),
            (.concern(.transfer(.sessionRemoved(session.id))), [.sessions(of: app(1))]),
            (.concern(.transfer(.task(transferRecord))), [.transfer(transfer(1)), .sessions(of: app(1))]),
            (.concern(.transfer(.taskRemoved(transfer(1)))), [.transfer(transfer(1)), .sessions(of: app(1))]),
            (.concern(.push(PushRecord(app: app(1), token: nil))), [.registration(of: app(1))]),
            (.concern(.voip(.client(VoIPRecord(app: app(1))))), [.voip(of: app(1))]),
            (.concern(.socket(.client(SocketRecord(launch: launch(1))))), [.sockets(of: app(1))]),
            (.concern(.fetch(.removed(app(1)))), []), (.device(DeviceRecord()), []), (.launchEnded(launch(1)), []),
            (.launch(LaunchRecord(launch: launch(1), reason: .user, isInForeground: true, isSuspended: false)), []),
        ]
        for (record, expected) in subjects { #expect(record.subjects == expected, "\(record)") }
        let alarm = LocalNotification()
        let changes: [NotificationRecord] = [
            .client(NotificationClientRecord(app: app(1))), .unscheduled(Self.notification),
            .removed(Self.notification),
            .scheduled(ScheduledRecord(id: Self.notification, notification: alarm, start: nil)),
            .delivered(
                DeliveredRecord(
                    id: Self.notification, notification: alarm, types: [], fired: .zero, stage: .shown)),
        ]
        for change in changes {
            #expect(Record.concern(.notification(change)).subjects == [.notifications(of: app(1))], "\(change)")
        }
    }

    @Test func effectsWaitForTheRecordsTheyBuildOn() throws {
        let name = try #require(Self.name)
        let shown = ShownNotification(
            id: Self.notification, notification: LocalNotification(), types: [], sound: .none)
        let waiting: [(Effect, RecordSubject?)] = [
            (.launch(launch(1), .start(.user)), .app(app(1))), (.launch(launch(1), .prewarm), .app(app(1))),
            (.device(.removeFiles(app(1))), .app(app(1))),
            (.concern(.transfer(.begin(transfer(1), attempt: 1))), .transfer(transfer(1))),
            (.concern(.transfer(.move(transfer(1)))), .transfer(transfer(1))),
            (.concern(.transfer(.discard(transfer(1)))), .transfer(transfer(1))),
            (.launch(launch(1), .send(.concern(.transfer(name, .eventsFinished)))), .sessions(of: app(1))),
            (
                .launch(launch(1), .send(.concern(.notification(.begins(NotificationStatus()))))),
                .notifications(of: app(1))
            ),
            (.concern(.notification(.show(shown))), .notifications(of: app(1))),
            (.concern(.notification(.confirmToken(app(1)))), .registration(of: app(1))),
            (.concern(.voip(.confirmToken(app(1)))), .voip(of: app(1))),
            (.concern(.voip(.makeToken(app(1)))), nil),
            (.launch(launch(1), .send(.concern(.voip(.reported(.a, nil))))), .voip(of: app(1))),
            (.launch(launch(1), .send(.concern(.socket(.kept(.a, nil))))), .sockets(of: app(1))),
            (.concern(.socket(.take(launch(1), .a))), nil), (.concern(.socket(.close(launch(1), .a))), nil),
            (.concern(.transfer(.stop(transfer(1)))), nil), (.concern(.notification(.makeDeviceToken(app(1)))), nil),
            (.launch(launch(1), .send(.callback(callback(1), .didBecomeActive))), nil),
            (.launch(launch(1), .freeze(attempt: 1)), nil), (.launch(launch(1), .kill(.forceQuit)), nil),
            (.device(.keepAwake(true)), nil), (.store(.appRemoved(app(1))), nil), (.decided(.device(.unlocked)), nil),
        ]
        for (effect, expected) in waiting { #expect(effect.subjectBuiltUpon == expected, "\(effect)") }
    }

    @Test func effectsOfALaunchOrTransferKeepTheirOrder() throws {
        let name = try #require(Self.name)
        let (start, kill) = (Effect.launch(launch(1), .start(.user)), Effect.launch(launch(1), .kill(.forceQuit)))
        let (thaw, stop) = (Effect.launch(launch(1), .thaw), Effect.concern(.transfer(.stop(transfer(1)))))
        #expect([start, kill, thaw, stop].map(\.launchInOrder) == [launch(1), nil, launch(1), nil])
        #expect([start, kill, thaw, stop].map(\.subjectInOrder) == [nil, nil, nil, .transfer(transfer(1))])
        #expect([start, kill, thaw, stop].map(\.startsProcess) == [true, false, false, false])
        #expect(Effect.launch(launch(1), .prewarm).startsProcess)
        let progress = TransferNews.progressed(1, received: 1, expected: nil)
        #expect(Effect.launch(launch(1), .send(.concern(.transfer(name, progress)))).isProgress)
        #expect(!Effect.launch(launch(1), .send(.concern(.transfer(name, .eventsFinished)))).isProgress)
    }
}
