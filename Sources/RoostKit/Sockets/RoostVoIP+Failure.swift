public import Foundation
import LifeCycleModel

extension RoostVoIP {
    /// The reason why the system does not watch a socket.
    public struct Failure: Error, Hashable, Sendable, CustomStringConvertible, LocalizedError {
        /// The kinds of failures.
        public enum Code: Hashable, Sendable {
            /// The app does not declare the mode `voip`.
            case modeNotDeclared
            /// The app, or all apps together, have as many kept sockets as the system allows.
            case tooMany
            /// The descriptor is closed, or belongs to another socket by now.
            case notOpen
            /// The descriptor is no TCP socket.
            case notTCP
            /// The TCP socket is not connected, or its connection has ended.
            case notConnected
            /// The system could not duplicate the descriptor: missing permission (`CAP_SYS_PTRACE` for root; otherwise
            /// `kernel.yama.ptrace_scope` 0 or 1), or too many open files.
            case unavailable
        }

        /// The kind of the failure.
        public let code: Code
        /// The descriptor of the socket in the app.
        public let fileDescriptor: Int32

        init(_ failure: SocketFailure, of descriptor: Int32) {
            fileDescriptor = descriptor
            code =
                switch failure {
                case .modeNotDeclared: .modeNotDeclared
                case .tooMany: .tooMany
                case .notOpen: .notOpen
                case .notTCP: .notTCP
                case .notConnected: .notConnected
                case .unavailable: .unavailable
                }
        }

        /// The failure, its reason, and what to do about it.
        public var description: String {
            "The system does not watch the socket of descriptor \(fileDescriptor) while the app is suspended: \(reason)"
        }

        /// The same as `description`.
        public var errorDescription: String? { description }

        private var reason: String {
            switch code {
            case .modeNotDeclared:
                "the app does not declare the mode. Add \"voip\" to UIBackgroundModes in Info.plist."
            case .tooMany:
                "the app, or all apps together, have as many kept sockets as the limits voipSockets and "
                    + "voipSocketsInAll allow. Drop another socket first."
            case .notOpen:
                "the descriptor is closed or dropped, or belongs to another socket by now. Keep the socket while it is "
                    + "open, and drop it before you close it."
            case .notTCP: "it is no TCP socket. Keep the descriptor of a TCP connection."
            case .notConnected:
                "it is not connected. Keep it when connect(2) has succeeded, and connect again after the end of a "
                    + "connection."
            case .unavailable:
                "the system could not duplicate the descriptor: missing permission (CAP_SYS_PTRACE for root; otherwise "
                    + "kernel.yama.ptrace_scope 0 or 1), or too many open files. Give the system the permission, or "
                    + "raise its limit of open files."
            }
        }
    }
}
