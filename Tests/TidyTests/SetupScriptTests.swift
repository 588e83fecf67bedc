import Foundation
import Testing

/// `scripts/setup` with an `apt-get` that replaces the machine's own.
@Suite struct SetupScriptTests {
    /// First the archives are locked. Then no package is known until the lists are updated.
    private static let aptGet = """
        #!/bin/sh
        cd "$(dirname "$0")"
        echo "$*" >> calls
        case "$*" in
        *install*)
            [ -e locked ] || { touch locked; echo "E: Could not get lock /var/cache/apt/archives/lock." >&2; exit 100; }
            [ -e updated ] || { echo "E: Unable to locate package" >&2; exit 100; };;
        *update*) touch updated;;
        esac
        """

    /// Runs the script, with these programs before the machine's own; returns its exit status and its errors.
    private func setup(in folder: URL, _ programs: [String: String]) throws -> (status: Int32, errors: String) {
        for (name, text) in programs {
            let path = folder.appendingPathComponent(name).path
            try text.write(toFile: path, atomically: true, encoding: .utf8)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: path)
        }
        let script = Process()
        let errors = Pipe()
        script.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        script.arguments = ["bash", Repository.top.appendingPathComponent("scripts/setup").path]
        var environment = ProcessInfo.processInfo.environment
        environment["PATH"] = folder.path + ":" + (environment["PATH"] ?? "/usr/bin:/bin")
        environment["extra_packages"] = "roost-test-package"
        script.environment = environment
        script.standardError = errors
        script.standardOutput = FileHandle.nullDevice
        try script.run()
        let said = errors.fileHandleForReading.readDataToEndOfFile()
        script.waitUntilExit()
        return (script.terminationStatus, String(decoding: said, as: UTF8.self))
    }

    private func withFolder(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("roost-setup-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder)
    }

    private static let sudo = "#!/bin/sh\n[ \"$1\" = -n ] && shift\nexec \"$@\"\n"

    /// The updater of a fresh machine holds the locks for a while. The script waits, with apt-get's own option if
    /// possible.
    @Test func waitsForTheLocks() throws {
        try withFolder { folder in
            let (status, errors) = try setup(in: folder, ["apt-get": Self.aptGet, "sudo": Self.sudo])
            #expect(status == 0, "\(errors)")
            let calls = try String(contentsOf: folder.appendingPathComponent("calls"), encoding: .utf8)
                .split(separator: "\n")
            #expect(calls.map { $0.contains("install") } == [true, true, false, true], "\(calls)")
            #expect(calls.allSatisfy { $0.contains("-o DPkg::Lock::Timeout=600") }, "\(calls)")
        }
    }

    @Test func errorsOfAptGetAreReported() throws {
        try withFolder { folder in
            let broken = "#!/bin/sh\necho 'E: No space left on device' >&2\nexit 100\n"
            let (status, errors) = try setup(in: folder, ["apt-get": broken, "sudo": Self.sudo])
            #expect(status != 0 && errors.contains("No space left on device"), "\(errors)")
        }
    }
}
