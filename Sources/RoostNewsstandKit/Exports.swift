// FoundationNetworking declares the type of an asset's request.
@_exported public import FoundationNetworking
