import Glibc
import RoostPorts
import Testing

@testable import RoostLinux

/// the writes to the kernel's two files.
@Suite struct WakeLockTests {
    @Test func theWakeLockIsTakenAndReleasedByName() throws {
        let scratch = try Scratch()
        for file in ["wake_lock", "wake_unlock"] { scratch.file(file) }
        let lock = WakeLock(systemID: "abc", directory: scratch.path)
        try lock.keepAwake(true)
        #expect(scratch.text("wake_lock") == "roost-abc")
        #expect(scratch.text("wake_unlock") == "")
        try lock.keepAwake(false)
        #expect(scratch.text("wake_unlock") == "roost-abc")
    }

    @Test(arguments: [true, false]) func aKernelWithoutWakeLocksIsReported(isKept: Bool) throws {
        let scratch = try Scratch()
        let failure = #expect(throws: SystemError.self) {
            try WakeLock(systemID: "abc", directory: scratch.path).keepAwake(isKept)
        }
        #expect(failure?.errno == ENOENT)
        #expect(failure?.subject.hasPrefix(scratch.path) == true)
    }
}
