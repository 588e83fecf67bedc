import ArgumentParser
import Foundation
import LifeCycleModel
import RoostWire

/// Hands an app a remote notification.
struct Push: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Send an app a remote notification, as its provider does.",
        discussion: """
            The payload is checked as Apple's service checks it: a JSON object of at most 4096 bytes, whose "aps" the system \
            reads. With "content-available": 1 it wakes an app that declares remote-notification in UIBackgroundModes and \
            has registered; silent ones do so three times an hour, and the newest beyond that is held back. What has an alert, \
            a badge or a sound is shown to the user, unless the app is in front: "roost notifications" lists it.
            """)

    @OptionGroup var state: StateOptions
    @OptionGroup var app: AppArgument
    @Option(help: ArgumentHelp("The file with the payload; - for the standard input.", valueName: "file"))
    var payload: String

    @OptionGroup var output: OutputOptions

    func run() throws {
        let notification: RemoteNotification
        do {
            notification = try RemoteNotification(payload: try read())
        } catch let fault as PayloadFault {
            throw ValidationError("\(payload == "-" ? "the standard input" : payload): \(fault)")
        }
        try output.print(ControlClient(to: state).decisions(.push(app.app, notification)))
    }

    /// No more than tells that it is too much.
    private func read() throws -> [UInt8] {
        let file: FileHandle
        if payload == "-" {
            file = .standardInput
        } else {
            do {
                file = try FileHandle(forReadingFrom: URL(fileURLWithPath: payload))
            } catch {
                throw ValidationError("\(payload) can't be read: \(error.localizedDescription)")
            }
        }
        do {
            return Array(try file.read(upToCount: 1 << 20) ?? Data())
        } catch {
            throw ValidationError("\(payload) can't be read: \(error.localizedDescription)")
        }
    }
}
