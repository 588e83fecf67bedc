import Synchronization

@testable import RoostTesting

/// What a device would have failed its test with.
final class Findings: Sendable {
    private let texts = Mutex<[String]>([])

    var all: [String] { texts.withLock { $0 } }
    /// The first line of each: what is wrong, without the trace.
    var sentences: [String] { all.map { String($0.prefix { $0 != "\n" }) } }

    /// Runs a test on a device whose findings come here.
    @MainActor static func from(
        _ policy: Policy = .iOS26, patience: Double = 10, _ test: @MainActor (VirtualDevice) async throws -> Void
    ) async rethrows -> Findings {
        let findings = Findings()
        let reporter = Reporter { text, _ in findings.texts.withLock { $0.append(text) } }
        let device = await VirtualDevice(
            policy, reporter: reporter, at: SourcePlace(#fileID, #filePath, #line, #column), patience: patience)
        do {
            try await test(device)
        } catch {
            await device.finish()
            throw error
        }
        await device.finish()
        return findings
    }
}
