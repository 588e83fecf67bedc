extension RoostKitTable {
    static let sockets = """
        RoostVoIP = Failure drop keep
        RoostVoIP.Failure = Code code description errorDescription fileDescriptor
        RoostVoIP.Failure.Code = modeNotDeclared notConnected notOpen notTCP tooMany unavailable
        UIApplication = clearKeepAliveTimeout setKeepAliveTimeout
        """
}
