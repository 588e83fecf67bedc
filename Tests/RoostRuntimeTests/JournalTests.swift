import Dispatch
import Foundation
import Glibc
import LifeCycleModel
import LifeCyclePolicy
import RoostWire
import Testing

@testable import RoostRuntime

/// The journal if the disk fails.
@Suite(.serialized) struct JournalTests {
    /// Makes every write to the journal fail, as on a full disk.
    private func fill(_ bench: Bench) throws {
        let path = try #require(Journal.files(in: bench.directory + "/journal").last)
        var buffer = [UInt8](repeating: 0, count: 4096)
        let open = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
        for descriptor in open.compactMap({ Int32($0) }) {
            let count = readlink("/proc/self/fd/\(descriptor)", &buffer, buffer.count)
            guard count > 0, String(decoding: buffer[..<count], as: UTF8.self) == path else { continue }
            let full = Glibc.open("/dev/full", O_WRONLY | O_CLOEXEC)
            #expect(dup2(full, descriptor) == descriptor)
            close(full)
            return
        }
        Issue.record("the journal is not open")
    }

    /// A large file is followed by another while the loop runs. Both files are complete, and the second leads to the
    /// same device.
    @Test func aLargeJournalIsContinuedWithoutAMissingEntry() throws {
        let bench = try Bench()
        defer { withExtendedLifetime(bench) {} }
        let directory = bench.directory + "/large"
        try #require(mkdir(directory, 0o700) == 0)
        var device = Device()
        let journal = Journal(directory: directory, device: device, largest: 2000)
        var turns = 0
        let deadline = Moment.now.awake + .seconds(120)
        while Journal.files(in: directory).count < 3, Moment.now.awake < deadline {
            turns += 1
            var effects: [Effect] = []
            let identifier = try #require(BundleIdentifier("org.example.app\(turns)"))
            let now = Moment.zero.advanced(by: .milliseconds(Int64(turns)))
            let manifest = AppManifest(identifier: identifier, executable: "app")
            let event = Event.device(.appInstalled(AppID(Int32(turns % 50 + 1)), manifest))
            device.handle(event, at: now, into: &effects)
            journal.note(event, at: now, effects: effects)
            try journal.write(device: device)
        }
        let files = Journal.files(in: directory)
        #expect(files.count == 3)
        for file in files {
            let entries = try JournalReader.entries(of: file)
            guard case .start(_, var replayed)? = entries.first else {
                Issue.record("the journal does not begin with a device")
                return
            }
            for case .turn(let time, let event, let effects) in entries {
                var again: [Effect] = []
                replayed.handle(event, at: time, into: &again)
                #expect(again == effects)
            }
            if file == files.last { #expect(replayed == device) }
        }
    }

    /// A remote notification is displayed, and its app is launched and called for it. The journal has the payload once,
    /// in the event; all later entries name it.
    @Test func aPayloadIsInTheJournalOnce() throws {
        let bench = try Bench()
        defer { withExtendedLifetime(bench) {} }
        let directory = bench.directory + "/once"
        try #require(mkdir(directory, 0o700) == 0)
        var device = Device()
        let journal = Journal(directory: directory, device: device)
        let identifier = try #require(BundleIdentifier("org.example.app"))
        let manifest = AppManifest(
            identifier: identifier, executable: "app", backgroundModes: [.remoteNotification])
        let app = AppID(1)
        func launch(_ number: Int32) -> LaunchID { LaunchID(app: app, number: number) }
        func request(_ request: NotificationRequest) -> Event {
            .app(launch(1), .requested(.concern(.notification(request))))
        }
        var shown = LocalNotification()
        shown.alertBody = "news"
        let push = RemoteNotification(
            payload: #"{"aps":{"alert":"news","content-available":1},"text":"marker"}"#, isContentAvailable: true,
            presentation: RemoteNotification.Presentation(shown))
        let events: [Event] = [
            .device(.appInstalled(app, manifest)), .device(.appOpened(app)), .process(launch(1), .started),
            .app(launch(1), .attached(.new)), request(.act(NumberedNotificationAct(number: 1, act: .register(.all)))),
            request(.setRemoteNotifications(true)),
            .concern(.notification(.tokenMade(app, DeviceToken(Array(repeating: 1, count: DeviceToken.size))))),
            .concern(.notification(.tokenPersisted(app))), .process(launch(1), .exited(.exited(code: 0))),
            .concern(.notification(.pushArrived(app, push))), .process(launch(2), .started),
            .app(launch(2), .attached(.new)), .app(launch(2), .requested(.acknowledge(CallbackID(1), open: []))),
            .app(launch(2), .requested(.acknowledge(CallbackID(2), open: []))),
            .app(launch(2), .requested(.acknowledge(CallbackID(3), open: []))),
        ]
        var calls: [SystemMessage] = []
        for (turn, event) in events.enumerated() {
            let now = Moment.zero.advanced(by: .milliseconds(Int64(turn)))
            var effects: [Effect] = []
            device.handle(event, at: now, into: &effects)
            journal.note(event, at: now, effects: effects)
            for case .launch(launch(2), .send(let message)) in effects {
                if let message = device.filled(message) { calls.append(message) }
            }
        }
        #expect(calls.contains(.concern(.notification(.launchedByRemote(.text(push.payload))))))
        #expect(
            calls.contains(.callback(CallbackID(3), .concern(.notification(.receivedRemote(.text(push.payload)))))))
        #expect(device.notificationRecords.delivered.count == 1, "it is still displayed")
        try journal.write(device: device)
        let path = try #require(Journal.files(in: directory).last)
        #expect(try String(contentsOfFile: path, encoding: .utf8).ranges(of: "marker").count == 1)
        // A journal that begins here also has it once, in the device.
        let other = bench.directory + "/later"
        try #require(mkdir(other, 0o700) == 0)
        try Journal(directory: other, device: device).write(device: device)
        let later = try #require(Journal.files(in: other).last)
        #expect(try String(contentsOfFile: later, encoding: .utf8).ranges(of: "marker").count == 1)
        guard case .start(_, let read)? = try JournalReader.entries(of: later).first else {
            Issue.record("the journal does not begin with a device")
            return
        }
        #expect(read == device)
    }

