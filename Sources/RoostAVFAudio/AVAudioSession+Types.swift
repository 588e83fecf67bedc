import LifeCycleModel

extension AVAudioSession {
    /// The purpose of an app's sound; raw values are Apple's.
    public struct Category: RawRepresentable, Hashable, Sendable {
        /// Apple's name.
        public let rawValue: String

        /// A category by Apple's name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Sound beside the app's purpose. It mixes with the sound of others, and ends in the background.
        public static let ambient = Category(rawValue: "AVAudioSessionCategoryAmbient")
        /// The same, without mixing. This is the default.
        public static let soloAmbient = Category(rawValue: "AVAudioSessionCategorySoloAmbient")
        /// Sound that is the app's purpose, such as music.
        public static let playback = Category(rawValue: "AVAudioSessionCategoryPlayback")
        /// Recording.
        public static let record = Category(rawValue: "AVAudioSessionCategoryRecord")
        /// Sound and recording.
        public static let playAndRecord = Category(rawValue: "AVAudioSessionCategoryPlayAndRecord")
        /// Several inputs or outputs at once.
        public static let multiRoute = Category(rawValue: "AVAudioSessionCategoryMultiRoute")
    }

    /// The further purpose of an app's sound; raw values are Apple's. It has no effect.
    public struct Mode: RawRepresentable, Hashable, Sendable {
        /// Apple's name.
        public let rawValue: String

        /// A mode by Apple's name.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// No further purpose.
        public static let `default` = Mode(rawValue: "AVAudioSessionModeDefault")
        /// Two-way voice communication.
        public static let voiceChat = Mode(rawValue: "AVAudioSessionModeVoiceChat")
        /// Video communication.
        public static let videoChat = Mode(rawValue: "AVAudioSessionModeVideoChat")
        /// Voice communication in a game.
        public static let gameChat = Mode(rawValue: "AVAudioSessionModeGameChat")
        /// Recording of a movie.
        public static let videoRecording = Mode(rawValue: "AVAudioSessionModeVideoRecording")
        /// Measurement of sound.
        public static let measurement = Mode(rawValue: "AVAudioSessionModeMeasurement")
        /// Playing of a movie.
        public static let moviePlayback = Mode(rawValue: "AVAudioSessionModeMoviePlayback")
        /// Spoken audio, such as a podcast.
        public static let spokenAudio = Mode(rawValue: "AVAudioSessionModeSpokenAudio")
        /// Prompts, such as those of a navigation app.
        public static let voicePrompt = Mode(rawValue: "AVAudioSessionModeVoicePrompt")
    }

    /// The options of a category; raw values are Apple's.
    public struct CategoryOptions: OptionSet, Sendable {
        /// Apple's bits.
        public let rawValue: UInt

        /// Options by Apple's bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// The app's sound mixes with the sound of others. For `playback`, `playAndRecord` and `multiRoute`.
        public static let mixWithOthers = CategoryOptions(rawValue: 1)
        /// The same, and on iOS the sound of others becomes quieter. Also for `ambient`.
        public static let duckOthers = CategoryOptions(rawValue: 2)
        /// No effect. For `record` and `playAndRecord`.
        public static let allowBluetooth = CategoryOptions(rawValue: 4)
        /// No effect. For `playAndRecord`.
        public static let defaultToSpeaker = CategoryOptions(rawValue: 8)
        /// The same as `mixWithOthers`. On iOS it also interrupts spoken audio of others.
        public static let interruptSpokenAudioAndMixWithOthers = CategoryOptions(rawValue: 17)
        /// No effect. Not for `record` and `multiRoute`.
        public static let allowBluetoothA2DP = CategoryOptions(rawValue: 32)
        /// No effect. Not for `record` and `multiRoute`.
        public static let allowAirPlay = CategoryOptions(rawValue: 64)
    }

    /// The options of `setActive(_:options:)`; raw values are Apple's.
    public struct SetActiveOptions: OptionSet, Sendable {
        /// Apple's bits.
        public let rawValue: UInt

        /// Options by Apple's bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// Apps that the session has interrupted are told of the end of the interruption.
        public static let notifyOthersOnDeactivation = SetActiveOptions(rawValue: 1)
    }

    /// The kinds of `interruptionNotification`; raw values are Apple's.
    public enum InterruptionType: UInt, Sendable {
        /// The interruption has ended.
        case ended = 0
        /// The session is interrupted: its players are paused, and it is inactive.
        case began = 1
    }

    /// The options of an interruption's end; raw values are Apple's.
    public struct InterruptionOptions: OptionSet, Sendable {
        /// Apple's bits.
        public let rawValue: UInt

        /// Options by Apple's bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// The app played when it was interrupted, and should continue.
        public static let shouldResume = InterruptionOptions(rawValue: 1)
    }

    /// The codes of the session's errors, in the domain `NSOSStatusErrorDomain`; raw values are Apple's.
    public enum ErrorCode: Int, Sendable {
        /// '!act': a player played when the session was deactivated.
        case isBusy = 560_030_580
        /// '!int': an app in the background may not interrupt the sound of others.
        case cannotInterruptOthers = 560_557_684
        /// '!pla': an app may not play in the background without the mode `audio`, or with a category that ends there.
        case cannotStartPlaying = 561_015_905
        /// '!pri': a phone call is on, and the app would record.
        case insufficientPriority = 561_017_449
        /// A value that the session does not take.
        case badParam = -50
    }
}

extension AVAudioSession.CategoryOptions {
    /// The names of the options, for messages.
    var names: String {
        let all: [(option: Self, name: String)] = [
            (.mixWithOthers, "mixWithOthers"), (.duckOthers, "duckOthers"), (.allowBluetooth, "allowBluetooth"),
            (.defaultToSpeaker, "defaultToSpeaker"),
            (.interruptSpokenAudioAndMixWithOthers, "interruptSpokenAudioAndMixWithOthers"),
            (.allowBluetoothA2DP, "allowBluetoothA2DP"), (.allowAirPlay, "allowAirPlay"),
        ]
        let found = all.filter { contains($0.option) }.map(\.name)
        return found.isEmpty ? "\(rawValue)" : found.joined(separator: ", ")
    }
}

extension AVAudioSession.Category {
    init(_ category: AudioCategory) {
        self =
            switch category {
            case .ambient: .ambient
            case .soloAmbient: .soloAmbient
            case .playback: .playback
            case .record: .record
            case .playAndRecord: .playAndRecord
            case .multiRoute: .multiRoute
            }
    }
}

extension AudioCategory {
    /// Nil for a name that Apple does not know.
    init?(_ category: AVAudioSession.Category) {
        guard let known = Self.allCases.first(where: { AVAudioSession.Category($0) == category }) else { return nil }
        self = known
    }

    /// The options that the category takes.
    var options: AVAudioSession.CategoryOptions {
        let output: AVAudioSession.CategoryOptions = [.allowBluetoothA2DP, .allowAirPlay]
        let mixing: AVAudioSession.CategoryOptions = [.duckOthers, .interruptSpokenAudioAndMixWithOthers]
        return switch self {
        case .ambient: output.union([.duckOthers, .mixWithOthers])
        case .soloAmbient: output
        case .playback: output.union(mixing)
        case .record: .allowBluetooth
        case .playAndRecord: output.union(mixing).union([.allowBluetooth, .defaultToSpeaker])
        case .multiRoute: mixing
        }
    }
}
