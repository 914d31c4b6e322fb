// Package gqlrequest is the request and response between the HTTP endpoint of GraphQL and the engine that
// executes documents.
package gqlrequest

import (
	"io"
	"time"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/domain/fault"
)

// Request is one document to execute.
type Request struct {
	Document  string
	Operation string         // "": the only one
	Variables map[string]any // JSON values; an uploaded file is an *Upload
	// Call is the caller. Its Key is that of the header.
	Call idempotency.Call
	// AuthError is why the credentials were not accepted. Logging in must work with an invalid token beside
	// it, so a document that does nothing else is executed all the same.
	AuthError   error
	OverQuota   bool // only what is never refused for a quota is executed
	Credentials access.Credentials
	// Session sets the cookie that carries a user's token, and clears it with "".
	Session func(token string, until time.Time)
}

// Response is the response to a document.
type Response struct {
	Body []byte // {"errors": […], "data": …}
	// Fault is the first reason why there is no data; nil when there is, be it in part.
	Fault *fault.Error
	// Localized: the body has words in the language of the call, such as errors, and none in that of an earlier one.
	Localized bool
	// OverQuota: the document does something else, so nothing was executed.
	OverQuota bool
	// Unauthenticated: the credentials were not accepted, so nothing was executed.
	Unauthenticated bool
}

// Upload is a file that is sent with a request, possibly after the document.
type Upload struct {
	// Open waits for the file. Its reader bounds how much is read. Errors: those of the form.
	Open func() (File, error)
}

// File is an uploaded file. It can be read once.
type File struct {
	io.Reader

	Name string // as sent
}
