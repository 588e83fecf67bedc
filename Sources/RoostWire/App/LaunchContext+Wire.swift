import LifeCycleModel

/// The format of the launch context in an app's environment.
extension LaunchContext {
    init(_ fields: JSONField) throws(WireError) {
        self.init(
            reason: try fields["reason"].choice(), backgroundTime: Nanoseconds(try fields["backgroundTime"].whole()),
            isMultitaskingSupported: try fields["isMultitaskingSupported"].bool(),
            sceneSession: (try fields["sceneSession"].ifGiven?.whole(Int32.self)).map(SceneSessionID.init),
            principalClass: try fields["principalClass"].ifGiven?.string(),
            isPrewarmed: try fields["isPrewarmed"].ifGiven?.bool() ?? false,
            newsstandDownloads: try fields["newsstandDownloads"].ifGiven?.strings() ?? [],
            keepAliveFloor: (try fields["keepAliveFloor"].ifGiven?.whole()).map { Nanoseconds($0) })
    }

    var json: JSON {
        .object([
            "backgroundTime": .integer(backgroundTime.rawValue),
            "isMultitaskingSupported": .bool(isMultitaskingSupported), "isPrewarmed": .bool(isPrewarmed),
            "keepAliveFloor": keepAliveFloor.map { .integer($0.rawValue) },
            "newsstandDownloads": newsstandDownloads.isEmpty ? nil : .array(newsstandDownloads.map { .string($0) }),
            "principalClass": principalClass.map { .string($0) },
            "reason": .string(reason.rawValue),
            "sceneSession": sceneSession.map { .integer(Int64($0.rawValue)) },
        ])
    }
}

extension JSONField {
    /// A list of texts.
    fileprivate func strings() throws(WireError) -> [String] {
        var strings: [String] = []
        for element in try list() { strings.append(try element.string()) }
        return strings
    }
}
