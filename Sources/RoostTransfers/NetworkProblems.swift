internal import CRoostCurl
internal import Glibc
internal import LifeCycleModel

/// The failure of a request, in libcurl's terms.
struct RequestFailure: Error {
    var code: CURLcode
    /// The error number of the failed system call, for failures to connect, to send and to receive; 0 if there was none.
    var errno: Int32 = 0
    /// OpenSSL's code for a rejected certificate, `X509_V_ERR_…`; 0 if there was none.
    var verification = 0
    /// libcurl's own message.
    var text = ""
    /// The refused address that the request led to.
    var refused: RefusedAddress?

    /// Whether the server ended the handshake because it supports none of the offered protocols.
    var refusesHTTP1: Bool {
        // The number is that of OpenSSL, which has no text for it in some versions.
        code == CURLE_SSL_CONNECT_ERROR
            && (text.contains("no application protocol") || text.contains("reason(1120)"))
    }

    /// Whether the connection ended before any part of an answer.
    var isWithoutAnswer: Bool { [CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR].contains(code) }

    private static let expired = 10
    private static let notYetValid = 9

    /// The problem for the transfer. `url` is that of the last request.
    func problem(url: String, host: String, redirects: Int) -> TransferProblem {
        switch code {
        case CURLE_COULDNT_RESOLVE_HOST:
            return TransferProblem(
                code: URLErrorCode.cannotFindHost, reason: "\(url): the host \(host) was not found", isRetryable: true)
        case CURLE_COULDNT_CONNECT: return refused.map { .refused($0, url: url) } ?? connection(url: url)
        case CURLE_OPERATION_TIMEDOUT:
            return TransferProblem(
                code: URLErrorCode.timedOut, reason: "\(url): the connection timed out", isRetryable: true)
        case CURLE_SSL_CONNECT_ERROR: return handshake(url: url)
        case CURLE_PEER_FAILED_VERIFICATION: return certificate(url: url)
        case CURLE_SSL_CACERT_BADFILE:
            return .secure(url: url, "cannot read the additional certificates")
        case CURLE_TOO_MANY_REDIRECTS: return .tooManyRedirects(url, limit: redirects)
        case CURLE_URL_MALFORMAT: return .badURL(url)
        case CURLE_GOT_NOTHING,
            CURLE_SEND_ERROR where errno == EPIPE, CURLE_RECV_ERROR where errno == EPIPE:
            return .lost(url: url, "the server closed it")
        case CURLE_UNSUPPORTED_PROTOCOL, CURLE_WEIRD_SERVER_REPLY, CURLE_BAD_CONTENT_ENCODING, CURLE_WRITE_ERROR:
            return TransferProblem(
                code: URLErrorCode.badServerResponse, reason: "\(url): the server does not speak HTTP (\(message))",
                isRetryable: true)
        case CURLE_SEND_ERROR where errno != 0, CURLE_RECV_ERROR where errno != 0:
            return .lost(url: url, String(cString: strerror(errno)))
        default: return .lost(url: url, message)
        }
    }

    private var message: String { text.isEmpty ? String(cString: curl_easy_strerror(code)) : text }

    private func connection(url: String) -> TransferProblem {
        if [ENETUNREACH, ENETDOWN].contains(errno) {
            return TransferProblem(
                code: URLErrorCode.notConnected, reason: "\(url): there is no network", isRetryable: true)
        }
        let reason = errno == 0 ? "no answer" : String(cString: strerror(errno))
        return TransferProblem(
            code: URLErrorCode.cannotConnectToHost, reason: "\(url): cannot connect to the server: \(reason)",
            isRetryable: true)
    }

    private func handshake(url: String) -> TransferProblem {
        // libcurl has one code for all failures of the handshake.
        if ["SSL_ERROR_SYSCALL", "unexpected eof", "Recv failure", "Send failure"].contains(where: text.contains) {
            return .lost(url: url, "the server closed it during the handshake (\(text))")
        }
        return .secure(url: url, "the handshake failed (\(message))")
    }

    private func certificate(url: String) -> TransferProblem {
        let (code, fault) =
            switch verification {
            case Self.expired: (URLErrorCode.certificateHasBadDate, "has expired")
            case Self.notYetValid:
                (URLErrorCode.certificateNotYetValid, "is not valid yet, or this system's clock is wrong")
            // libcurl's value before it has seen OpenSSL's result.
            case 0, 1: (URLErrorCode.certificateUntrusted, "is for another host")
            default:
                (URLErrorCode.certificateUntrusted, "is not signed by an authority that this system trusts")
            }
        return TransferProblem(code: code, reason: "\(url): the server's certificate \(fault)", isRetryable: false)
    }
}

extension TransferProblem {
    fileprivate static func lost(url: String, _ reason: String) -> Self {
        Self(code: URLErrorCode.connectionLost, reason: "\(url): the connection was lost: \(reason)", isRetryable: true)
    }

    fileprivate static func secure(url: String, _ reason: String) -> Self {
        Self(
            code: URLErrorCode.secureConnectionFailed, reason: "\(url): no secure connection could be made: \(reason)",
            isRetryable: false)
    }
}
