import FoundationEssentials
import LifeCycleModel
import Testing

/// Kept sockets, their records, and the words about them.
@Suite struct SocketModelTests {
    private static let launch = LaunchID(app: AppID(1), number: 2)
    private static let socket = KeptSocket(id: SocketID(rawValue: 7), descriptor: 5)

    /// The numbers are stored and sent.
    @Test func failuresKeepTheirNumbers() {
        #expect(SocketFailure.allCases.map(\.rawValue) == [0, 1, 2, 3, 4, 5])
        #expect(SocketFailure.modeNotDeclared.rawValue == 0 && SocketFailure.unavailable.rawValue == 5)
    }

    @Test func socketsAreInTheOrderOfTheirNumbers() {
        #expect(Self.socket.id < SocketID(rawValue: 8) && Self.socket.id.description == "7")
    }

    @Test func theHandlerHasApplesName() {
        let call = ConcernCall.socket(.keepAlive)
        #expect(call.name == "keepAliveHandler" && call.signature == "setKeepAliveTimeout(_:handler:)")
        #expect(call.handler(of: CallbackID(1)) == nil && ConcernCall.names.contains(call.name))
    }

    /// One call is enough, no matter how many intervals are over.
    @Test func aCallTakesThePlaceOfAnother() {
        let call = ConcernCall.socket(.keepAlive)
        #expect(call.replaces(call) && !call.withdraws(call))
        #expect(!call.replaces(.voip(.audio(isActive: true))))
    }

    @Test func anEmptyRecordSaysNothing() throws {
        var record = SocketRecord(launch: Self.launch)
        #expect(record.isEmpty)
        record.keepAlive = .seconds(600)
        #expect(!record.isEmpty)
        (record.sockets, record.keepAlive) = ([Self.socket], nil)
        #expect(!record.isEmpty)
        #expect(try JSONDecoder().decode(SocketRecord.self, from: JSONEncoder().encode(record)) == record)
        #expect([ConcernRecord.socket(.client(record))].sockets == [record])
    }

    @Test func aReportAsksForNoApp() {
        for input in [.taken(Self.launch, Self.socket.id, nil), .readable(Self.launch, Self.socket.id, isOver: true)]
            as [SocketInput]
        {
            #expect(ConcernInput.socket(input).appAskedFor == nil)
        }
    }
}
