import LifeCycleModel
import Testing

@testable import RoostGuardian

@Suite struct ExitLedgerTests {
    private func entry(_ pid: Int32, _ startTime: UInt64, _ code: Int32) -> ExitLedger.Entry {
        ExitLedger.Entry(pid: pid, startTime: startTime, status: .exited(code: code))
    }

    @Test func distinguishesAProcessFromALaterOneWithItsPID() {
        var ledger = ExitLedger()
        ledger.note(entry(7, 100, 1))
        ledger.note(entry(7, 200, 2))
        #expect(ledger.entry(pid: 7, startTime: 100)?.status == .exited(code: 1))
        #expect(ledger.entry(pid: 7, startTime: 200)?.status == .exited(code: 2))
        #expect(ledger.entry(pid: 7, startTime: 300) == nil)
        #expect(ledger.entry(pid: 7, startTime: nil)?.startTime == 200)
        #expect(ledger.entry(pid: 8, startTime: nil) == nil)
    }

    @Test func anEntryIsNotUsedUp() {
        var ledger = ExitLedger()
        ledger.note(entry(7, 100, 1))
        for _ in 1...3 { #expect(ledger.entry(pid: 7, startTime: 100) != nil) }
    }

    @Test func theOldestGoesFirst() {
        var ledger = ExitLedger(limit: 2)
        for pid in [1, 2, 3] as [Int32] { ledger.note(entry(pid, 1, 0)) }
        #expect(ledger.entry(pid: 1, startTime: 1) == nil)
        #expect(ledger.entry(pid: 2, startTime: 1) != nil && ledger.entry(pid: 3, startTime: 1) != nil)
    }
}

@Suite struct GuardianMessageTests {
    @Test(arguments: [
        GuardianMessage.ready(system: "0123456789ab"), .startHelper(.carry, 7), .startHelper(.gps, .max),
        .endHelper(.carry, 7), .endHelper(.gps, 7), .asked(pid: 7, startTime: 1), .asked(pid: 7, startTime: nil),
        .answered(pid: 7, nil),
        .answered(pid: 7, ExitLedger.Entry(pid: 7, startTime: .max, status: .exited(code: 255))),
        .answered(pid: .max, ExitLedger.Entry(pid: .max, startTime: 1, status: .signaled(64))),
    ])
    func isReadAsItWasWritten(message: GuardianMessage) {
        #expect(GuardianMessage(message.text) == message)
        #expect(message.text.utf8.count <= GuardianMessage.longest)
    }

    @Test(arguments: [
        "", " ", "ready", "ready a b", "exit?", "exit? x 1", "exit? 1 x", "exit? 1 -1", "exit 1", "exit 1 2 code",
        "exit 1 2 core 3", "exit x unknown", "exit 1 2 code 3 4", "exit 99999999999 unknown", "hello",
    ])
    func invalidMessagesAreRejected(text: String) { #expect(GuardianMessage(text) == nil) }
}
