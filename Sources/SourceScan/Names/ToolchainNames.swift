/// The names that modules of the toolchain declare on Linux: types, and of Foundation the functions and constants
/// that begin with a capital. `scripts/scan-names` writes them; a test asks the compiler for each type.
enum ToolchainNames {
    /// The names of Swift itself and of the modules that the compiler imports implicitly.
    static let swift: Set<String> = names(
        """
        Actor AdditiveArithmetic AnyBidirectionalCollection AnyClass AnyCollection AnyHashable AnyIndex AnyIterator
        AnyKeyPath AnyObject AnyRandomAccessCollection AnyRegexOutput AnySequence Array ArrayLiteralConvertible
        ArraySlice AsyncCompactMapSequence AsyncDropFirstSequence AsyncDropWhileSequence AsyncFilterSequence
        AsyncFlatMapSequence AsyncIteratorProtocol AsyncMapSequence AsyncPrefixSequence AsyncPrefixWhileSequence
        AsyncSequence AsyncStream AsyncThrowingCompactMapSequence AsyncThrowingDropWhileSequence
        AsyncThrowingFilterSequence AsyncThrowingFlatMapSequence AsyncThrowingMapSequence
        AsyncThrowingPrefixWhileSequence AsyncThrowingStream BidirectionalCollection BidirectionalIndexable
        BidirectionalSlice BinaryFloatingPoint BinaryInteger BitwiseCopyable Bool BooleanLiteralConvertible
        BooleanLiteralType CBool CChar CChar16 CChar32 CChar8 CDouble CFloat CFloat16 CInt CLong CLongDouble CLongLong
        CShort CSignedChar CUnsignedChar CUnsignedInt CUnsignedLong CUnsignedLongLong CUnsignedShort CVaListPointer
        CVarArg CWideChar CancellationError CaseIterable Character CheckedContinuation Clock ClosedRange
        ClosedRangeIndex Codable CodingKey CodingKeyRepresentable CodingUserInfoKey Collection CollectionDifference
        CollectionOfOne CommandLine Comparable ConcurrentValue ContiguousArray ContinuousClock Copyable
        CountableClosedRange CountablePartialRangeFrom CountableRange CustomConsumingRegexComponent
        CustomDebugStringConvertible CustomLeafReflectable CustomPlaygroundDisplayConvertible
        CustomPlaygroundQuickLookable CustomReflectable CustomStringConvertible Decodable Decoder DecodingError
        DefaultBidirectionalIndices DefaultIndices DefaultRandomAccessIndices DefaultStringInterpolation Dictionary
        DictionaryIndex DictionaryIterator DictionaryLiteral DictionaryLiteralConvertible DiscardingTaskGroup
        DiscontiguousSlice Double DropFirstSequence DropWhileSequence Duration DurationProtocol EmptyCollection
        EmptyIterator Encodable Encoder EncodingError EnumeratedIterator EnumeratedSequence Equatable Error Escapable
        Executor ExecutorJob ExpressibleByArrayLiteral ExpressibleByBooleanLiteral ExpressibleByDictionaryLiteral
        ExpressibleByExtendedGraphemeClusterLiteral ExpressibleByFloatLiteral ExpressibleByIntegerLiteral
        ExpressibleByNilLiteral ExpressibleByStringInterpolation ExpressibleByStringLiteral
        ExpressibleByUnicodeScalarLiteral ExtendedGraphemeClusterLiteralConvertible ExtendedGraphemeClusterType
        FixedWidthInteger FlattenBidirectionalCollection FlattenBidirectionalCollectionIndex FlattenCollection
        FlattenCollectionIndex FlattenSequence Float Float16 Float32 Float64 Float80 FloatLiteralConvertible
        FloatLiteralType FloatingPoint FloatingPointClassification FloatingPointRoundingRule FloatingPointSign
        GlobalActor Hashable Hasher Identifiable Indexable IndexableBase IndexingIterator InlineArray InstantProtocol
        Int Int128 Int16 Int32 Int64 Int8 IntegerLiteralConvertible IntegerLiteralType IteratorOverOne IteratorProtocol
        IteratorSequence Job JobPriority JoinedIterator JoinedSequence KeyPath KeyValuePairs KeyedDecodingContainer
        KeyedDecodingContainerProtocol KeyedEncodingContainer KeyedEncodingContainerProtocol LazyBidirectionalCollection
        LazyCollection LazyCollectionProtocol LazyDropWhileBidirectionalCollection LazyDropWhileCollection
        LazyDropWhileIndex LazyDropWhileIterator LazyDropWhileSequence LazyFilterBidirectionalCollection
        LazyFilterCollection LazyFilterIndex LazyFilterIterator LazyFilterSequence LazyMapBidirectionalCollection
        LazyMapCollection LazyMapIterator LazyMapRandomAccessCollection LazyMapSequence
        LazyPrefixWhileBidirectionalCollection LazyPrefixWhileCollection LazyPrefixWhileIndex LazyPrefixWhileIterator
        LazyPrefixWhileSequence LazyRandomAccessCollection LazySequence LazySequenceProtocol LosslessStringConvertible
        MainActor ManagedBuffer ManagedBufferPointer MemoryLayout Mirror MirrorPath MutableBidirectionalSlice
        MutableCollection MutableIndexable MutableRandomAccessSlice MutableRangeReplaceableBidirectionalSlice
        MutableRangeReplaceableRandomAccessSlice MutableRangeReplaceableSlice MutableRawSpan MutableSlice MutableSpan
        Never NilLiteralConvertible Numeric ObjectIdentifier OpaquePointer OptionSet Optional OutputRawSpan OutputSpan
        PartialKeyPath PartialRangeFrom PartialRangeThrough PartialRangeUpTo PlaygroundQuickLook PrefixSequence
        RandomAccessCollection RandomAccessIndexable RandomAccessSlice RandomNumberGenerator Range RangeExpression
        RangeReplaceableBidirectionalSlice RangeReplaceableCollection RangeReplaceableIndexable
        RangeReplaceableRandomAccessSlice RangeReplaceableSlice RangeSet RawRepresentable RawSpan
        ReferenceWritableKeyPath Regex RegexComponent RegexRepetitionBehavior RegexSemanticLevel RegexWordBoundaryKind
        Repeated Result ReversedCollection ReversedIndex ReversedRandomAccessCollection SIMD SIMD16 SIMD2 SIMD3 SIMD32
        SIMD4 SIMD64 SIMD8 SIMDMask SIMDScalar SIMDStorage Sendable SendableMetatype Sequence SerialExecutor Set
        SetAlgebra SetIndex SetIterator SignedInteger SignedNumeric SingleValueDecodingContainer
        SingleValueEncodingContainer Slice Span StaticBigInt StaticString StrideThrough StrideThroughIterator StrideTo
        StrideToIterator Strideable String StringInterpolationConvertible StringInterpolationProtocol
        StringLiteralConvertible StringLiteralType StringProtocol Substring SuspendingClock SystemRandomNumberGenerator
        Task TaskExecutor TaskGroup TaskPriority TextOutputStream TextOutputStreamable ThrowingDiscardingTaskGroup
        ThrowingTaskGroup UInt UInt128 UInt16 UInt32 UInt64 UInt8 UTF16 UTF32 UTF8 UTF8Span UnboundedRange
        UnboundedRange_ UnfoldFirstSequence UnfoldSequence Unicode UnicodeCodec UnicodeDecodingResult UnicodeScalar
        UnicodeScalarLiteralConvertible UnicodeScalarType UnkeyedDecodingContainer UnkeyedEncodingContainer Unmanaged
        UnownedJob UnownedSerialExecutor UnownedTaskExecutor UnsafeBufferPointer UnsafeBufferPointerIterator
        UnsafeConcurrentValue UnsafeContinuation UnsafeCurrentTask UnsafeMutableBufferPointer UnsafeMutablePointer
        UnsafeMutableRawBufferPointer UnsafeMutableRawBufferPointerIterator UnsafeMutableRawPointer UnsafePointer
        UnsafeRawBufferPointer UnsafeRawBufferPointerIterator UnsafeRawPointer UnsafeSendable UnsafeThrowingContinuation
        UnsignedInteger Void WritableKeyPath Zip2Iterator Zip2Sequence
        """)

