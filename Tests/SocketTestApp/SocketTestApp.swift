import Foundation
import UIKit

/// A VoIP app of the time before PushKit. It stays connected to the server at the port `Port` of its Info.plist, asks
/// the system to keep the socket, and answers each line of the server. Some lines are orders:
///
/// - `second`: connect again, and keep that socket too.
/// - `drop`: drop the socket, and close it.
/// - `keep-alive`: set another keep-alive handler, which is called every three seconds.
/// - `crash`, `exit`: end the process.
@main
final class AppDelegate: UIResponder, UIApplicationDelegate {
    private var sources: [Int32: any DispatchSourceRead] = [:]

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        print("launched in the", application.applicationState == .background ? "background" : "foreground")
        let isSet = [UIMinimumKeepAliveTimeout - 0.1, UIMinimumKeepAliveTimeout].map {
            application.setKeepAliveTimeout($0, handler: { print("keep alive") })
        }
        print("keep-alive", isSet[0], isSet[1])
        dial()
        return true
    }

    private func dial() {
        let text = Bundle.main.object(forInfoDictionaryKey: "Port") as? String
        guard let port = text.flatMap({ UInt16($0) }) else { return print("no port") }
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        let code = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard code == 0 else { return print("not connected:", String(cString: strerror(errno))) }
        let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .main)
        source.setEventHandler { [weak self] in MainActor.assumeIsolated { self?.read(descriptor) } }
        sources[descriptor] = source
        source.resume()
        Task { await keep(descriptor) }
    }

    private func keep(_ descriptor: Int32) async {
        do {
            try await RoostVoIP.keep(fileDescriptor: descriptor)
            print("kept")
        } catch {
            print("not kept:", (error as? RoostVoIP.Failure).map { "\($0.code)" } ?? "\(error)")
        }
    }

    private func read(_ descriptor: Int32) {
        var buffer = [UInt8](repeating: 0, count: 1024)
        let count = recv(descriptor, &buffer, buffer.count, Int32(MSG_DONTWAIT))
        if count > 0 {
            let lines = String(decoding: buffer[..<count], as: UTF8.self).split(separator: "\n")
            for line in lines { obey(line, on: descriptor) }
        } else if count == 0 || errno != EAGAIN {
            print("the peer has ended the connection")
            end(descriptor)
        }
    }

    private func obey(_ line: Substring, on descriptor: Int32) {
        switch line {
        case "second": dial()
        case "drop": end(descriptor)
        case "keep-alive":
            let isSet = UIApplication.shared.setKeepAliveTimeout(3) { print("keep alive") }
            print("keep-alive 3", isSet)
        case "crash": abort()
        case "exit": exit(0)
        default:
            let answer = "echo \(line)\n"
            send(descriptor, answer, answer.utf8.count, Int32(MSG_NOSIGNAL))
        }
    }

    private func end(_ descriptor: Int32) {
        RoostVoIP.drop(fileDescriptor: descriptor)
        // The descriptor is closed once the source no longer uses it.
        sources[descriptor]?.setCancelHandler { close(descriptor) }
        sources.removeValue(forKey: descriptor)?.cancel()
    }
}