    /// No file exceeds its limit, neither by the device at its beginning, nor by events while the next file is prepared.
    /// Here this preparation never ends.
    @Test func noJournalIsLargerThanItMayBe() throws {
        let bench = try Bench()
        defer { withExtendedLifetime(bench) {} }
        let directory = bench.directory + "/bounded"
        try #require(mkdir(directory, 0o700) == 0)
        var device = Device()
        let largest = 40_000
        let journal = Journal(directory: directory, device: device, largest: largest, aside: { _ in })
        for turn in 1...300 {
            var effects: [Effect] = []
            let identifier = try #require(BundleIdentifier("org.example.app\(turn % 20)"))
            let now = Moment.zero.advanced(by: .milliseconds(Int64(turn)))
            var manifest = AppManifest(identifier: identifier, executable: "app")
            manifest.displayName = String(repeating: "n", count: turn % 100 * 4)
            let event = Event.device(.appInstalled(AppID(Int32(turn % 20 + 1)), manifest))
            device.handle(event, at: now, into: &effects)
            journal.note(event, at: now, effects: effects)
            try journal.write(device: device)
            for file in Journal.files(in: directory) {
                var status = stat()
                try #require(stat(file, &status) == 0)
                #expect(status.st_size <= largest)
            }
        }
        #expect(Journal.files(in: directory).count == 5, "only five journals are kept")
        _ = try Journal.files(in: directory).map { try JournalReader.entries(of: $0) }
    }

    /// The loop does not wait for the encoding of a large device, and the journal misses no event meanwhile.
    @Test(arguments: [false, true]) func aLargeDeviceIsNotWaitedFor(isFinishedEarly: Bool) throws {
        let bench = try Bench()
        defer { withExtendedLifetime(bench) {} }
        let directory = bench.directory + "/late"
        try #require(mkdir(directory, 0o700) == 0)
        var device = Device()
        func install(_ number: Int, _ journal: Journal?) throws {
            var effects: [Effect] = []
            let identifier = try #require(BundleIdentifier("org.example.app\(number)"))
            let now = Moment.zero.advanced(by: .milliseconds(Int64(number)))
            let event = Event.device(
                .appInstalled(
                    AppID(Int32(number)), AppManifest(identifier: identifier, executable: "app")))
            device.handle(event, at: now, into: &effects)
            journal?.note(event, at: now, effects: effects)
            try journal?.write(device: device)
        }
        for number in 1...3000 { try install(number, nil) }
        let ready = DispatchSemaphore(value: 0)
        let journal = Journal(
            directory: directory, device: device, aside: { DispatchQueue(label: "aside").async(execute: $0) },
            whenReady: { ready.signal() })
        #expect(Journal.files(in: directory).isEmpty)
        try install(3001, journal)
        if isFinishedEarly {
            try journal.finish()
        } else {
            try #require(ready.wait(timeout: .now() + 120) == .success)
            try journal.write(device: device)
            try install(3002, journal)
        }
        let entries = try JournalReader.entries(of: try #require(Journal.files(in: directory).last))
        guard case .start(_, var replayed)? = entries.first else {
            Issue.record("the journal does not begin with a device")
            return
        }
        for case .turn(let time, let event, _) in entries {
            var effects: [Effect] = []
            replayed.handle(event, at: time, into: &effects)
        }
        #expect(replayed == device)
        #expect(entries.count == (isFinishedEarly ? 2 : 3))
    }

    private func journals(_ bench: Bench) -> [String] { Journal.files(in: bench.directory + "/journal") }

    /// Each attempt writes the whole device: after a failure, no iteration tries again before the pause is over.
    @Test func aFailedJournalIsNotRestartedEachTurn() throws {
        let bench = try Bench()
        defer { withExtendedLifetime(bench) {} }
        // Longer than any test.
        bench.supervisor.retryPause = .seconds(3600)
        let journal = try #require(journals(bench).last)
        let written = try JournalReader.entries(of: journal).count
        try fill(bench)
        for _ in 0..<5 { _ = try bench.ask(.install(path: "/a", replacing: true)) }
        #expect(journals(bench) == [journal])
        #expect(try JournalReader.entries(of: journal).count == written, "nothing is written to the full disk")
    }

    @Test func aFailedJournalIsRestartedAfterAPause() throws {
        let bench = try Bench()
        defer { withExtendedLifetime(bench) {} }
        try fill(bench)
        let beforeFailure = Moment.now.awake
        for _ in 0..<5 { _ = try bench.ask(.install(path: "/a", replacing: true)) }
        try bench.run(until: {
            _ = try bench.ask(.home)
            return journals(bench).count == 2
        })
        #expect(Moment.now.awake - beforeFailure >= .seconds(1))
        let entries = try JournalReader.entries(of: try #require(journals(bench).last))
        guard case .start(_, let device)? = entries.first else {
            Issue.record("the journal does not begin with a device")
            return
        }
        #expect(device.snapshots.count == 1, "the new journal has the complete device")
    }
}
