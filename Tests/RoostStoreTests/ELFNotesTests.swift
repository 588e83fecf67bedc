import Foundation
import Testing

@testable import RoostStore

private func contains(_ owner: String, _ file: [UInt8]) throws -> Bool {
    var notes = ELFNotes { (offset, count) throws(Errno) in
        guard offset >= 0, count >= 0 else { throw Errno(number: 22) }
        guard offset < Int64(file.count) else { return [] }
        return Array(file[Int(offset)...].prefix(count))
    }
    return try notes.contains(owner: owner)
}

@Suite struct ELFNotesTests {
    @Test(arguments: [true, false])
    func findsTheOwner(inSegment: Bool) throws {
        let notes = SampleELF.note("GNU", content: [UInt8](repeating: 7, count: 20)) + SampleELF.note("Roost")
        let file = SampleELF.file(notes, inSegment: inSegment)
        #expect(try contains("Roost", file))
        #expect(try contains("GNU", file))
        #expect(try !contains("Roos", file))
        #expect(try !contains("Roost2", file))
    }

    @Test func findsItWithWideAlignment() throws {
        let notes = SampleELF.note("GNU", content: [1], align: 8) + SampleELF.note("Roost", align: 8)
        #expect(try contains("Roost", SampleELF.file(notes, align: 8)))
    }

    @Test func readsARealProgram() throws {
        let file = [UInt8](try Data(contentsOf: URL(fileURLWithPath: "/bin/sh")))
        #expect(try contains("GNU", file))
        #expect(try !contains("Roost", file))
    }

    @Test(arguments: [[], [0x7F], Array("#!/bin/sh\necho Roost\n".utf8), Array("\u{7F}ELF".utf8)] as [[UInt8]])
    func recognizesFilesWithoutNotes(file: [UInt8]) throws {
        #expect(try !contains("Roost", file))
    }

    @Test func refusesOtherClassesAndOrders() throws {
        for place in [4, 5] {
            var file = SampleELF.file(SampleELF.note("Roost"))
            file[place] = 3 - file[place]
            #expect(try !contains("Roost", file))
        }
    }

    @Test func survivesEveryTruncation() throws {
        for inSegment in [true, false] {
            let file = SampleELF.file(SampleELF.note("GNU") + SampleELF.note("Roost"), inSegment: inSegment)
            for length in 0..<file.count { _ = try contains("Roost", Array(file[..<length])) }
        }
    }

    /// Overflowing numbers at every place of a valid file.
    @Test func survivesExtremeNumbers() throws {
        for inSegment in [true, false] {
            let file = SampleELF.file(SampleELF.note("GNU") + SampleELF.note("Rooster"), inSegment: inSegment)
            for place in 6..<file.count {
                for value in [UInt64.max, UInt64(Int64.max), 1 << 63, 1 << 56, 1 << 32, 0xFFFF_FFFF, 0xFFFF] {
                    var spoiled = file
                    for (index, byte) in SampleELF.bytes(value).enumerated() where place + index < file.count {
                        spoiled[place + index] = byte
                    }
                    _ = try contains("Roost", spoiled)
                }
            }
        }
    }

    @Test func survivesDamage() throws {
        let seed =
            ProcessInfo.processInfo.environment["ROOST_SEED"].flatMap { UInt64($0) } ?? .random(in: 0..<1_000_000)
        print("ELF damage: ROOST_SEED=\(seed)")
        var generator = SplitMix(seed: seed)
        for round in 0..<20_000 {
            var file = SampleELF.file(SampleELF.note("GNU") + SampleELF.note("Rooster"), inSegment: round % 2 == 0)
            for _ in 0...Int.random(in: 0..<12, using: &generator) {
                file[.random(in: 6..<file.count, using: &generator)] = .random(in: 0...255, using: &generator)
            }
            _ = try contains("Roost", file)
        }
    }

    /// The reader gives up on notes that repeatedly claim the largest size.
    @Test func boundsItsWork() throws {
        var header = SampleELF.file([])
        header.replaceSubrange(56..<58, with: [0xFF, 0xFF])
        let entry = Array(header[120..<176])
        var read = 0
        var notes = ELFNotes { (offset, count) throws(Errno) in
            read += count
            if offset == 0 { return header }
            if count == 56 {
                var entry = entry
                entry.replaceSubrange(32..<40, with: SampleELF.bytes(UInt64.max))
                return entry
            }
            return [UInt8](repeating: 0, count: count)
        }
        #expect(try !notes.contains(owner: "Roost"))
        #expect(read < 2 << 20)
    }
}
