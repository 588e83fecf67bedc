import Synchronization

@testable import RoostTesting

/// The failures that a device would have reported to its test.
final class Findings: Sendable {
    private let texts = Mutex<[String]>([])

    var all: [String] { texts.withLock { $0 } }
    /// The first line of each finding: the fault, without the trace.
    var sentences: [String] { all.map { String($0.prefix { $0 != "\n" }) } }

    /// Runs a test on a device whose findings are collected here.
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
