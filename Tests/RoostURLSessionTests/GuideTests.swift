import Foundation
import SourceScan
import Testing

/// The Swift in the guide to background downloads compiles, and so do both cures for names that two modules have.
@Suite struct GuideTests {
    private static let guide: String = {
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../docs/background-downloads.md").standardizedFileURL
        return (try? String(contentsOf: file, encoding: .utf8)) ?? ""
    }()

    /// The pieces of Swift in the guide.
    private static let pieces: [String] = guide.components(separatedBy: "\n```").enumerated().compactMap {
        index, part in
        guard index % 2 == 1, part.hasPrefix("swift\n") else { return nil }
        return String(part.dropFirst("swift\n".count)) + "\n"
    }

    /// A typical file of an iOS app, without any mention of Roost.
    private static let ofAnApp = """
        import Foundation
        #if canImport(FoundationNetworking)
        import FoundationNetworking
        #endif

        final class Downloader: NSObject, URLSessionDownloadDelegate, URLSessionDataDelegate {
            func urlSession(
                _ session: URLSession, downloadTask: URLSessionDownloadTask, didFinishDownloadingTo location: URL
            ) { print(downloadTask.originalRequest?.url as Any, downloadTask.response as? HTTPURLResponse as Any) }

            func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
                print((error as NSError?)?.userInfo[NSURLSessionDownloadTaskResumeData] as Any)
            }

            func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {}

            func begin(_ url: URL) async throws {
                let configuration = URLSessionConfiguration.background(withIdentifier: "a")
                configuration.isDiscretionary = true
                let session = URLSession(configuration: configuration, delegate: self, delegateQueue: .main)
                let task = session.downloadTask(with: URLRequest(url: url))
                task.earliestBeginDate = Date()
                task.resume()
                _ = await session.allTasks
                let upload: URLSessionUploadTask = session.uploadTask(with: URLRequest(url: url), fromFile: url)
                upload.resume()
                _ = try await URLSession.shared.data(for: URLRequest(url: url))
            }
        }

        """

    /// Compiles files of an app; returns the compiler's output.
    private static func compile(_ texts: [String], mode: String) throws -> (isGood: Bool, output: String) {
        let files = FileManager.default
        let directory = files.temporaryDirectory.appendingPathComponent("roosturlsession-\(UUID().uuidString)")
        try files.createDirectory(at: directory, withIntermediateDirectories: true)
        defer { try? files.removeItem(at: directory) }
        var paths: [String] = []
        for (index, text) in texts.enumerated() {
            paths.append(directory.appendingPathComponent("\(index).swift").path)
            try Data(text.utf8).write(to: URL(fileURLWithPath: paths[index]))
        }
        let log = directory.appendingPathComponent("log")
        try Data().write(to: log)
        let tests = try files.destinationOfSymbolicLink(atPath: "/proc/self/exe")
        let build = URL(fileURLWithPath: tests).deletingLastPathComponent()
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            [
                "swiftc", "-typecheck", "-parse-as-library", "-warnings-as-errors", "-swift-version", mode,
                "-module-alias", "UIKit=RoostKit", "-I", build.appendingPathComponent("Modules").path, "-Xcc",
                "-fmodule-map-file=\(build.path)/CRoostNote.build/module.modulemap",
            ] + paths
        let handle = try FileHandle(forWritingTo: log)
        process.standardOutput = handle
        process.standardError = handle
        try process.run()
        process.waitUntilExit()
        return (process.terminationStatus == 0, (try? String(contentsOf: log, encoding: .utf8)) ?? "")
    }

    @Test(arguments: pieces.indices, ["5", "6"]) func everyPieceCompiles(_ index: Int, mode: String) throws {
        let result = try Self.compile([Self.pieces[index]], mode: mode)
        #expect(result.isGood, "\(Self.pieces[index])\n\(result.output)")
    }

    @Test func theGuideHasItsPieces() {
        #expect(Self.pieces.count == 3)
        #expect(Self.pieces.contains(SessionShim.text), "the guide contains the file verbatim")
    }

    @Test(arguments: ["5", "6"]) func aFileCompilesUnchangedWithTheShim(mode: String) throws {
        let result = try Self.compile([SessionShim.text, Self.ofAnApp], mode: mode)
        #expect(result.isGood, "\(result.output)")
    }

    /// With the shim, a file need not import FoundationNetworking either, even if it is an interface for other modules.
    @Test(arguments: ["5", "6"]) func withTheShimFoundationIsEnough(mode: String) throws {
        let file = """
            import Foundation

            public final class Client {
                public let session: URLSession
                public init(session: URLSession = .shared) { self.session = session }
                public func status(of request: URLRequest) async throws -> HTTPURLResponse? {
                    try await session.data(for: request).1 as? HTTPURLResponse
                }
                public func task(_ url: URL) -> URLSessionDownloadTask { session.downloadTask(with: url) }
            }

            """
        let result = try Self.compile([SessionShim.text, file], mode: mode)
        #expect(result.isGood, "\(result.output)")
    }

    /// The reason for the shim, and a check that it contains every name that it needs.
    @Test func withoutItEachNameIsAmbiguous() throws {
        let imports = "import Foundation\nimport FoundationNetworking\nimport RoostURLSession\n"
        let uses = SessionShim.names.map { "func use(_ a: \($0)?) {}\n" }.joined()
        let result = try Self.compile([imports + uses], mode: "5")
        #expect(!result.isGood)
        for name in SessionShim.names { #expect(result.output.contains("'\(name)' is ambiguous"), "\(name)") }
        let cured = try Self.compile([SessionShim.text, imports + uses], mode: "5")
        #expect(cured.isGood, "\(cured.output)")
    }
}
