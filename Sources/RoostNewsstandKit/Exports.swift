// What an asset's request is, is FoundationNetworking's own.
@_exported public import FoundationNetworking
