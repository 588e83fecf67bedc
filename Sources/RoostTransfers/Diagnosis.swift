internal import Glibc
internal import LifeCycleModel
internal import NIOCore
internal import NIOPosix
internal import NIOSSL

/// Examines a failure whose error is not specific enough.
struct Diagnosis {
    let loop: any EventLoop
    let names: NameLookUp
    /// The host that the request failed at.
    let host: String
    let port: Int
    let url: String

    /// The problem with more detail. For a certificate, it says whether the dates are the cause. For an unknown host,
    /// it says whether the name does not exist or its lookup failed.
    func refine(_ problem: TransferProblem) -> EventLoopFuture<TransferProblem> {
        switch problem.code {
        case URLErrorCode.certificateUntrusted:
            let url = url
            return certificate().map { $0.flatMap { dates(of: $0, url: url) } ?? problem }
                .recover { _ in problem }
        case URLErrorCode.cannotFindHost:
            return names.isSurelyNotThere(host, on: loop).map { isSurelyNotThere in
                var refined = problem
                refined.isRetryable = !isSurelyNotThere
                return refined
            }
        default: return loop.makeSucceededFuture(problem)
        }
    }

    /// The server's own certificate, trusted or not, from a TLS handshake that is then aborted.
    private func certificate() -> EventLoopFuture<NIOSSLCertificate?> {
        let found = loop.makePromise(of: NIOSSLCertificate?.self)
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.trustRoots = .certificates([])
        let host = host
        do {
            let context = try NIOSSLContext(configuration: configuration)
            ClientBootstrap(group: loop).connectTimeout(.seconds(10))
                .channelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        // SNI has no form for IP addresses.
                        let isAddress = (try? SocketAddress(ipAddress: host, port: 0)) != nil
                        let handler = try NIOSSLClientHandler(
                            context: context, serverHostname: isAddress ? nil : host,
                            customVerificationCallback: { certificates, answer in
                                found.succeed(certificates.first)
                                answer.succeed(.failed)
                            })
                        try channel.pipeline.syncOperations.addHandler(handler)
                    }
                }
                .connect(host: host, port: port)
                .whenComplete { result in
                    switch result {
                    case .success(let channel):
                        // In any case the channel is closed in the end. If the certificate was found before, these
                        // calls have no effect.
                        let end = channel.eventLoop.scheduleTask(in: .seconds(10)) { channel.close(promise: nil) }
                        channel.closeFuture.whenComplete { _ in
                            end.cancel()
                            found.succeed(nil)
                        }
                    case .failure: found.succeed(nil)
                    }
                }
        } catch {
            found.succeed(nil)
        }
        return found.futureResult
    }
}

/// The problem with a certificate's dates; nil if they are valid.
private func dates(of certificate: NIOSSLCertificate, url: String) -> TransferProblem? {
    let now = time(nil)
    if certificate.notValidAfter < now {
        return TransferProblem(
            code: URLErrorCode.certificateHasBadDate, reason: "\(url): the server's certificate has expired",
            isRetryable: false)
    }
    if certificate.notValidBefore > now {
        return TransferProblem(
            code: URLErrorCode.certificateNotYetValid,
            reason: "\(url): the server's certificate is not valid yet, or this system's clock is wrong",
            isRetryable: false
        )
    }
    return nil
}