    /// Dispatch.
    static let dispatch: Set<String> = names(
        """
        DispatchData DispatchDataIterator DispatchGroup DispatchIO DispatchObject DispatchPredicate DispatchQoS
        DispatchQueue DispatchSemaphore DispatchSource DispatchSourceHandler DispatchSourceProtocol DispatchSourceRead
        DispatchSourceSignal DispatchSourceTimer DispatchSourceUserDataAdd DispatchSourceUserDataOr
        DispatchSourceUserDataReplace DispatchSourceWrite DispatchSpecificKey DispatchTime DispatchTimeInterval
        DispatchTimeoutResult DispatchWallTime DispatchWorkItem DispatchWorkItemFlags
        """)

    /// Foundation's types on Linux, without its networking.
    static let foundation: Set<String> = names(
        """
        AffineTransform AlignmentOptions AttributeContainer AttributeDynamicLookup AttributeScope
        AttributeScopeCodableConfiguration AttributeScopes AttributedString AttributedStringAttributeMutation
        AttributedStringKey AttributedStringProtocol AttributedSubstring BlockOperation Bundle ByteCountFormatStyle
        ByteCountFormatter CGFloat CGPoint CGRect CGRectEdge CGSize Calendar CharacterSet CocoaError
        CodableAttributedStringKey CodableConfiguration CodableWithConfiguration ComparableComparator Comparator
        ComparisonResult ContiguousBytes CurrencyFormatStyleConfiguration CustomNSError Data DataProtocol Date
        DateComponents DateFormatter DateInterval DateIntervalFormatter Decimal DecodableAttributedStringKey
        DecodableWithConfiguration DecodingConfigurationProviding DescriptiveNumberFormatConfiguration Dimension
        DiscontiguousAttributedSubstring DiscreteFormatStyle EncodableAttributedStringKey EncodableWithConfiguration
        EncodingConfigurationProviding EnergyFormatter Expression FileAttributeKey FileAttributeType FileHandle
        FileManager FileManagerDelegate FileProtectionType FloatingPointFormatStyle FloatingPointParseStrategy
        FormatStyle FormatStyleCapitalizationContext Formatter Host ISO8601DateFormatter IndexPath IndexSet
        InflectionRule InputStream IntegerFormatStyle IntegerParseStrategy JSONDecoder JSONEncoder JSONSerialization
        KeyPathComparator LengthFormatter ListFormatStyle Locale LocalizedError MarkdownDecodableAttributedStringKey
        MassFormatter Measurement Morphology MutableDataProtocol NSAffineTransform NSAffineTransformStruct NSArray
        NSAttributedString NSBinarySearchingOptions NSCache NSCacheDelegate NSCalendar NSCharacterSet NSCoder NSCoding
        NSComparisonPredicate NSCompoundPredicate NSCondition NSConditionLock NSCopying NSCountedSet NSData NSDate
        NSDateComponents NSDateInterval NSDecimalNumber NSDecimalNumberBehaviors NSDecimalNumberHandler NSDictionary
        NSEdgeInsets NSEnumerationOptions NSEnumerator NSError NSErrorDomain NSExceptionName NSExpression NSIndexPath
        NSIndexSet NSIndexSetIterator NSKeyedArchiver NSKeyedArchiverDelegate NSKeyedUnarchiver
        NSKeyedUnarchiverDelegate NSLocale NSLock NSLocking NSMeasurement NSMutableArray NSMutableAttributedString
        NSMutableCharacterSet NSMutableCopying NSMutableData NSMutableDictionary NSMutableIndexSet NSMutableOrderedSet
        NSMutableSet NSMutableString NSNotification NSNull NSNumber NSObject NSObjectProtocol NSOrderedSet NSOrthography
        NSPersonNameComponents NSPoint NSPointArray NSPointPointer NSPredicate NSRange NSRangePointer NSRect NSRectArray
        NSRectEdge NSRectPointer NSRecursiveLock NSRegularExpression NSSecureCoding NSSet NSSize NSSizeArray
        NSSizePointer NSSortDescriptor NSSortOptions NSString NSTextCheckingKey NSTextCheckingResult NSTimeZone NSURL
        NSURLComponents NSURLQueryItem NSUUID NSValue NSZone Notification NotificationCenter NotificationQueue
        NumberFormatStyleConfiguration NumberFormatter ObjCBool OperatingSystemVersion Operation OperationQueue
        OutputStream POSIXError ParseStrategy ParseableFormatStyle PersonNameComponents PersonNameComponentsFormatter
        Pipe Port PortDelegate PortMessage Predicate PredicateBindings PredicateError PredicateExpression
        PredicateExpressions Process ProcessInfo Progress ProgressKind ProgressReporting ProgressUserInfoKey
        PropertyListDecoder PropertyListEncoder PropertyListSerialization QualityOfService RecoverableError
        ReferenceConvertible RunLoop Scanner ScopedAttributeContainer SocketNativeHandle SocketPort SortComparator
        SortDescriptor SortOrder StandardPredicateExpression Stream StreamDelegate StreamNetworkServiceTypeValue
        StreamSOCKSProxyConfiguration StreamSOCKSProxyVersion StreamSocketSecurityLevel StringStyle StringTransform
        Thread TimeInterval TimeZone Timer URL URLComponents URLError URLFileResourceType URLQueryItem URLResourceKey
        URLResourceValues UUID Unit UnitAcceleration UnitAngle UnitArea UnitConcentrationMass UnitConverter
        UnitConverterLinear UnitDispersion UnitDuration UnitElectricCharge UnitElectricCurrent
        UnitElectricPotentialDifference UnitElectricResistance UnitEnergy UnitFrequency UnitFuelEfficiency
        UnitIlluminance UnitInformationStorage UnitLength UnitMass UnitPower UnitPressure UnitSpeed UnitTemperature
        UnitVolume UserDefaults
        """)

