extension TransferID {
    /// Reads what `description` gives, and nothing else; nil for what it cannot have given.
    public init?(_ description: some StringProtocol) {
        let parts = description.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let app = Int32(parts[0]), let session = Int32(parts[1]), let number = Int64(parts[2]),
            app > 0, session > 0, number > 0
        else { return nil }
        self.init(session: TransferSessionID(app: AppID(app), number: session), number: number)
        // Other ways of writing the same numbers: a sign, leading zeros.
        guard self.description == description else { return nil }
    }
}
