import Dispatch
import Glibc
import LifeCyclePlay
import Synchronization

// Writes docs/play.html, or says whether the file is up to date with the brain: `play FILE`, `play --check FILE`.

func fail(_ message: String, code: Int32) -> Never {
    let line = "play: \(message)\n"
    _ = line.withCString { write(STDERR_FILENO, $0, strlen($0)) }
    exit(code)
}

/// The content of the file at `path`. Invalid UTF-8 is replaced.
func text(of path: String) -> String {
    guard let file = fopen(path, "r") else { fail("cannot read \(path): \(String(cString: strerror(errno)))", code: 1) }
    defer { fclose(file) }
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while case let count = fread(&buffer, 1, buffer.count, file), count > 0 { bytes += buffer[..<count] }
    return String(decoding: bytes, as: UTF8.self)
}

func save(_ text: String, to path: String) {
    let bytes = Array(text.utf8)
    guard let file = fopen(path, "w"), fwrite(bytes, 1, bytes.count, file) == bytes.count, fclose(file) == 0 else {
        fail("cannot write \(path): \(String(cString: strerror(errno)))", code: 1)
    }
}

let arguments = Array(CommandLine.arguments.dropFirst())
let isCheck = arguments.first == "--check"
guard arguments.count == (isCheck ? 2 : 1), let path = arguments.last, !path.hasPrefix("-") else {
    fail("expected [--check] and the page's file", code: 2)
}
let entries = Mutex<[Int: PlayPage.Entry]>([:])
DispatchQueue.concurrentPerform(iterations: PlayPage.places.count) { number in
    do {
        let entry = try PlayPage.Entry(PlayPage.places[number])
        entries.withLock { $0[number] = entry }
    } catch {
        fail("\(error)", code: 1)
    }
}
let page = PlayPage(entries.withLock { found in PlayPage.places.indices.compactMap { found[$0] } }).text
if !isCheck {
    save(page, to: path)
} else if text(of: path) != page {
    fail("\(path) is out of date: CORE_ONLY=1 swift run -c release --scratch-path .build-core play \(path)", code: 1)
} else {
    print("\(path) is up to date")
}
