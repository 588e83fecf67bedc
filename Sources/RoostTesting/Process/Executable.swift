import Glibc

/// An app's executable, checked before it is started.
struct Executable {
    let path: String

    /// Finds an executable: a path, or the name of a product of the tests' package.
    init(named name: String) throws(InstallationError) {
        let directory = Self.buildDirectory
        path = name.contains("/") ? name : "\(directory)/\(name)"
        guard access(path, F_OK) == 0 else {
            throw InstallationError(
                "there is no executable \(path): name a product of the package (and make the test target depend on it, so "
                    + "that it is built), or give a path")
        }
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG, access(path, X_OK) == 0 else {
            throw InstallationError("\(path) is not a file that may be executed")
        }
        try Self.checkLinking(of: path)
    }

    /// The directory of the test's executable and the other products. The path is absolute, because processes with
    /// another working directory use it, too.
    static var buildDirectory: String {
        // Under `swift test` the executable is the test bundle, or a tool of the toolchain that has loaded the bundle.
        let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") }
        guard let path = bundle.flatMap({ realpath($0, nil) }) ?? realpath("/proc/self/exe", nil) else { return "." }
        defer { free(path) }
        return "/" + String(cString: path).split(separator: "/").dropLast().joined(separator: "/")
    }

    /// Checks for dynamic linking: only the dynamic linker can preload the clock.
    private static func checkLinking(of path: String) throws(InstallationError) {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw InstallationError("cannot read \(path): \(String(cString: strerror(errno)))") }
        defer { close(file) }
        var header = Elf64_Ehdr()
        let size = MemoryLayout<Elf64_Ehdr>.size
        let isELF =
            pread(file, &header, size, 0) == size && header.e_ident.0 == 0x7f && header.e_ident.1 == UInt8(ascii: "E")
        guard isELF else {
            throw InstallationError("\(path) is not an ELF executable: the device cannot control the clock of a script")
        }
        for index in 0..<Int(header.e_phnum) {
            var program = Elf64_Phdr()
            let place = Int(header.e_phoff) + index * Int(header.e_phentsize)
            guard pread(file, &program, MemoryLayout<Elf64_Phdr>.size, place) == MemoryLayout<Elf64_Phdr>.size else {
                break
            }
            if program.p_type == UInt32(PT_INTERP) { return }
        }
        throw InstallationError(
            "\(path) is linked statically, so that the device's clock cannot be preloaded into it: build it without "
                + "-static-executable for tests (--static-swift-stdlib is allowed)")
    }
}

extension Executable {
    /// The file's name.
    var name: String { path.split(separator: "/").last.map(String.init) ?? path }

    /// The file's directory.
    var directory: String {
        path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    }
}
