import CRoost
import Foundation
import Glibc
import LifeCycleModel
import Testing

extension Trait where Self == ConditionTrait {
    /// For tests with a real SIP peer: skipped without one, except in CI.
    static var whereSIPpIsInstalled: Self {
        .enabled(
            if: ProcessInfo.processInfo.environment["CI"] == "true" || SIPp.isInstalled,
            "there is no sipp: apt-get install sip-tester")
    }
}

/// sipp as the registrar of a telephone, which then calls it. Before each step sipp tells the test, and waits for it.
final class SIPp {
    /// The steps of a call that sipp tells.
    enum Step: String {
        /// The phone may be called.
        case ready
        /// The phone has sent `180`.
        case ringing
        /// The phone has sent `200`, and sipp `ACK`.
        case talking
        /// The last call is over.
        case done
    }

    static let program = "/usr/bin/sipp"
    static let isInstalled = FileManager.default.isExecutableFile(atPath: program)

    let port: UInt16
    private let directory: String
    private let process: ChildProcess
    private let steps: StepStream

    /// Starts sipp at a port of loopback, for this number of calls.
    init(calls: Int, port: UInt16 = SIPp.freePort(), in directory: String) throws {
        (self.port, self.directory) = (port, directory)
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        let scenario = directory + "/registrar.xml"
        try Self.scenario(calls).write(toFile: scenario, atomically: true, encoding: .utf8)
        let server = try TCPSocket()
        let logs = [("msg", "message", "messages"), ("err", "error", "errors"), ("screen", "screen", "screen")]
        let files = logs.flatMap { ["-trace_\($0.0)", "-\($0.1)_file", "\(directory)/\($0.2).log"] }
        process = try ChildProcess(
            [
                "sh", "-c", #"cd "$0" && exec "$@""#, directory, Self.program, "-sf", scenario, "-t", "t1", "-i",
                "127.0.0.1", "-p", "\(port)", "-m", "1", "-nostdin", "-timer_resol", "1", "-3pcc",
                "127.0.0.1:\(server.port)",
                "-trace_rtt", "-rtt_freq", "1",
            ] + files, environment: ProcessInfo.processInfo.environment, output: directory + "/sipp.log")
        steps = try StepStream(server)
    }

    deinit { kill() }

    /// Ends sipp, and its connections.
    func kill() { process.kill() }

    /// Waits until sipp has come to this step. Another one is a failure.
    func expect(_ step: Step) throws {
        let name: String
        do {
            name = try steps.next()
        } catch {
            throw TestFailure(description: "\(error) before \(step): \(log)")
        }
        guard name == step.rawValue else { throw TestFailure(description: "\(name) instead of \(step): \(log)") }
    }

    /// Lets sipp continue: from `ready` to the `INVITE`, and from `talking` to the `BYE`.
    func go() throws { try steps.go() }

    /// The exit of sipp, 0 if all went as its scenario says.
    func exit() throws -> Exit { try process.exit() }

    /// The end of sipp's messages and errors.
    var log: String {
        ["errors", "messages"].map { String((Kernel.text("\(directory)/\($0).log") ?? "").suffix(3000)) }
            .joined(separator: "\n")
    }

    /// The times from each `INVITE` to its `180`, in milliseconds, from the times in sipp's log of messages.
    var latencies: [Double] {
        var result: [Double] = []
        var (time, begin): (Double, Double?) = (0, nil)
        let text = Kernel.text(directory + "/messages.log") ?? ""
        for line in text.split(whereSeparator: \.isNewline) {
            // `----- 2026-11-30 09:07:56.071327`
            if line.hasPrefix("-----"), let clock = line.split(separator: " ").last {
                let parts = clock.split(separator: ":").compactMap { Double($0) }
                if parts.count == 3 { time = (parts[0] * 60 + parts[1]) * 60 + parts[2] }
            } else if line.hasPrefix("INVITE sip:") {
                begin = time
            } else if line.hasPrefix("SIP/2.0 180 "), let sent = begin {
                result.append((time - sent) * 1000)
                begin = nil
            }
        }
        return result
    }

    /// A port that no program uses.
    static func freePort() -> UInt16 { (try? TCPSocket().port) ?? 0 }
}

/// A listening TCP socket on loopback.
private final class TCPSocket {
    let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    let port: UInt16

    init() throws {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let listening = descriptor
        let code = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                bind(listening, address, size) == 0 && listen(listening, 4) == 0
                    ? getsockname(listening, address, &size) : -1
            }
        }
        guard code == 0 else { throw TestFailure(description: "there is no port: \(String(cString: strerror(errno)))") }
        port = UInt16(bigEndian: address.sin_port)
    }

    deinit { close(descriptor) }
}

/// The connection by which sipp tells its steps: its third-party call control. Each message ends with ESC.
private final class StepStream {
    private let descriptor: Int32
    private var received: [UInt8] = []
    /// sipp's name of the call, which an answer must have.
    private var call = ""

