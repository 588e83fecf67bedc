import FoundationEssentials
import RoostWire
import Testing

/// The interfaces' files say what the program says of itself.
@Suite struct InterfaceFileTests {
    @Test func theFilesAreTheDescriptions() throws {
        for interface in [VarlinkInterface.app, .control, .service] { try check(interface) }
    }

    private func check(_ interface: VarlinkInterface) throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let file = root.appending(path: "Sources/RoostWire/Interfaces/\(interface.name).varlink")
        #expect(try String(contentsOf: file, encoding: .utf8) == interface.description)
    }
}
