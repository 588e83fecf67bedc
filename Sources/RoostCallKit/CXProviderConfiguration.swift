public import Foundation

/// The settings of a provider. Roost draws no calls: the values are stored and have no effect.
open class CXProviderConfiguration: NSObject {
    /// The name of the provider; nil after `init()`.
    public let localizedName: String?
    /// The name of the sound that rings; nil for the usual one.
    open var ringtoneSound: String?
    /// The icon of the provider.
    open var iconTemplateImageData: Data?
    /// The most groups of calls.
    open var maximumCallGroups = 2
    /// The most calls of a group.
    open var maximumCallsPerCallGroup = 5
    /// Whether the calls are listed after their end.
    open var includesCallsInRecents = true
    /// Whether calls may have video.
    open var supportsVideo = false
    /// The kinds of handles of the calls.
    open var supportedHandleTypes: Set<CXHandle.HandleType> = []

    /// Creates settings.
    public override init() {
        localizedName = nil
        super.init()
    }

    /// Creates settings with a name, as before iOS 14.
    public init(localizedName: String) {
        self.localizedName = localizedName
        super.init()
    }
}
