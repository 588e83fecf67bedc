import Glibc
import LifeCycleModel
import LifeCyclePolicy
import RoostLinux
import ScenarioFiles
import SoundHeaders

@testable import RoostRuntime
@testable import RoostStore
@testable import RoostWire

// The entry of libFuzzer. Only scripts/fuzz builds it, with FUZZ=1, and FUZZ_READER names the reader.

/// A reader of untrusted bytes. For any bytes it returns or throws, and does not trap.
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
            // Valid rules have an offset for every instant, as a clock needs.
            guard let rules = ZoneFile.rules(in: bytes) else { return }
            for second: Int64 in [-(1 << 40), 0, 1_763_900_000, 1 << 40] { _ = rules.offset(at: second) }
        case .journal: journal(bytes)
        case .scenario: _ = try? ScenarioFile.scenario(from: bytes)
        }
    }

    private func journal(_ bytes: [UInt8]) {
        guard ftruncate(journalFile, 0) == 0, pwrite(journalFile, bytes, bytes.count, 0) == bytes.count else {
            // Without the fuzzer's own file, no input reaches the reader.
            fatalError("write: \(errno)")
        }
        let path = "/proc/self/fd/\(journalFile)"
        guard let reader = try? JournalReader(path: path), var device = try? reader.start() else { return }
        // The turns are replayed, as `roost replay` does.
        while case .turn(let time, let event, _) = try? reader.turn() {
            var effects: [Effect] = []
            device.handle(event, at: time, into: &effects)
        }
    }
}

/// An unnamed file in memory, which has each journal in turn.
private let journalFile: CInt = {
    let name = "/roost-fuzz-\(getpid())"
    let file = shm_open(name, O_RDWR | O_CREAT | O_EXCL, 0o600)
    // Without the file, no input reaches the reader.
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

/// A function of libFuzzer, which has no header. It calls `test` for one input after the other, as the arguments say.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<CInt>, _ arguments: UnsafeMutablePointer<Arguments>, _ test: Test
) -> CInt

/// The function that libFuzzer's own `main` calls.
@_cdecl("LLVMFuzzerTestOneInput")
func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    reader.read(Array(UnsafeBufferPointer(start: start, count: count)))
    return 0
}

/// The entry of the program. SwiftPM gives `main` this name, which hides libFuzzer's `main`.
@_cdecl("fuzz_main")
func fuzzMain(_ count: CInt, _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> CInt {
    var (count, arguments) = (count, arguments)
    return runDriver(&count, &arguments, testOneInput)
}
