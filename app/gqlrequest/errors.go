package gqlrequest

import "github.com/cartwright-dev/cartwright/domain/fault"

// The refusals of documents.
var (
	ErrSyntax     = fault.NewInvalid("query", "graphql_syntax", "The document is not valid GraphQL.")
	ErrTooComplex = fault.NewInvalid("query", "graphql_limit", "The document asks for too much at once.")
	ErrInvalid    = fault.NewInvalid("query", "graphql_validation", "The document does not fit the schema.")
	ErrOperation  = fault.NewInvalid("operationName", "graphql_operation", "The document has no such operation.")
	ErrVariables  = fault.NewInvalid("variables", "graphql_variables", "The variables do not fit the document.")
)
