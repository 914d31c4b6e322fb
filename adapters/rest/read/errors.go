package read

import "github.com/cartwright-dev/cartwright/domain/fault"

// Refusals of a request body.
var (
	ErrTooLarge  = fault.New(fault.TooLarge, "body_too_large", "The request is larger than allowed.")
	ErrMediaType = fault.New(fault.UnsupportedMedia, "media_type_not_supported",
		"The body must be JSON: send Content-Type: application/json.")
	ErrForm = fault.NewInvalid("body", "form_malformed", "The form cannot be read.")
)

// ErrBatch refuses a batch of GraphQL requests: one document can select the same, within limits that apply to
// all of it.
var ErrBatch = fault.NewInvalid("body", "graphql_batch",
	"A request has one document, not a list of them: select several fields in one document.")
