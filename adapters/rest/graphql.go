package rest

import (
	"context"
	"mime"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/cartwright-dev/cartwright/adapters/rest/read"
	"github.com/cartwright-dev/cartwright/app/querying"
	"github.com/cartwright-dev/cartwright/app/telling"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// ErrBatch refuses several documents in one request: one document may ask for as much, within limits that hold for all
// of it.
var ErrBatch = fault.New(fault.Invalid, "graphql_batch", "A request holds one document, not a list of them: ask for several things in one document.")

// Documents answers GraphQL documents. adapters/graphql has it.
type Documents interface {
	Answer(ctx context.Context, r querying.Request) querying.Answer
}

// GraphQL registers the endpoint of GraphQL. Spec 4.5, contract 7. A request is one API call, whatever its document asks.
//
// The answer is application/json with status 200 whenever the request was GraphQL, or application/graphql-response+json
// for clients that prefer it, with the status of the first fault where there is no data. Credentials that are not
// accepted have their status in both, as everywhere. A GET is refused: a document in an address would be logged and
// cached.
type GraphQL struct {
	Documents Documents
	Secure    bool // the cookie only travels over HTTPS
}

// Mount implements Area.
func (a GraphQL) Mount(r fiber.Router) { r.Post("/graphql", a.answer) }

// mimeGraphQL is the media type of answers whose status tells how the document fared.
const mimeGraphQL = "application/graphql-response+json"

func (a GraphQL) answer(c *fiber.Ctx) error {
	call, refused := callFrom(c)
	req := querying.Request{Refused: refused, Call: call, Credentials: credentials(c), Session: func(token string, until time.Time) {
		session{Auth{Secure: a.Secure}, tenant.User}.setCookie(c, token, until)
	}}
	if err := readDocumentRequest(c, &req); err != nil {
		return err
	}
	answer := a.Documents.Answer(c.UserContext(), req)
	c.Vary(fiber.HeaderAccept)
	kind, status := fiber.MIMEApplicationJSON, fiber.StatusOK
	if prefersGraphQL(c.Get(fiber.HeaderAccept)) {
		kind = mimeGraphQL
	}
	if f := answer.Fault; f != nil && (answer.Refused || kind == mimeGraphQL) {
		status = wires[f.Kind].status
		if f.RetryAfter > 0 {
			c.Set(fiber.HeaderRetryAfter, strconv.FormatInt(telling.Seconds(f.RetryAfter), 10))
		}
	}
	if err := send(c, status, answer.Body); err != nil {
		return err
	}
	c.Set(fiber.HeaderContentType, kind+"; charset=utf-8")
	return nil
}

// prefersGraphQL reports whether a client would rather have mimeGraphQL than plain JSON: it names it with the higher
// quality, or first with the same. Parameters such as charset say nothing; what takes anything gets plain JSON.
func prefersGraphQL(accept string) bool {
	graphql, graphqlAt := quality(accept, mimeGraphQL)
	plain, plainAt := quality(accept, fiber.MIMEApplicationJSON)
	return graphql > plain || graphql == plain && graphql > 0 && graphqlAt < plainAt
}

// quality is how much an Accept header wants a media type, and where it says so: by name before by a wildcard.
func quality(accept, kind string) (q float64, at int) {
	group, _, _ := strings.Cut(kind, "/")
	for _, wanted := range []string{kind, group + "/*", "*/*"} {
		for i, one := range strings.Split(accept, ",") {
			name, params, err := mime.ParseMediaType(one)
			if err != nil || name != wanted {
				continue
			}
			if q, err = strconv.ParseFloat(params["q"], 64); err != nil {
				q = 1
			}
			return q, i
		}
	}
	return 0, 0
}

// readDocumentRequest reads {query, variables?, operationName?, extensions?}, or a form of it with files.
// Errors: fault.ErrMalformed, fault.ErrValidation, ErrBatch, ErrMediaType, ErrTooLarge, ErrForm.
func readDocumentRequest(c *fiber.Ctx, req *querying.Request) error {
	if isForm(c) {
		return readUploads(c, req)
	}
	body, err := rawBody(c, fiber.MIMEApplicationJSON)
	if err != nil {
		return err
	}
	tree, err := read.JSON(body)
	if err != nil {
		return err
	}
	return documentOf(tree, req)
}

// documentOf fills req from what was sent.
func documentOf(tree collection.Tree, req *querying.Request) error {
	m, ok := tree.(map[string]any)
	if !ok {
		if _, list := tree.([]any); list {
			return ErrBatch
		}
		return fault.ErrMalformed.Saying("A JSON object with query, variables and operationName is expected.")
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
		return fault.ErrMalformed.Saying("PersistedQueryNotSupported") // the words on which clients send the document itself
	}
	if req.Document == "" && len(wrong) == 0 {
		problem("query", "This field is required.")
	}
	if len(wrong) > 0 {
		return fault.ErrValidation.In(wrong...)
	}
	return nil
}
