internal import Glibc
internal import LifeCycleModel
internal import RoostPorts

/// The codes of `NSURLErrorDomain` that the engine uses.
enum URLErrorCode {
    static let badURL: Int32 = -1000
    static let timedOut: Int32 = -1001
    static let unsupportedURL: Int32 = -1002
    static let cannotFindHost: Int32 = -1003
    static let cannotConnectToHost: Int32 = -1004
    static let connectionLost: Int32 = -1005
    static let tooManyRedirects: Int32 = -1007
    static let notConnected: Int32 = -1009
    static let badServerResponse: Int32 = -1011
    static let secureConnectionFailed: Int32 = -1200
    static let certificateHasBadDate: Int32 = -1201
    static let certificateUntrusted: Int32 = -1202
    static let certificateHasUnknownRoot: Int32 = -1203
    static let certificateNotYetValid: Int32 = -1204
    static let cannotCreateFile: Int32 = -3000
    static let cannotOpenFile: Int32 = -3001
    static let cannotWriteToFile: Int32 = -3003
}

extension SystemError {
    var isForLackOfRoom: Bool { errno == ENOSPC || errno == EDQUOT }
    /// Whether a retry may succeed, after a lack of disk space, descriptors or memory.
    var isRetryable: Bool { isForLackOfRoom || errno == EMFILE || errno == ENFILE || errno == ENOMEM }
}

extension TransferProblem {
    static func badURL(_ url: String) -> Self {
        Self(code: URLErrorCode.badURL, reason: "“\(url)” is not a URL", isRetryable: false)
    }

    static func unusable(_ url: String, _ fault: WebAddress.Fault) -> Self {
        Self(code: fault.code, reason: "cannot download “\(url)”: \(fault)", isRetryable: false)
    }

    /// A redirect to a URL that cannot be connected to.
    static func unusableRedirect(from url: String, to location: String, _ fault: WebAddress.Fault) -> Self {
        Self(
            code: fault.code, reason: "\(url) redirects to “\(location)”, which cannot be followed: \(fault)",
            isRetryable: false)
    }

    /// An address that downloads must not reach.
    static func refused(_ address: RefusedAddress, url: String) -> Self {
        Self(
            code: URLErrorCode.cannotConnectToHost,
            reason: "\(url) leads to \(address.text), a link-local or metadata address that downloads may not reach; "
                + "to allow it, set ROOST_LINK_LOCAL=allow for `roost up`",
            isRetryable: false)
    }

    static func badRequest(_ url: String, _ what: String) -> Self {
        Self(code: URLErrorCode.badURL, reason: "cannot send the request for \(url): \(what)", isRetryable: false)
    }

    static func timedOut(_ url: String, after time: Nanoseconds) -> Self {
        Self(code: URLErrorCode.timedOut, reason: "\(url): nothing arrived for \(time)", isRetryable: true)
    }

    static func endedEarly(_ url: String, received: Int64, expected: Int64?) -> Self {
        let whole = expected.map { " of \($0)" } ?? ""
        return Self(
            code: URLErrorCode.connectionLost,
            reason: "\(url): the connection was lost after \(received)\(whole) bytes", isRetryable: true)
    }

    static func tooMuch(_ url: String, expected: Int64) -> Self {
        var problem = Self(
            code: URLErrorCode.badServerResponse,
            reason: "\(url): the server sent more than the \(expected) bytes it had announced", isRetryable: true)
        problem.wastesBytes = true
        return problem
    }

    static func tooManyRedirects(_ url: String, limit: Int) -> Self {
        Self(
            code: URLErrorCode.tooManyRedirects, reason: "\(url): more than \(limit) redirects, one after the other",
            isRetryable: false)
    }

    static func busy(_ response: TransferResponse, retryAfter: Nanoseconds?) -> Self {
        let request = retryAfter.map { " and asks clients to wait \($0)" } ?? ""
        let what = response.status == 429 ? "too many requests (429)" : "it is unavailable (503)"
        return Self(
            code: URLErrorCode.badServerResponse, reason: "\(response.url): the server says \(what)\(request)",
            isRetryable: true, retryAfter: retryAfter)
    }

    static func noRest(_ response: TransferResponse, retryAfter: Nanoseconds?) -> Self {
        Self(
            code: URLErrorCode.badServerResponse,
            reason: "\(response.url): the server answers a request for the rest with \(response.status)",
            isRetryable: true,
            retryAfter: retryAfter)
    }

    static func unusableStatus(_ response: TransferResponse) -> Self {
        Self(
            code: URLErrorCode.badServerResponse,
            reason: "\(response.url): the server answers with the status \(response.status), which HTTP does not have",
            isRetryable: true)
    }

    static func unaskedPart(_ response: TransferResponse) -> Self {
        Self(
            code: URLErrorCode.badServerResponse,
            reason: "\(response.url): the server sent a part (206), but the whole file was requested", isRetryable: true
        )
    }

    /// One of the engine's own files could not be created or written.
    static func disk(_ error: SystemError, url: String) -> Self {
        let isForLackOfRoom = error.isForLackOfRoom
        var problem = Self(
            code: error.doing.hasPrefix("create") ? URLErrorCode.cannotCreateFile : URLErrorCode.cannotWriteToFile,
            reason: isForLackOfRoom ? "\(url): the disk is full" : "\(url): \(error)",
            isRetryable: error.isRetryable)
        problem.isForLackOfRoom = isForLackOfRoom
        return problem
    }
}
