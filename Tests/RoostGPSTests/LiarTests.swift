import Foundation
import LifeCycleModel
import RoostGPS
import Testing

/// A `roost-gps` that an attacker controls.
@Suite struct LiarTests {
    /// A program in place of `roost-gps` that sends these bytes, and then neither reads nor ends.
    private func liar(saying bytes: [UInt8], in directory: String) throws -> String {
        let program = directory + "/liar"
        try Data(bytes).write(to: URL(fileURLWithPath: program + ".bytes"))
        let script = """
            #!/usr/bin/python3
            import signal, socket
            stream = socket.socket(fileno=3)
            stream.sendall(open("\(program).bytes", "rb").read())
            signal.pause()
            """
        try GPSRig.write(script, toProgram: program)
        return program
    }

    private static func position(_ latitude: Int32, accuracy: Int32 = 5) -> [UInt8] {
        let numbers = [latitude, 0, accuracy].flatMap { number in withUnsafeBytes(of: number.littleEndian) { Array($0) }
        }
        return [13, 0, 0, 0, 0] + numbers
    }

    private static let lies: [(what: String, bytes: [UInt8])] = [
        ("no message", [1, 0, 0, 0, 9]), ("a length that is too large", [255, 255, 255, 127]),
        ("a message cut short", [5, 0, 0, 0, 0, 1, 2, 3, 4]), ("an empty message", [0, 0, 0, 0]),
        ("a latitude that does not exist", position(900_000_001)), ("a negative accuracy", position(1, accuracy: -1)),
        ("a position and more", [14] + position(1).dropFirst() + [0]),
        ("too many positions", (1...3000).flatMap { position($0) }),
        ("a reason that is too long", [0xFF, 3, 0, 0, 1, 0xFA, 3, 0, 0] + [UInt8](repeating: 65, count: 1018)),
        ("a reason that is not UTF-8", [7, 0, 0, 0, 1, 2, 0, 0, 0, 0xFF, 0xFE]),
    ]

    @Test(arguments: lies.indices) func aLiarIsEnded(index: Int) throws {
        let directory = try TemporaryDirectory()
        let rig = try GPSRig(port: 1, program: try liar(saying: Self.lies[index].bytes, in: directory.path))
        rig.source.setReceiver(true)
        #expect(try rig.ending().hasSuffix("sent an invalid message"), "\(Self.lies[index].what)")
        #expect(rig.pids.isEmpty && rig.positions.count <= 100)
    }

    /// The last words become one line, without control characters.
    @Test func aReasonIsShownAsOneLine() throws {
        let directory = try TemporaryDirectory()
        let bytes = GPSWord.gaveUp("a\n\u{1B}[2Jb" + String(repeating: "c", count: 700)).frame + Self.position(1)
        let rig = try GPSRig(port: 1, program: try liar(saying: bytes, in: directory.path))
        rig.source.setReceiver(true)
        let reason = try rig.ending()
        #expect(reason.hasPrefix("a\\u{a}\\u{1b}[2Jbccc") && reason.count == LocationInput.longestReason)
        #expect(rig.positions.isEmpty && rig.pids.isEmpty)
    }
}
