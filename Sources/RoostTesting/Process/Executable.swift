import Glibc

/// An app's executable, looked at before anything of it is started.
struct Executable {
    let path: String

    /// Looks for `name`: a path, or the name of a product of the package the tests are of.
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

    /// Where the test's own executable lies, and the products beside it: an absolute path, since it is also handed to processes
    /// that run elsewhere.
    static var buildDirectory: String {
        // Under `swift test` it is the bundle, or a helper of the toolchain's that has loaded it.
        let bundle = CommandLine.arguments.first { $0.hasSuffix(".xctest") }
        guard let path = bundle.flatMap({ realpath($0, nil) }) ?? realpath("/proc/self/exe", nil) else { return "." }
        defer { free(path) }
        return "/" + String(cString: path).split(separator: "/").dropLast().joined(separator: "/")
    }

    /// The clock is preloaded, which only the dynamic linker does.
    private static func checkLinking(of path: String) throws(InstallationError) {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw InstallationError("\(path) can't be read: \(String(cString: strerror(errno)))") }
        defer { close(file) }
        var header = Elf64_Ehdr()
        let size = MemoryLayout<Elf64_Ehdr>.size
        let isELF =
            pread(file, &header, size, 0) == size && header.e_ident.0 == 0x7f && header.e_ident.1 == UInt8(ascii: "E")
        guard isELF else {
            throw InstallationError("\(path) is no ELF executable: a script has no clock of its own to be moved")
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
            "\(path) is linked statically, so that the device's clock can't be preloaded into it: build it without "
                + "-static-executable for tests (--static-swift-stdlib is no hindrance)")
    }
}

extension Executable {
    /// The name of its file.
    var name: String { path.split(separator: "/").last.map(String.init) ?? path }

    /// The directory it lies in.
    var directory: String {
        path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
    }
}
