// Package querying is what the HTTP endpoint of GraphQL hands to the engine that answers documents, and what it gets back.
package querying

import (
	"io"
	"time"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/fault"
)

// Request is one document to answer.
type Request struct {
	Document  string
	Operation string         // "": the only one
	Variables map[string]any // Trees; an uploaded file stands in them as *Upload
	// Call says who asks. Its Key is the one of the header.
	Call once.Call
	// Refused is why the credentials were not accepted. Logging in must work with a dead token beside it, so a document
	// that asks for nothing else runs all the same.
	Refused     error
	Credentials access.Credentials
	// Session tells the transport of a user's new token, and of its end with "".
	Session func(token string, until time.Time)
}

// Answer is what a document says.
type Answer struct {
	Body []byte // {"errors": […], "data": …}
	// Fault is the first reason why there is no data; nil when there is, be it in part.
	Fault *fault.Error
	// Refused: the credentials were not accepted, so nothing was looked at.
	Refused bool
}

// Upload is a file that comes with a request, maybe only after the document.
type Upload struct {
	// Open waits for the file. What it reads is bounded by who reads. Errors: those of the form.
	Open func() (File, error)
}

// File is an uploaded file; it can be read once.
type File struct {
	io.Reader

	Name string // as sent
}
