internal import Glibc
internal import LifeCycleModel
internal import NIOCore
internal import NIOPosix
internal import NIOSSL

/// Looks closer at a failure whose error does not say enough.
struct Diagnosis {
    let loop: any EventLoop
    let names: NameLookUp
    /// Where it failed.
    let host: String
    let port: Int
    let url: String

    /// The problem, with what could be found out: whether a certificate failed for its dates, and whether a host is
    /// surely not there or only its name could not be asked for.
    func refine(_ problem: TransferProblem) -> EventLoopFuture<TransferProblem> {
        switch problem.code {
        case URLErrorCode.certificateUntrusted:
            let url = url
            return certificate().map { $0.flatMap { dates(of: $0, url: url) } ?? problem }
                .recover { _ in problem }
        case URLErrorCode.cannotFindHost:
            return names.isSurelyNotThere(host, on: loop).map { isSurelyNotThere in
                var refined = problem
                refined.mayPass = !isSurelyNotThere
                return refined
            }
        default: return loop.makeSucceededFuture(problem)
        }
    }

    /// The server's own certificate, trusted or not. Nothing is said to it but hello.
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
                        // An address is no name to ask for.
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
                        // Whatever else happens, it comes to an end: too late for this where it was found before.
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

/// The problem with a certificate's dates, where there is one.
private func dates(of certificate: NIOSSLCertificate, url: String) -> TransferProblem? {
    let now = time(nil)
    if certificate.notValidAfter < now {
        return TransferProblem(
            code: URLErrorCode.certificateHasBadDate, reason: "\(url): the server's certificate has expired",
            mayPass: false)
    }
    if certificate.notValidBefore > now {
        return TransferProblem(
            code: URLErrorCode.certificateNotYetValid,
            reason: "\(url): the server's certificate is not valid yet, or this system's clock is wrong", mayPass: false
        )
    }
    return nil
}
