import LifeCycleModel
import LifeCyclePolicy
import Testing

@testable import LifeCycleSimulation

/// Restarts of the system: the sockets of apps that still run are taken again.
@Suite struct SocketRecoveryTests {
    @Test func r167TheSocketOfASuspendedAppIsTakenAgain() {
        var bench = Bench.keeping()
        #expect(bench.resumes() == "take 7 of 1.1\nwatch 1.1")
        #expect(bench.reports(.taken(launch(1), .a, nil)) == "", "the app has its answer")
        #expect(bench.receives() == "· 1.1 7 has data\nthaw 1.1\nunwatch 1.1")
        #expect(bench.state(1) == .background && bench.assertions(1) == [.wake])
        #expect(bench.wants(.keep(.a)) == "1.1 told: 7 kept", "the app repeats its request")
        #expect(bench.idles(.seconds(10)) == "freeze 1.1\nwatch 1.1")
        #expect(bench.socketsOnDisk == "1.1: 7")
    }

    @Test func r167ARunningAppRepeatsItsRequest() {
        var bench = Bench.keeping(.active)
        #expect(bench.resumes() == "take 7 of 1.1")
        #expect(bench.wants(.keep(.a)) == "1.1 told: 7 kept")
        #expect(bench.reports(.taken(launch(1), .a, nil)) == "")
    }

    /// The app has closed the first descriptor. Only the second one names the socket after a restart.
    @Test func r167TheLastDescriptorIsTakenAgain() {
        var bench = Bench.keeping(.active)
        let second = KeptSocket(id: .a, descriptor: 6)
        #expect(bench.wants(.keep(second)) == "1.1 told: 7 kept")
        let count = bench.effects.count
        _ = bench.resumes()
        #expect(bench.effects[count...].contains(.concern(.socket(.take(launch(1), second)))))
    }

    /// The system ended before it had the socket.
    @Test func r167ARequestUnderWayIsRepeated() {
        var bench = Bench.calling(.active)
        _ = bench.wants(.keep(.a))
        #expect(bench.resumes() == "")
        #expect(bench.wants(.keep(.a)) == "take 7 of 1.1")
    }

    /// Otherwise the app could not be reached any longer.
    @Test func r167ASuspendedAppThatHasLostItsSocketIsWoken() {
        var bench = Bench.keeping()
        _ = bench.resumes()
        #expect(
            bench.reports(.taken(launch(1), .a, .notOpen))
                == "· 1.1 does not keep 7: notOpen\nunwatch 1.1\nthaw 1.1")
        #expect(bench.socketsOnDisk == "" && bench.state(1) == .background)
    }

    /// The system ended before the app was woken for the end of its connection.
    @Test func r167TheEndOfAConnectionOutlivesARestart() {
        var bench = Bench.keeping()
        _ = bench.plays(.device(.settingChanged(.passcode(true))))
        _ = bench.plays(.device(.deviceStarted))
        _ = bench.receives(isOver: true)
        #expect(bench.socketsOnDisk == "1.1: 7", "the app was not woken yet")
    }

    /// The first answer was too early.
    @Test func r167ARunningAppLearnsThatItsSocketIsLost() {
        var bench = Bench.keeping(.active)
        _ = bench.resumes()
        _ = bench.wants(.keep(.a))
        #expect(
            bench.reports(.taken(launch(1), .a, .notConnected))
                == "· 1.1 does not keep 7: notConnected\n1.1 told: 7 notConnected")
        #expect(bench.socketsOnDisk == "")
    }

    /// The app ended while the system did not run.
    @Test func r167TheSocketsOfAnEndedAppAreForgotten() {
        var bench = Bench.keeping(.active)
        bench.helpers[launch(1)]?.exit = .signaled(11)
        #expect(bench.resumes() == "close 7 of 1.1")
        #expect(bench.socketsOnDisk == "")
    }

    @Test func r167TheDeviceStartForgetsSockets() {
        var bench = Bench.keeping()
        bench.helpers = [:]
        _ = bench.restarts()
        _ = bench.plays(.device(.deviceStarted))
        _ = bench.idles(.zero)
        #expect(bench.socketsOnDisk == "")
        #expect(bench.idles(.seconds(10)) == "freeze 1.2", "T27 has launched the app")
    }

    // MARK: Records that contradict the device

    /// The store has a socket of this launch. The app does not run.
    @Test(arguments: [launch(1), launch(1, 7)]) func r167ARecordWithoutAProcessIsRemoved(_ launch: LaunchID) {
        var bench = Bench(.iOS26, [.sample(1, modes: [.voip])])
        var record = SocketRecord(launch: launch)
        (record.sockets, record.keepAlive) = ([.a], .seconds(600))
        bench.stored.store(.concern(.socket(.client(record))))
        #expect(bench.socketsOnDisk != "")
        #expect(bench.resumes() == "")
        #expect(bench.socketsOnDisk == "")
        #expect(bench.device.nextDeadline == nil)
    }

    /// The store has a socket of an earlier launch.
    @Test func r167ARecordOfAnEarlierLaunchIsRemoved() {
        var bench = Bench.calling(.active)
        var record = SocketRecord(launch: launch(1, 7))
        record.sockets = [.a]
        bench.stored.store(.concern(.socket(.client(record))))
        #expect(bench.resumes() == "")
        #expect(bench.socketsOnDisk == "")
    }

    /// Records of apps that are not installed are ignored.
    @Test func aRecordOfNoAppIsIgnored() {
        var record = SocketRecord(launch: launch(1))
        record.sockets = [.a]
        let device = Device(policy: .iOS26, apps: [], launches: [], concerns: [.socket(.client(record))])
        #expect(device.nextDeadline == nil)
    }
}
