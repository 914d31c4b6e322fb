package gqlrequest

import "github.com/cartwright-dev/cartwright/domain/fault"

// The refusals of documents.
var (
	ErrSyntax     = fault.New(fault.Invalid, "graphql_syntax", "The document is not valid GraphQL.")
	ErrTooComplex = fault.New(fault.Invalid, "graphql_limit", "The document asks for too much at once.")
	ErrInvalid    = fault.New(fault.Invalid, "graphql_validation", "The document does not fit the schema.")
	ErrOperation  = fault.New(fault.Invalid, "graphql_operation", "The document has no such operation.")
	ErrVariables  = fault.New(fault.Invalid, "graphql_variables", "The variables do not fit the document.")
)
