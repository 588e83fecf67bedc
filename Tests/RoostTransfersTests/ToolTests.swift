import Foundation
import Testing

/// `TransferTestTool`, running.
private final class Tool {
    private let process = Process()
    private let input = Pipe()
    private let output = Pipe()
    private var text = ""

    init(_ directory: TemporaryDirectory, roots: String? = nil, atOnce: Int = 1, _ urls: [String]) throws {
        // The tool is built in the same folder as the tests.
        let own = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        process.executableURL = URL(fileURLWithPath: own).deletingLastPathComponent()
            .appendingPathComponent("TransferTestTool")
        process.arguments = [directory.path, roots ?? "-", "\(atOnce)"] + urls
        process.standardInput = input
        process.standardOutput = output
        try process.run()
    }

    deinit {
        try? input.fileHandleForWriting.close()
        if process.isRunning { kill(process.processIdentifier, SIGKILL) }
        process.waitUntilExit()
    }

    var pid: Int32 { process.processIdentifier }

    /// Waits for a line with this beginning.
    func wait(for start: String) throws -> String {
        while true {
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
            if let line = lines.first(where: { $0.hasPrefix(start) }) { return String(line) }
            let more = output.fileHandleForReading.availableData
            try #require(!more.isEmpty, "the tool ended after “\(text)”")
            text += String(decoding: more, as: UTF8.self)
        }
    }

    func kill9() {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    /// A field of /proc/PID/status, summed over its threads.
    func sum(_ fields: String...) throws -> Int {
        try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task").reduce(0) { sum, thread in
            let path = "/proc/\(pid)/task/\(thread)/status"
            let status = String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
            return status.split(separator: "\n").reduce(sum) { sum, line in
                let words = line.split { $0 == ":" || $0 == "\t" || $0 == " " }
                return fields.contains(String(words[0])) ? sum + (Int(words[1]) ?? 0) : sum
            }
        }
    }

    var threads: Int { (try? FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task").count) ?? 0 }

    /// The largest resident memory of the process, in bytes.
    func highWaterMark() throws -> Int {
        let status = String(
            decoding: FileManager.default.contents(atPath: "/proc/\(pid)/status") ?? Data(), as: UTF8.self)
        let line = try #require(status.firstMatch(of: /VmHWM:\s*(\d+) kB/))
        return (Int(line.output.1) ?? 0) * 1024
    }
}

/// An engine in its own process.
@Suite(.whereNginxIs, .serialized) struct ToolTests {
    private let nginx: Nginx
    private let directory: TemporaryDirectory

    init() throws {
        nginx = try Nginx()
        directory = try TemporaryDirectory()
    }

    private func bytes(_ number: Int = 1) -> Data? {
        FileManager.default.contents(atPath: directory.path + "/partial/1-1-\(number).part")
    }

    /// The tool is killed ten times at any moment. Each next run resumes from the file's own length.
    @Test(arguments: Nginx.Way.allCases)
    func killedTenTimes(way: Nginx.Way) throws {
        let size = 40_000_000
        let expected = try nginx.put("file", size: size)
        let path = directory.path + "/partial/1-1-1.part"
        for kill in 1...10 {
            let tool = try Tool(directory, roots: nginx.certificates.root, [nginx.url("/slow/file", by: way)])
            _ = try tool.wait(for: "responded")
            // Until more bytes have come.
            let goal = kill * size / 12
            while (try? FileManager.default.attributesOfItem(atPath: path)[.size] as? Int) ?? 0 < goal { sched_yield() }
            tool.kill9()
        }
        let tool = try Tool(directory, roots: nginx.certificates.root, [nginx.url("/file", by: way)])
        #expect(try tool.wait(for: "completed") == "completed 1 \(size)")
        #expect(bytes() == Data(expected))
        // All bytes that nginx has sent: no attempt began from the beginning. The bytes in transit at a kill are not
        // known here.
        let offset = try #require(Int(try tool.wait(for: "responded").split(separator: " ")[2]))
        #expect(offset >= 10 * size / 12)
    }

    /// The memory does not grow with the length of a file.
    @Test func memoryDoesNotGrow() throws {
        _ = try nginx.put("small", size: 65536)
        let huge = open(nginx.directory.path + "/files/huge", O_CREAT | O_WRONLY, 0o644)
        #expect(ftruncate(huge, 600_000_000) == 0)
        close(huge)
        let roots = nginx.certificates.root
        for way in Nginx.Way.allCases {
            let before = try TemporaryDirectory()
            let small = try Tool(before, roots: roots, [nginx.url("/small", by: way)])
            _ = try small.wait(for: "resting")
            let large = try Tool(directory, roots: roots, [nginx.url("/huge", by: way)])
            #expect(try large.wait(for: "completed") == "completed 1 600000000")
            let growth = try large.highWaterMark() - small.highWaterMark()
            #expect(growth < 32 << 20, "\(way): \(growth >> 20) MiB")
            unlink(directory.path + "/1.checkpoint")
        }
    }

    /// After the last transfer no thread wakes up.
    @Test func restsAfterwards() throws {
        _ = try nginx.put("file", size: 2_000_000)
        let url = nginx.url("/file", by: .secure)
        let tool = try Tool(directory, roots: nginx.certificates.root, atOnce: 2, [url, url, url])
        _ = try tool.wait(for: "resting")
        // The tool's idle threads end after a while; those of Dispatch take some seconds.
        var before = -1
        let deadline = ContinuousClock.now + .seconds(120)
        while try switches(of: tool) != before, ContinuousClock.now < deadline {
            before = try switches(of: tool)
            // Window: until nothing wakes up in it.
            usleep(3_000_000)
        }
        #expect(tool.threads <= 2)
        before = try switches(of: tool)
        // Window: every wake-up in it counts.
        usleep(3_000_000)
        #expect(try switches(of: tool) == before)
    }

    private func switches(of tool: Tool) throws -> Int {
        try tool.sum("voluntary_ctxt_switches", "nonvoluntary_ctxt_switches")
    }
}
