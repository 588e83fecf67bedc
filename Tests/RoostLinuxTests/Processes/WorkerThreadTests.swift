import Foundation
import Glibc
import RoostLinux
import Synchronization
import Testing

/// Threads for work that may hang.
@Suite struct WorkerThreadTests {
    /// Pieces of work that hang, each until it is released.
    private final class Hanging: Sendable {
        private let ends: (read: Int32, write: Int32)
        private let finished = Mutex(0)

        init() throws {
            var ends: [Int32] = [-1, -1]
            try #require(pipe(&ends) == 0)
            self.ends = (ends[0], ends[1])
        }

        deinit { for end in [ends.read, ends.write] { close(end) } }

        var count: Int { finished.withLock { $0 } }

        func work() {
            var byte: UInt8 = 0
            if read(ends.read, &byte, 1) == 1 { finish() }
        }

        func finish() { finished.withLock { $0 += 1 } }

        func release(_ count: Int) throws {
            try #require(write(ends.write, [UInt8](repeating: 0, count: count), count) == count)
        }
    }

    /// The number of this process's threads with a name.
    private func threads(_ name: String) -> Int? {
        guard let directory = opendir("/proc/self/task") else { return nil }
        defer { closedir(directory) }
        var count = 0
        while let entry = readdir(directory) {
            let thread = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            // The thread may have ended.
            let text = try? String(contentsOfFile: "/proc/self/task/\(thread)/comm", encoding: .utf8)
            if text == name + "\n" { count += 1 }
        }
        return count
    }

    @Test func helpersWorkWhileThreadsHang() throws {
        let worker = try WorkerThread("helped", count: 1, most: 3)
        let work = try Hanging()
        for _ in 1...2 { worker.post { work.work() } }
        worker.post { work.finish() }
        #expect(eventually { work.count == 1 }, "two pieces hang")
        for _ in 1...5 { worker.post { work.work() } }
        #expect(eventually { threads("helped") == 3 }, "there are no more threads than three")
        try work.release(7)
        #expect(eventually { work.count == 8 })
        #expect(eventually { threads("helped") == 1 }, "the helpers end")
        worker.post { work.finish() }
        #expect(eventually { work.count == 9 })
    }

    @Test func withoutHelpersWorkWaits() throws {
        let worker = try WorkerThread("alone")
        let work = try Hanging()
        worker.post { work.work() }
        for _ in 1...3 { worker.post { work.finish() } }
        #expect(threads("alone").map { $0 <= 1 } == true)
        try work.release(1)
        #expect(eventually { work.count == 4 })
    }
}
