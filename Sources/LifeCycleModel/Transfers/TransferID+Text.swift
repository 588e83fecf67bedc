extension TransferID {
    /// Parses the output of `description`; nil for any other text.
    public init?(_ description: some StringProtocol) {
        let parts = description.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let app = Int32(parts[0]), let session = Int32(parts[1]), let number = Int64(parts[2]),
            app > 0, session > 0, number > 0
        else { return nil }
        self.init(session: TransferSessionID(app: AppID(app), number: session), number: number)
        // This rejects other forms of the same numbers, with a sign or leading zeros.
        guard self.description == description else { return nil }
    }
}
