import Glibc
import LifeCycleModel
import LifeCyclePolicy
import RoostLinux
import ScenarioFiles

@testable import RoostRuntime
@testable import RoostStore
@testable import RoostWire

// What libFuzzer calls. It is built by scripts/fuzz alone, with FUZZ=1: the reader is named by FUZZ_READER.

/// What reads bytes that nobody vouches for. Whatever they are, a reader returns: it neither traps nor throws up.
private enum Reader: String {
    case wire, push, plist, elf, sound, zone, journal, scenario

    func read(_ bytes: [UInt8]) {
        switch self {
        case .wire:
            var messages: [[UInt8]] = []
            var framer = MessageFramer(limit: WireLimits.message)
            try? framer.feed(bytes[...], into: &messages)
            for message in messages + [bytes] {
                if let call = try? VarlinkCall(message) {
                    _ = try? AppCall(call)
                    _ = try? ControlCall(call)
                }
                if let reply = try? VarlinkReply(message) { _ = try? SystemMessage(reply) }
            }
        case .push: _ = try? RemoteNotification(payload: bytes)
        case .plist: _ = try? AppManifest(infoPlist: bytes)
        case .elf:
            var notes = ELFNotes { offset, count in
                guard offset >= 0, offset < bytes.count else { return [] }
                return Array(bytes[Int(offset)..<min(bytes.count, Int(offset) + count)])
            }
            _ = try? notes.contains(owner: ELFNotes.roost)
        case .sound: _ = SoundHeader.read(bytes, size: Int64(bytes.count))
        case .zone:
            // A clock asks the rules; those of a file that makes sense have an answer.
            guard let rules = ZoneFile.rules(in: bytes) else { return }
            for second: Int64 in [-(1 << 40), 0, 1_763_900_000, 1 << 40] { _ = rules.offset(at: second) }
        case .journal: journal(bytes)
        case .scenario: _ = try? ScenarioFile.scenario(from: bytes)
        }
    }

    private func journal(_ bytes: [UInt8]) {
        guard ftruncate(journalFile, 0) == 0, pwrite(journalFile, bytes, bytes.count, 0) == bytes.count else {
            // The fuzzer's own file: without it no input reaches the reader.
            fatalError("write: \(errno)")
        }
        let path = "/proc/self/fd/\(journalFile)"
        guard let reader = try? JournalReader(path: path), var device = try? reader.start() else { return }
        // What is read is run again, as `roost replay` does.
        while case .turn(let time, let event, _) = try? reader.turn() {
            var effects: [Effect] = []
            device.handle(event, at: time, into: &effects)
        }
    }
}

/// A file in memory, without a name, which has each journal in turn.
private let journalFile: CInt = {
    let name = "/roost-fuzz-\(getpid())"
    let file = shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0o600)
    // As above: nothing would be tested.
    guard file >= 0, shm_unlink(name) == 0 else { fatalError("shm_open: \(errno)") }
    return file
}()

private let reader: Reader = {
    guard let name = getenv("FUZZ_READER").map({ String(cString: $0) }), let reader = Reader(rawValue: name) else {
        fatalError("FUZZ_READER names no reader")
    }
    return reader
}()

private typealias Test = @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
private typealias Arguments = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>

/// libFuzzer's own, which has no header: calls `test` with one input after the other, as the arguments say.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<CInt>, _ arguments: UnsafeMutablePointer<Arguments>, _ test: Test
) -> CInt

/// The function that libFuzzer's own `main` refers to.
@_cdecl("LLVMFuzzerTestOneInput")
func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    reader.read(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}

/// The program's entry: SwiftPM gives `main` this name, which hides libFuzzer's.
@_cdecl("fuzz_main")
func fuzzMain(_ count: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> CInt {
    var (count, arguments) = (count, arguments)
    return runDriver(&count, &arguments, testOneInput)
}
