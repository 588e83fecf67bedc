import ArgumentParser
import FoundationEssentials
import Glibc
import RoostLinux
import RoostPorts
import RoostRuntime

/// Builds a Swift package, and assembles a bundle from one of its apps, as in Examples/build. The bundle has the
/// executable and the `Info.plist` from its target's folder.
struct PackageBuild {
    let package: String
    /// The build directory.
    let scratch: String
    /// The app's product; nil if the package has only one app.
    let product: String?
    /// `debug` or `release`.
    let configuration: String

    /// Builds the app and returns the bundle's path. Throws an exit code after printing the error.
    func bundle() throws -> String {
        let description = try describe()
        let app = try choose(of: apps(description))
        let build = ["build", "--package-path", package, "--scratch-path", scratch, "-c", configuration]
        try swift(build + ["--product", app.product], output: .errors)
        let folder = try TemporaryDirectory("roost-build-")
        let file = folder.path + "/bin"
        try swift(build + ["--show-bin-path"], output: .file(file))
        let said = withExtendedLifetime(folder) { (try? String(contentsOfFile: file, encoding: .utf8)) ?? "" }
        let bin = said.split(separator: "\n").last ?? ""
        return try putTogether(app, String(bin))
    }

    /// An executable product with an `Info.plist`.
    private struct App {
        let product: String
        let plist: String
    }

    // MARK: Description of the package

    private struct Description: Decodable {
        struct Target: Decodable {
            let name: String
            let type: String
            let path: String
        }
        struct Product: Decodable {
            let name: String
            let targets: [String]
        }
        let targets: [Target]
        let products: [Product]
    }

    private func describe() throws -> Description {
        let folder = try TemporaryDirectory("roost-build-")
        let file = folder.path + "/package.json"
        try swift(
            ["package", "--package-path", package, "--scratch-path", scratch, "describe", "--type", "json"],
            output: .file(file))
        let bytes = withExtendedLifetime(folder) { FileManager.default.contents(atPath: file) ?? Data() }
        // The tool may print something before the JSON.
        let json = bytes.firstIndex(of: UInt8(ascii: "{")).map { bytes[$0...] } ?? bytes
        do {
            return try JSONDecoder().decode(Description.self, from: Data(json))
        } catch {
            throw Failure.failed("cannot read the output of `swift package describe` for \(package): \(error)")
        }
    }

    private func apps(_ description: Description) -> [App] {
        let executables = description.targets.filter { $0.type == "executable" }
        return executables.compactMap { target in
            let product = description.products.first { $0.targets.contains(target.name) }?.name ?? target.name
            var places = ["\(package)/\(target.path)/Info.plist"]
            if executables.count == 1 { places.append(package + "/Info.plist") }
            return places.first { FileManager.default.fileExists(atPath: $0) }.map { App(product: product, plist: $0) }
        }
    }

    private func choose(of apps: [App]) throws -> App {
        let names = apps.map(\.product).joined(separator: ", ")
        guard !apps.isEmpty else {
            throw Failure.failed(
                "no executable of \(Output.visible(package)) has an Info.plist in its target's folder: an app needs one, "
                    + "with CFBundleIdentifier and CFBundleExecutable; `roost new` makes an app that has it all")
        }
        if let product {
            guard let app = apps.first(where: { $0.product == product }) else {
                throw Failure.failed("there is no app \"\(Output.visible(product))\" in the package: it has \(names)")
            }
            return app
        }
        guard apps.count == 1 else {
            throw Failure.failed("the package has several apps: choose one with --product: \(names)")
        }
        return apps[0]
    }

    // MARK: Build

    private func putTogether(_ app: App, _ bin: String) throws -> String {
        let bundle = "\(scratch)/apps/\(app.product).app"
        let files = FileManager.default
        do {
            try TreeRemoval.remove(bundle)
            try files.createDirectory(atPath: bundle, withIntermediateDirectories: true)
            try files.copyItem(atPath: app.plist, toPath: bundle + "/Info.plist")
            try files.copyItem(atPath: "\(bin)/\(app.product)", toPath: "\(bundle)/\(app.product)")
            // Foundation looks here for the resources of `Bundle.module`.
            for name in try files.contentsOfDirectory(atPath: bin) where name.hasSuffix(".resources") {
                try files.copyItem(atPath: "\(bin)/\(name)", toPath: "\(bundle)/\(name)")
            }
        } catch {
            throw Failure.failed("cannot create the bundle \(Output.visible(bundle)): \(error)")
        }
        return bundle
    }

    /// Runs the toolchain and waits for it. Signals for this process are passed on.
    private func swift(_ arguments: [String], output: ChildProgram.Output) throws {
        let signals = [SIGINT, SIGTERM, SIGHUP]
        EventLoop.holdBack(signals)
        let child = try ChildProgram(
            "swift", ["swift"] + arguments, environment: LinuxProcesses.ownEnvironment, output: output)
        var interruption: Int32?
        do throws(SystemError) {
            let loop = try EventLoop()
            try loop.watchSignals(signals) {
                interruption = $0
                child.send($0)
            }
            try loop.add(child.pidfd, events: .readable) { _ in loop.stop() }
            loop.run()
            loop.remove(child.pidfd)
        } catch {
            throw Failure.failed(error.description)
        }
        if let interruption { throw ExitCode(128 + interruption) }
        guard child.exitCode == 0 else {
            throw Failure.failed("`swift \(arguments[0])` failed for \(Output.visible(package)): see above")
        }
    }
}
