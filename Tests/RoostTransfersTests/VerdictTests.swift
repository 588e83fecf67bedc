import LifeCycleModel
import Testing

@testable import RoostTransfers

/// The consequences of an answer's head, as a table.
@Suite struct VerdictTests {
    private static let date = "Sun, 06 Nov 1994 08:49:37 GMT"
    private static let earlier = "Sun, 06 Nov 1994 08:49:36 GMT"

    private func answer(_ status: Int32, _ fields: KeyValuePairs<String, String>) -> Answer {
        Answer(
            response: TransferResponse(
                url: "http://x/", status: status, fields: fields.map { HTTPField(name: $0.key, value: $0.value) }))
    }

    private func rest(_ offset: Int64 = 100, validator: String = "\"a\"", expected: Int64? = 200) -> Question {
        Question(offset: offset, validator: validator, expected: expected)
    }

    private func whole(_ length: Int64?, _ validator: String? = nil) -> Verdict {
        .take(ExpectedBody(offset: 0, length: length, total: length, validator: validator))
    }

    @Test func theWhole() {
        #expect(answer(200, ["Content-Length": "5"]).verdict(to: Question(), at: .zero) == whole(5))
        #expect(answer(200, [:]).verdict(to: Question(), at: .zero) == whole(nil))
        #expect(answer(404, ["content-length": "5", "ETag": "\"a\""]).verdict(to: Question(), at: .zero) == whole(5))
        #expect(
            answer(200, ["Content-Length": "5", "etag": "\"a\""]).verdict(to: rest(), at: .zero) == whole(5, "\"a\""))
        #expect(
            answer(200, ["Content-Length": "5"]).verdict(to: Question(method: "HEAD"), at: .zero) == whole(0))
        #expect(answer(204, ["Content-Length": "5"]).verdict(to: Question(), at: .zero) == whole(0))
        #expect(
            answer(200, ["Content-Length": "+5", "ETag": "\"a\""]).verdict(to: Question(hasBody: true), at: .zero)
                == whole(nil))
    }

    @Test func aMatchingPartialAnswerIsTaken() {
        let fields: KeyValuePairs = [
            "Content-Range": "bytes 100-199/200", "Content-Length": "100", "ETag": "\"a\"",
        ]
        let body = ExpectedBody(offset: 100, length: 100, total: 200, validator: "\"a\"")
        #expect(answer(206, fields).verdict(to: rest(), at: .zero) == .take(body))
        #expect(answer(206, fields).verdict(to: rest(expected: nil), at: .zero) == .take(body))
        // By the date of the last change.
        #expect(
            answer(206, ["Content-Range": "bytes 100-199/*", "Last-Modified": Self.date])
                .verdict(to: rest(validator: Self.date), at: .zero)
                == .take(ExpectedBody(offset: 100, length: 100, total: 200, validator: Self.date)))
        // Without the date, the version of this part is unknown.
        #expect(
            answer(206, ["Content-Range": "bytes 100-199/200", "Content-Length": "100"])
                .verdict(to: rest(validator: Self.date), at: .zero) == .askForWhole)
    }

    @Test(arguments: [
        ["Content-Range": "bytes 100-199/200"], ["ETag": "\"a\""],
        ["Content-Range": "bytes 100-199/200", "ETag": "\"b\""],
        ["Content-Range": "bytes 100-199/200", "ETag": "W/\"a\""],
        ["Content-Range": "bytes 99-199/200", "ETag": "\"a\""],
        ["Content-Range": "bytes 0-199/200", "ETag": "\"a\""],
        ["Content-Range": "bytes 100-198/199", "ETag": "\"a\""],
        ["Content-Range": "bytes 100-200/201", "ETag": "\"a\""],
        ["Content-Range": "bytes 100-199/200", "ETag": "\"a\"", "Content-Length": "101"],
        ["Content-Range": "bytes 100-200/200", "ETag": "\"a\""],
        ["Content-Range": "bytes 199-100/200", "ETag": "\"a\""],
        ["Content-Range": "lines 100-199/200", "ETag": "\"a\""],
        ["Content-Range": "bytes 100-/200", "ETag": "\"a\""],
        ["Content-Range": "bytes +100-199/200", "ETag": "\"a\""],
        ["Content-Type": "multipart/byteranges; boundary=x", "ETag": "\"a\""],
    ])
    func mismatchedPartialAnswersAreRestarted(fields: [String: String]) {
        let answer = Answer(
            response: TransferResponse(
                url: "http://x/", status: 206,
                fields: fields.sorted { $0.key < $1.key }.map { HTTPField(name: $0.key, value: $0.value) }))
        #expect(answer.verdict(to: rest(), at: .zero) == .askForWhole)
    }

    @Test func otherAnswersToARange() {
        #expect(answer(416, [:]).verdict(to: rest(), at: .zero) == .askForWhole)
        #expect(answer(416, ["Content-Length": "0"]).verdict(to: Question(), at: .zero) == whole(0))
        #expect(
            answer(206, ["Content-Range": "bytes 100-199/*", "Last-Modified": Self.earlier])
                .verdict(to: rest(validator: Self.date), at: .zero) == .askForWhole)
        #expect(
            answer(206, ["Content-Range": "bytes 100-199/*", "ETag": "\"a\""])
                .verdict(to: rest(expected: nil), at: .zero) == .askForWhole)
        guard case .fail(let problem) = answer(206, [:]).verdict(to: Question(), at: .zero) else {
            Issue.record("an unrequested part was accepted")
            return
        }
        #expect(problem.code == -1011)
        // The app has asked for this range itself.
        #expect(answer(206, ["Content-Length": "5"]).verdict(to: Question(hasOwnRange: true), at: .zero) == whole(5))
    }

    /// The received bytes stay valid: an error instead of the rest is not part of the file.
    @Test(arguments: [408, 500, 502, 504, 599] as [Int32]) func anErrorInPlaceOfTheRestMayPass(status: Int32) {
        let answer = answer(status, ["Content-Length": "5", "Retry-After": "7"])
        guard case .fail(let problem) = answer.verdict(to: rest(), at: .zero) else {
            Issue.record("the error was accepted as an answer")
            return
        }
        #expect(
            problem.isRetryable && problem.code == -1011 && problem.retryAfter == .seconds(7) && !problem.wastesBytes)
        #expect(answer.verdict(to: Question(), at: .zero) == whole(5), "for the whole file it is an answer, as on iOS")
    }

    @Test func validatorsIdentifyAVersion() {
        #expect(answer(200, ["ETag": "\"a\"", "Last-Modified": Self.earlier, "Date": Self.date]).validator == "\"a\"")
        #expect(answer(200, ["ETag": "W/\"a\""]).validator == nil)
        #expect(
            answer(200, ["ETag": "W/\"a\"", "Last-Modified": Self.earlier, "Date": Self.date]).validator
                == Self.earlier)
        // The resource changed in the second in which it was sent, so it may have changed again.
        #expect(answer(200, ["Last-Modified": Self.date, "Date": Self.date]).validator == nil)
        #expect(answer(200, ["Last-Modified": Self.earlier]).validator == nil)
        #expect(answer(200, ["ETag": "\"a\"", "Accept-Ranges": "none"]).validator == nil)
        #expect(answer(200, ["ETag": "\""]).validator == nil)
        #expect(answer(200, ["ETag": "a"]).validator == nil)
    }

    @Test func retryAfterIsParsed() {
        let now = Nanoseconds.seconds(784_111_777)
        #expect(answer(503, ["Retry-After": "120"]).retryAfter(at: .zero) == .seconds(120))
        #expect(answer(503, ["Retry-After": "99999999999999999999"]).retryAfter(at: .zero) == nil)
        #expect(answer(503, ["Retry-After": "9999999999"]).retryAfter(at: .zero) == .seconds(604_800))
        #expect(
            answer(503, ["Retry-After": "Sun, 06 Nov 1994 08:51:37 GMT"]).retryAfter(at: now) == .seconds(120))
        #expect(
            answer(503, ["Retry-After": "Sunday, 06-Nov-94 08:51:37 GMT", "Date": Self.date]).retryAfter(at: .zero)
                == .seconds(120))
        #expect(answer(503, ["Retry-After": "Sun Nov  6 08:51:37 1994"]).retryAfter(at: now) == .seconds(120))
        #expect(answer(503, ["Retry-After": Self.date]).retryAfter(at: .seconds(900_000_000)) == .zero)
        #expect(answer(503, ["Retry-After": "soon"]).retryAfter(at: .zero) == nil)
        #expect(answer(503, [:]).retryAfter(at: .zero) == nil)
    }

    @Test func faultsOfAHead() {
        #expect(answer(200, ["Transfer-Encoding": "br"]).fault != nil)
        #expect(answer(200, ["Content-Length": "+5"]).fault != nil)
        #expect(answer(200, ["Transfer-Encoding": "Chunked", "Content-Length": "x"]).fault == nil)
        #expect(answer(200, ["Content-Length": "5"]).fault == nil)
    }

    @Test func aRedirectNeedsALocation() {
        #expect(answer(302, ["Location": "ftp://x/"]).redirect == "ftp://x/")
        #expect(answer(200, ["Location": "/x"]).redirect == nil)
        #expect(answer(302, ["Location": ""]).redirect == nil)
        #expect(answer(302, ["Content-Length": "2"]).redirect == nil)
        #expect(answer(302, ["Content-Length": "2"]).verdict(to: Question(), at: .zero) == whole(2))
    }
}
