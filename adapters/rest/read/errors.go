package read

import (
	"time"

	"github.com/cartwright-dev/cartwright/domain/fault"
)

// Refusals of a request body.
var (
	ErrTooLarge  = fault.New(fault.TooLarge, "body_too_large", "The request is larger than allowed.")
	ErrMediaType = fault.New(fault.UnsupportedMedia, "media_type_not_supported",
		"The body must be JSON: send Content-Type: application/json.")
	// ErrBusy: what the server receives and answers in this moment is as large together as it can keep.
	ErrBusy = fault.New(fault.Unavailable, "server_busy", "The server handles too much data at once. Try again.").WithRetry(time.Second)
	ErrForm = fault.NewInvalid("body", "form_malformed", "The form cannot be read.")
)

// ErrBatch refuses a batch of GraphQL requests: one document can select the same, within limits that apply to
// all of it.
var ErrBatch = fault.NewInvalid("body", "graphql_batch",
	"A request has one document, not a list of them: select several fields in one document.")