    /// Foundation's functions and constants.
    static let foundationFunctions: Set<String> = names(
        """
        NSClassFromString NSCocoaErrorDomain NSCoderReadCorruptError NSCoderValueNotFoundError NSContainsRect
        NSDateComponentUndefined NSDebugDescriptionErrorKey NSDecimalAdd NSDecimalCompact NSDecimalCompare NSDecimalCopy
        NSDecimalDivide NSDecimalIsNotANumber NSDecimalMaxSize NSDecimalMultiply NSDecimalMultiplyByPowerOf10
        NSDecimalNoScale NSDecimalNormalize NSDecimalPower NSDecimalRound NSDecimalString NSDecimalSubtract NSDivideRect
        NSEdgeInsetsEqual NSEdgeInsetsMake NSEdgeInsetsZero NSEqualPoints NSEqualRanges NSEqualRects NSEqualSizes
        NSExecutableArchitectureMismatchError NSExecutableLinkError NSExecutableLoadError NSExecutableNotLoadableError
        NSExecutableRuntimeMismatchError NSFeatureUnsupportedError NSFileHandleNotificationDataItem
        NSFileHandleNotificationFileHandleItem NSFileLockingError NSFileManagerUnmountBusyError
        NSFileManagerUnmountUnknownError NSFileNoSuchFileError NSFilePathErrorKey NSFileReadCorruptFileError
        NSFileReadInapplicableStringEncodingError NSFileReadInvalidFileNameError NSFileReadNoPermissionError
        NSFileReadNoSuchFileError NSFileReadTooLargeError NSFileReadUnknownError NSFileReadUnknownStringEncodingError
        NSFileReadUnsupportedSchemeError NSFileWriteFileExistsError NSFileWriteInapplicableStringEncodingError
        NSFileWriteInvalidFileNameError NSFileWriteNoPermissionError NSFileWriteOutOfSpaceError NSFileWriteUnknownError
        NSFileWriteUnsupportedSchemeError NSFileWriteVolumeReadOnlyError NSFormattingError NSFullUserName
        NSGetSizeAndAlignment NSHeight NSHelpAnchorErrorKey NSHomeDirectory NSHomeDirectoryForUser NSInsetRect
        NSIntegralRect NSIntegralRectWithOptions NSIntersectionRange NSIntersectionRect NSIntersectsRect NSIsEmptyRect
        NSKeyValueValidationError NSKeyedArchiveRootObjectKey NSLocalizedDescriptionKey NSLocalizedFailureReasonErrorKey
        NSLocalizedRecoveryOptionsErrorKey NSLocalizedRecoverySuggestionErrorKey NSLocalizedString NSLocationInRange
        NSLog NSLogv NSMachErrorDomain NSMakePoint NSMakeRange NSMakeRect NSMakeSize NSMaxRange NSMaxX NSMaxY NSMidX
        NSMidY NSMinX NSMinY NSMouseInRect NSNotFound NSOSStatusErrorDomain NSOffsetRect NSPOSIXErrorDomain NSPageSize
        NSPersonNameComponentDelimiter NSPersonNameComponentFamilyName NSPersonNameComponentGivenName
        NSPersonNameComponentKey NSPersonNameComponentMiddleName NSPersonNameComponentNickname
        NSPersonNameComponentPrefix NSPersonNameComponentSuffix NSPointFromCGPoint NSPointFromString NSPointInRect
        NSPointToCGPoint NSPropertyListReadCorruptError NSPropertyListReadStreamError
        NSPropertyListReadUnknownVersionError NSPropertyListWriteInvalidError NSPropertyListWriteStreamError
        NSRangeFromString NSRecoveryAttempterErrorKey NSRectFromCGRect NSRectFromString NSRectToCGRect
        NSRoundDownToMultipleOfPageSize NSRoundUpToMultipleOfPageSize NSSearchPathForDirectoriesInDomains
        NSSizeFromCGSize NSSizeFromString NSSizeToCGSize NSStreamSOCKSErrorDomain NSStreamSocketSSLErrorDomain
        NSStringEncodingErrorKey NSStringFromClass NSStringFromPoint NSStringFromRange NSStringFromRect NSStringFromSize
        NSStringToDecimal NSTemporaryDirectory NSTimeIntervalSince1970
        NSURLErrorAppTransportSecurityRequiresSecureConnection NSURLErrorBackgroundSessionInUseByAnotherProcess
        NSURLErrorBackgroundSessionRequiresSharedContainer NSURLErrorBackgroundSessionWasDisconnected
        NSURLErrorBackgroundTaskCancelledReasonKey NSURLErrorBadServerResponse NSURLErrorBadURL NSURLErrorCallIsActive
        NSURLErrorCancelled NSURLErrorCancelledReasonBackgroundUpdatesDisabled
        NSURLErrorCancelledReasonInsufficientSystemResources NSURLErrorCancelledReasonUserForceQuitApplication
        NSURLErrorCannotCloseFile NSURLErrorCannotConnectToHost NSURLErrorCannotCreateFile
        NSURLErrorCannotDecodeContentData NSURLErrorCannotDecodeRawData NSURLErrorCannotFindHost
        NSURLErrorCannotLoadFromNetwork NSURLErrorCannotMoveFile NSURLErrorCannotOpenFile NSURLErrorCannotParseResponse
        NSURLErrorCannotRemoveFile NSURLErrorCannotWriteToFile NSURLErrorClientCertificateRejected
        NSURLErrorClientCertificateRequired NSURLErrorDNSLookupFailed NSURLErrorDataLengthExceedsMaximum
        NSURLErrorDataNotAllowed NSURLErrorDomain NSURLErrorDownloadDecodingFailedMidStream
        NSURLErrorDownloadDecodingFailedToComplete NSURLErrorFailingURLErrorKey NSURLErrorFailingURLPeerTrustErrorKey
        NSURLErrorFailingURLStringErrorKey NSURLErrorFileDoesNotExist NSURLErrorFileIsDirectory
        NSURLErrorHTTPTooManyRedirects NSURLErrorInternationalRoamingOff NSURLErrorKey NSURLErrorNetworkConnectionLost
        NSURLErrorNoPermissionsToReadFile NSURLErrorNotConnectedToInternet NSURLErrorRedirectToNonExistentLocation
        NSURLErrorRequestBodyStreamExhausted NSURLErrorResourceUnavailable NSURLErrorSecureConnectionFailed
        NSURLErrorServerCertificateHasBadDate NSURLErrorServerCertificateHasUnknownRoot
        NSURLErrorServerCertificateNotYetValid NSURLErrorServerCertificateUntrusted NSURLErrorTimedOut NSURLErrorUnknown
        NSURLErrorUnsupportedURL NSURLErrorUserAuthenticationRequired NSURLErrorUserCancelledAuthentication
        NSURLErrorZeroByteResource NSUbiquitousFileNotUploadedDueToQuotaError NSUbiquitousFileUbiquityServerNotAvailable
        NSUbiquitousFileUnavailableError NSUnderlyingErrorKey NSUnionRange NSUnionRect
        NSUserActivityConnectionUnavailableError NSUserActivityHandoffFailedError
        NSUserActivityHandoffUserInfoTooLargeError NSUserActivityRemoteApplicationTimedOutError NSUserCancelledError
        NSUserName NSWidth NSXPCConnectionInterrupted NSXPCConnectionInvalid NSXPCConnectionReplyInvalid NSZeroPoint
        NSZeroRect NSZeroSize
        """)

