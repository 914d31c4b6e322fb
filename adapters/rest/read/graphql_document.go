package read

import (
	"github.com/cartwright-dev/cartwright/app/gqlrequest"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
)

// Document fills req from the JSON of a GraphQL request: {query, variables?, operationName?, extensions?}.
// Errors: fault.ErrMalformed, fault.ErrValidation, ErrBatch.
func Document(tree collection.JSONValue, req *gqlrequest.Request) error {
	m, ok := tree.(map[string]any)
	if !ok {
		if _, list := tree.([]any); list {
			return ErrBatch
		}
		return fault.ErrMalformed.WithMessage("A JSON object with query, variables and operationName is expected.")
	}
	var wrong []fault.Field
	problem := func(field, message string) { wrong = append(wrong, fault.Field{Field: field, Message: message}) }
	for name, v := range m {
		switch name {
		case "query":
			req.Document, ok = v.(string)
		case "operationName":
			req.Operation, ok = v.(string)
		case "variables":
			req.Variables, ok = v.(map[string]any)
		case "extensions":
			_, ok = v.(map[string]any)
		default:
			problem(name, "This member does not exist.")
			continue
		}
		if !ok && v != nil {
			problem(name, "This member has the wrong type.")
		}
	}
	if extensions, _ := m["extensions"].(map[string]any); req.Document == "" && extensions["persistedQuery"] != nil {
		return fault.ErrMalformed.WithMessage("PersistedQueryNotSupported") // clients that get this message send the whole document
	}
	if req.Document == "" && len(wrong) == 0 {
		problem("query", "This field is required.")
	}
	if len(wrong) > 0 {
		return fault.ErrValidation.WithFields(wrong...)
	}
	return nil
}