    init(_ server: TCPSocket) throws {
        guard croost_wait_for(server.descriptor, Int16(POLLIN), Int64(Deadline.patience * 1e9)) == 0 else {
            throw TestFailure(description: "sipp does not start")
        }
        descriptor = croost_accept(server.descriptor)
        guard descriptor >= 0 else { throw TestFailure(description: "sipp's connection is gone") }
    }

    deinit { close(descriptor) }

    /// Waits for the next step's name.
    func next() throws -> String {
        let deadline = Deadline()
        while true {
            if let end = received.firstIndex(of: 27) {
                let text = String(decoding: received[..<end], as: UTF8.self)
                received.removeSubrange(...end)
                let fields = text.split(whereSeparator: \.isNewline).map { $0.split(separator: ":", maxSplits: 1) }
                func value(_ name: String) -> String? {
                    fields.first { $0.count == 2 && $0[0] == name }.map {
                        $0[1].trimmingCharacters(in: .whitespaces)
                    }
                }
                call = value("Call-ID") ?? ""
                return value("Step") ?? text
            }
            waitForAny(of: [descriptor], until: deadline)
            var buffer = [UInt8](repeating: 0, count: 1024)
            let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
            guard count > 0 || (count < 0 && errno == EAGAIN && !deadline.isOver) else {
                throw TestFailure(description: count == 0 ? "sipp has ended" : "sipp says nothing")
            }
            if count > 0 { received += buffer[..<count] }
        }
    }

    func go() throws {
        let bytes = Array("Call-ID: \(call)\r\nStep: go\r\n\r\n\u{1B}".utf8)
        guard send(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL)) == bytes.count else {
            throw TestFailure(description: "sipp has ended")
        }
    }
}

extension SIPp {
    /// A registration, and then calls on the same connection. Each has a `Call-ID` of its own: sipp ignores the part
    /// before `///`.
    private static func scenario(_ calls: Int) -> String {
        """
        <?xml version="1.0" encoding="ISO-8859-1" ?>
        <!DOCTYPE scenario SYSTEM "sipp.dtd">
        <scenario name="registrar">
          <recv request="REGISTER"/>
          <send><![CDATA[

            SIP/2.0 200 OK
            [last_Via:]
            [last_From:]
            [last_To:];tag=[pid]registrar
            [last_Call-ID:]
            [last_CSeq:]
            [last_Contact:]
            Expires: 1800
            Content-Length: 0

          ]]></send>
          <nop><action><assign assign_to="number" value="0"/></action></nop>
          <label id="1"/>
          <nop><action><add assign_to="number" value="1"/></action></nop>
          \(tell(.ready))
          <recvCmd/>
          <send start_rtd="1"><![CDATA[

            INVITE sip:phone@[local_ip] SIP/2.0
            \(fields("INVITE", 1, to: "To: <sip:phone@[local_ip]>"))
            Record-Route: <sip:[local_ip]:[local_port];transport=tcp;lr>
            Contact: <sip:ada@[local_ip]:[local_port];transport=tcp>
            Content-Type: application/sdp
            Content-Length: [len]

            v=0
            o=ada 1 1 IN IP[local_ip_type] [local_ip]
            s=-
            c=IN IP[local_ip_type] [local_ip]
            t=0 0
            m=audio 6000 RTP/AVP 0

          ]]></send>
          <recv response="100"/>
          <recv response="180" rtd="1" repeat_rtd="true"/>
          \(tell(.ringing))
          <recv response="200"/>
          <send><![CDATA[

            ACK sip:phone@[local_ip] SIP/2.0
            \(fields("ACK", 1, to: "[last_To:]"))
            Content-Length: 0

          ]]></send>
          \(tell(.talking))
          <recvCmd/>
          <send><![CDATA[

            BYE sip:phone@[local_ip] SIP/2.0
            \(fields("BYE", 2, to: "[last_To:]"))
            Content-Length: 0

          ]]></send>
          <recv response="200"/>
          <nop><action>
            <test assign_to="more" variable="number" compare="less_than" value="\(calls)"/>
          </action></nop>
          <nop next="1" test="more"/>
          \(tell(.done))
        </scenario>
        """
    }

    private static func fields(_ method: String, _ sequence: Int, to: String) -> String {
        """
        Via: SIP/2.0/[transport] [local_ip]:[local_port];branch=[branch]
            From: "Ada" <sip:ada@[local_ip]:[local_port]>;tag=[pid]caller[$number]
            \(to)
            Call-ID: [$number]///[call_id]
            CSeq: \(sequence) \(method)
            Max-Forwards: 70
        """
    }

    private static func tell(_ step: Step) -> String {
        """
        <sendCmd><![CDATA[
            Call-ID: [call_id]
            Step: \(step.rawValue)

          ]]></sendCmd>
        """
    }
}
