package operation

import (
	"context"
	"io"
	"slices"
	"time"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/eventfeed"
	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// CredentialPolicy is how a call is handled whose credentials are not accepted.
type CredentialPolicy uint8

// The policies.
const (
	// CredentialsRequired refuses the call before the operation runs.
	CredentialsRequired CredentialPolicy = iota
	// CredentialsInspected leaves the refusal to the operation, which acts on the credentials themselves by
	// ending or renewing a session. A GraphQL document is refused all the same.
	CredentialsInspected
	// CredentialsOptional is CredentialsInspected for operations that establish who the caller is: they also
	// run in a GraphQL document whose credentials are not accepted, if the document has nothing else.
	CredentialsOptional
)

// Transport is what an adapter passes along with a call besides its input, and with its answer besides JSON.
type Transport struct {
	Session

	Received   ReceivedFile        // of an operation with Upload; nil: none was sent
	Projection records.Projection  // of an upload that writes a record: the selected fields of the answer
	OwnKey     bool                // the call already has its operation and fingerprint
	Download   *Download           // of an operation that produces a file: receives it
	Subscribe  func(*Subscription) // of an operation that produces a stream: receives it
}

// Session is the credentials of a call, and the means to change them.
type Session struct {
	Credentials access.Credentials
	AuthError   error // why the credentials were not accepted
	GraphQL     bool  // the call came over GraphQL
	// SetCookie sets the cookie that carries a user's token until then, and clears it with "".
	SetCookie func(token string, until time.Time)
	// ShowAs makes the records of the answer visible as for p, who just logged in; nil where answers have no
	// records.
	ShowAs func(p tenant.Principal)
}

// GraphQLField is the field of an operation whose form over GraphQL is not the general one (arguments of the path, one
// argument input, a result named after the field): the field predates the table, or clients of Payload know it.
type GraphQLField struct {
	Name   string             // "loginUser"
	Doc    string             // in place of Summary and Doc
	Input  []collection.Field // in place of Input
	Data   string             // name of the input in its type: the one argument data has the whole input; "": each input is an argument
	Result string             // name of its result type; "": Name with Result after it
	Output []collection.Field // in place of Output
	Answer FieldAnswer
}

// FieldAnswer is the form of a GraphQL field's answer.
type FieldAnswer uint8

// The forms.
const (
	AnswersMembers FieldAnswer = iota // an object of the members
	AnswersMessage                    // the member message, a text
	AnswersTrue                       // true
)

// EventStream is the media type of a stream of events.
const EventStream = "text/event-stream"

// FileField is the form field, and the member over GraphQL, that has the file of an upload.
const FileField = "file"

// Upload declares that an operation takes a file, streamed in the form field FileField. Other fields of the
// form are those of Input.
type Upload struct {
	Doc      string
	Required bool
	// EmptyIsNone treats a file part without name and content as no file: a form in which none was chosen.
	EmptyIsNone bool
	TooLarge    *fault.Error // for a form that is larger than any upload may be
	// Writes is the collection whose records have files, and Verb says how the operation writes them. Such an
	// operation is the generic write of that collection with a form as its body, or over GraphQL with a file
	// in its data.
	Writes *collection.Schema
	Verb   collection.Verb
	// Authorize decides whether the caller may send a file, before the form is read.
	Authorize func(p tenant.Principal) error
	// Receive reads the file as it arrives. ctx bounds the whole upload.
	Receive func(ctx context.Context, p tenant.Principal, f File) (ReceivedFile, error)
}

// FormFields are the fields that the form may have beside the file.
func (o *Operation) FormFields() []collection.Field {
	if o.Upload == nil || o.Upload.Writes == nil {
		return o.Input
	}
	return slices.Concat(o.Input, o.TenantNames())
}

// File is a file as a client sends it. It can be read once.
type File struct {
	io.Reader

	Name string // as sent
}

// ReceivedFile is a file that was read completely.
type ReceivedFile interface {
	// Fingerprint is what distinguishes the file from another one under the same idempotency key.
	Fingerprint() collection.JSONValue
	// Discard releases the file if its operation does not run.
	Discard() error
}

// Download is the file that an operation writes as its answer. It is sent only after the operation has
// succeeded, so that clients never take an incomplete file for a complete one.
type Download struct {
	io.Writer

	ContentType string // set by the operation
	Filename    string // set by the operation
}

// Subscription is the stream of events that an operation answers with.
type Subscription struct {
	*eventfeed.Stream

	// Recheck authenticates the reader again. Errors: the credentials are no longer accepted, or belong to a
	// caller with other rights.
	Recheck func(ctx context.Context) error
}

// fingerprinted is what identifies a repeated request, besides its route.
func (o *Operation) fingerprinted(r Request) collection.JSONValue {
	if o.Upload == nil {
		return withoutAccount(r.Body, r.Call.Key)
	}
	whole := map[string]any{"input": r.Body}
	if r.Transport != nil && r.Received != nil {
		whole[FileField] = r.Received.Fingerprint()
	}
	return whole
}
