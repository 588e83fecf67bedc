internal import AsyncHTTPClient
internal import Glibc
internal import LifeCycleModel
internal import NIOCore
internal import NIOHTTP1
internal import NIOPosix
internal import NIOSSL

extension TransferProblem {
    /// The problem for a failed request. `url` is that of the last request.
    static func network(_ error: any Error, url: String, redirects: Int) -> Self {
        switch error {
        case let error as HTTPClientError: client(error, url: url, redirects: redirects)
        case let error as NIOConnectionError: connection(error, url: url)
        case let error as IOError: system(error.errnoCode, url: url)
        case let error as NIOSSLError: tls(error, url: url)
        case let error as RefusedAddress: refused(error, url: url)
        case is NIOSSLExtraError: hostname(url: url)
        case is BoringSSLError: secure(url: url, "\(error)")
        case let error as HTTPParserError: parser(error, url: url)
        case ChannelError.connectTimeout: cannotConnect(url: url, "no answer")
        default: lost(url: url, "\(error)")
        }
    }

    private static func client(_ error: HTTPClientError, url: String, redirects: Int) -> Self {
        switch error {
        case .redirectLimitReached, .redirectCycleDetected: tooManyRedirects(url, limit: redirects)
        case .connectTimeout, .getConnectionFromPoolTimeout:
            Self(
                code: URLErrorCode.timedOut, reason: "\(url): the connection timed out",
                isRetryable: true)
        case .readTimeout, .writeTimeout, .deadlineExceeded:
            Self(code: URLErrorCode.timedOut, reason: "\(url): nothing arrived in time", isRetryable: true)
        case .tlsHandshakeTimeout: secure(url: url, "the handshake took too long", isRetryable: true)
        case .invalidURL, .emptyHost, .emptyScheme: badURL(url)
        case .remoteConnectionClosed: lost(url: url, "the server closed it")
        default:
            error.isOfRequest ? badRequest(url, error.shortDescription) : lost(url: url, error.shortDescription)
        }
    }

    private static func connection(_ error: NIOConnectionError, url: String) -> Self {
        if error.connectionErrors.isEmpty {
            return Self(
                code: URLErrorCode.cannotFindHost, reason: "\(url): the host \(error.host) was not found",
                isRetryable: true
            )
        }
        // TLS could not be set up.
        if let inner = error.connectionErrors.lazy.compactMap({ $0.error as? NIOSSLError }).first {
            return tls(inner, url: url)
        }
        let codes = error.connectionErrors.compactMap { ($0.error as? IOError)?.errnoCode }
        if codes.count == error.connectionErrors.count, codes.allSatisfy({ $0 == ENETUNREACH }) {
            return system(ENETUNREACH, url: url)
        }
        let reason = codes.first.map { String(cString: strerror($0)) } ?? "no answer"
        return cannotConnect(url: url, reason)
    }

    private static func system(_ code: Int32, url: String) -> Self {
        let reason = String(cString: strerror(code))
        return switch code {
        case ECONNREFUSED, EHOSTUNREACH, EADDRNOTAVAIL: cannotConnect(url: url, reason)
        case ENETUNREACH, ENETDOWN:
            Self(code: URLErrorCode.notConnected, reason: "\(url): there is no network", isRetryable: true)
        case ETIMEDOUT:
            Self(code: URLErrorCode.timedOut, reason: "\(url): the server no longer answers", isRetryable: true)
        default: lost(url: url, reason)
        }
    }

    private static func tls(_ error: NIOSSLError, url: String) -> Self {
        switch error {
        case .unableToValidateCertificate, .noCertificateToValidate: untrusted(url: url)
        case .handshakeFailed(let inner):
            if "\(inner)".contains("CERTIFICATE_VERIFY_FAILED") {
                untrusted(url: url)
            } else if inner == .sslError([.eofDuringHandshake]) {
                lost(url: url, "the server closed it during the handshake")
            } else {
                secure(url: url, "the handshake failed (\(inner))")
            }
        case .uncleanShutdown: lost(url: url, "it ended without a TLS close alert")
        case .noSuchFilesystemObject, .failedToLoadCertificate:
            secure(url: url, "cannot read the additional certificates")
        default: secure(url: url, "\(error)")
        }
    }

    private static func parser(_ error: HTTPParserError, url: String) -> Self {
        if error == .invalidEOFState { return lost(url: url, "the server closed it") }
        return Self(
            code: URLErrorCode.badServerResponse, reason: "\(url): the server does not speak HTTP (\(error))",
            isRetryable: true)
    }

    private static func cannotConnect(url: String, _ reason: String) -> Self {
        Self(
            code: URLErrorCode.cannotConnectToHost, reason: "\(url): cannot connect to the server: \(reason)",
            isRetryable: true)
    }

    private static func lost(url: String, _ reason: String) -> Self {
        Self(code: URLErrorCode.connectionLost, reason: "\(url): the connection was lost: \(reason)", isRetryable: true)
    }

    private static func secure(url: String, _ reason: String, isRetryable: Bool = false) -> Self {
        Self(
            code: URLErrorCode.secureConnectionFailed, reason: "\(url): no secure connection could be made: \(reason)",
            isRetryable: isRetryable)
    }

    private static func hostname(url: String) -> Self {
        Self(
            code: URLErrorCode.certificateUntrusted, reason: "\(url): the server's certificate is for another host",
            isRetryable: false)
    }

    /// The chain does not lead to a trusted root. `Diagnosis` finds out whether that is due to the certificate's dates.
    static func untrusted(url: String) -> Self {
        Self(
            code: URLErrorCode.certificateUntrusted,
            reason: "\(url): the server's certificate is not signed by an authority that this system trusts",
            isRetryable: false)
    }
}

extension HTTPClientError {
    /// Whether the request itself is invalid, for any server.
    fileprivate var isOfRequest: Bool {
        let description = "\(self)"
        let names = [
            "invalidHeaderField", "identityCoding", "traceRequestWithBody", "chunkedSpecified", "unsupportedScheme",
        ]
        return names.contains { description.contains($0) }
    }
}

extension Error {
    /// Whether the server ended the handshake because it supports none of the offered protocols.
    var refusesHTTP1: Bool {
        guard case .handshakeFailed(let inner)? = self as? NIOSSLError else { return false }
        return "\(inner)".contains("NO_APPLICATION_PROTOCOL")
    }
}
