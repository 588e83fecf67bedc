import LifeCycleModel
import RoostPorts

@testable import RoostRuntime

/// A watch without sockets: the test decides its reports.
final class FakeSockets: SocketWatch {
    var descriptor: Int32 { reports.descriptor }
    /// The work so far, and the pid of the process of each piece.
    private(set) var work: [(output: SocketOutput, pid: Int32?)] = []
    private let reports: Mailbox<SocketInput>

    init() throws { reports = try Mailbox() }

    /// Makes the watch send a report.
    func report(_ report: SocketInput) { reports.post(report) }

    func perform(_ output: SocketOutput, on process: ProcessHandle?) { work.append((output, process?.pid)) }

    func takeReports() -> [SocketInput] { reports.takeAll() }
}
