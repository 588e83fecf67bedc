public import RoostPorts

/// Starts and ends the processes of one helper program. A helper reads the data of a peer that the supervisor does not
/// trust: `roost-carry` that of servers, `roost-gps` that of gpsd.
public protocol HelperStarter: AnyObject {
    /// Starts a process and returns the supervisor's end of its stream, which the caller closes. The process may still
    /// be starting. If the start fails later, the stream hangs up.
    func startHelper(_ number: Int64) throws(SystemError) -> Int32

    /// Ends the process with this number, even if it is busy. Does nothing if the process has gone.
    func endHelper(_ number: Int64)
}