    /// `FoundationNetworking`, which Foundation holds on Apple's systems.
    static let foundationNetworking: Set<String> = names(
        """
        CachedURLResponse HTTPCookie HTTPCookiePropertyKey HTTPCookieStorage HTTPURLResponse NSMutableURLRequest
        NSURLRequest URLAuthenticationChallenge URLAuthenticationChallengeSender URLCache URLCredential
        URLCredentialStorage URLProtectionSpace URLProtocol URLProtocolClient URLRequest URLResponse URLSession
        URLSessionConfiguration URLSessionDataDelegate URLSessionDataTask URLSessionDelegate URLSessionDownloadDelegate
        URLSessionDownloadTask URLSessionStreamDelegate URLSessionStreamTask URLSessionTask URLSessionTaskDelegate
        URLSessionTaskMetrics URLSessionTaskTransactionMetrics URLSessionUploadTask URLSessionWebSocketDelegate
        URLSessionWebSocketTask
        """)

    /// Constants of `FoundationNetworking`.
    static let networkingConstants: Set<String> = names(
        """
        NSURLAuthenticationMethodDefault NSURLAuthenticationMethodHTMLForm NSURLAuthenticationMethodHTTPBasic
        NSURLAuthenticationMethodHTTPDigest NSURLAuthenticationMethodNTLM NSURLAuthenticationMethodNegotiate
        NSURLCredentialStorageRemoveSynchronizableCredentials NSURLProtectionSpaceFTP NSURLProtectionSpaceFTPProxy
        NSURLProtectionSpaceHTTP NSURLProtectionSpaceHTTPProxy NSURLProtectionSpaceHTTPS NSURLProtectionSpaceHTTPSProxy
        NSURLProtectionSpaceSOCKSProxy NSURLSessionTransferSizeUnknown URLSessionDownloadTaskResumeData
        """)

