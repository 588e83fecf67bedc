import Foundation
import LifeCycleModel

/// The errors of audio: those of Apple, in the domain `NSOSStatusErrorDomain`, with a text for the app's author.
enum AudioError {
    /// A file that does not exist, or cannot be read: `fnfErr`.
    static let noFile = -43
    /// 'typ?': `kAudioFileUnsupportedFileTypeError`.
    static let fileType = 1_954_115_647
    /// 'fmt?': `kAudioFileUnsupportedDataFormatError`.
    static let dataFormat = 1_718_449_215

    static func make(_ code: Int, _ text: String) -> NSError {
        NSError(domain: NSOSStatusErrorDomain, code: code, userInfo: [NSLocalizedDescriptionKey: text])
    }

    static func badParameter(_ text: String) -> NSError { make(AVAudioSession.ErrorCode.badParam.rawValue, text) }

    static func session(_ failure: AudioFailure) -> NSError {
        make(AVAudioSession.ErrorCode(failure).rawValue, text(failure))
    }

    private static func text(_ failure: AudioFailure) -> String {
        switch failure {
        case .isBusy: "The session is inactive now, although a player played: pause or stop the players first."
        case .cannotStartPlaying:
            "The app is in the background: it needs \"audio\" in UIBackgroundModes in Info.plist, and a category that "
                + "continues there, such as playback."
        case .cannotInterruptOthers:
            "The app is in the background, where it may not interrupt the sound of other apps: activate the session in "
                + "the foreground, or set the option mixWithOthers."
        case .insufficientPriority: "A phone call is on: the app cannot record."
        }
    }
}

extension AVAudioSession.ErrorCode {
    fileprivate init(_ failure: AudioFailure) {
        self =
            switch failure {
            case .isBusy: .isBusy
            case .cannotStartPlaying: .cannotStartPlaying
            case .cannotInterruptOthers: .cannotInterruptOthers
            case .insufficientPriority: .insufficientPriority
            }
    }
}