    /// Observation, Synchronization and RegexBuilder.
    static let furtherModules: Set<String> = names(
        """
        AlternationBuilder Anchor Atomic AtomicLazyReference AtomicLoadOrdering AtomicOptionalRepresentable
        AtomicRepresentable AtomicStoreOrdering AtomicUpdateOrdering Capture CharacterClass ChoiceOf Local Lookahead
        Mutex NegativeLookahead Observable ObservationRegistrar Observations One OneOrMore Optionally Reference
        RegexComponentBuilder Repeat TryCapture WordPair ZeroOrMore
        """)

    /// The names of generic parameters and associated types in extensions of those types.
    static let parameters: Set<String> = names(
        """
        ActorType AllCases ArrayLiteralElement AsyncIterator AtomicOptionalRepresentation AtomicRepresentation Base
        BooleanLiteralType Bound Capture ChangeElement ChildTaskResult Compared ConfigurationProvider
        DecodingConfiguration Duration E Element ElementOfResult Elements EncodingConfiguration Exponent
        ExtendedGraphemeClusterLiteralType Failure FloatLiteralType Format FormatInput FormatOutput Header ID Index
        Indices Input Instance Instant IntegerLiteralType Iterator K Key KeyType Magnitude MaskStorage MessageType
        ObjectType Output ParseInput ParseOutput Pointee RawExponent RawSignificand RawValue ReferenceType RegexOutput
        Regions Root S SIMD16Storage SIMD2Storage SIMD32Storage SIMD4Storage SIMD64Storage SIMD8Storage SIMDMaskScalar
        Scalar SegmentOfResult Sequence1 Sequence2 State Storage Strategy Stride StringInterpolation StringLiteralType
        Style SubSequence Subject Success T Transformed UTF16View UTF8View UnicodeScalarLiteralType UnicodeScalarView
        UnitType Value Words Wrapped
        """)

    /// All names except those of `FoundationNetworking`, which needs its own import.
    static let all = types.union(foundationFunctions)

    /// The types among the names in `all`.
    static let types = swift.union(dispatch).union(foundation).union(furtherModules)

    /// The words of a table.
    static func names(_ table: String) -> Set<String> {
        Set(table.split { $0 == " " || $0 == "\n" }.map(String.init))
    }
}
