package rest

import (
	"context"
	"mime"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/cartwright-dev/cartwright/adapters/rest/read"
	"github.com/cartwright-dev/cartwright/app/gqlrequest"
	"github.com/cartwright-dev/cartwright/app/problem"
)

// GraphQLEngine executes GraphQL documents. adapters/graphql implements it.
type GraphQLEngine interface {
	Answer(ctx context.Context, r gqlrequest.Request) gqlrequest.Response
}

// GraphQL registers the endpoint of GraphQL. Rules graphql-1, limits-3. A request is one API call, whatever
// its document contains.
//
// The answer is application/json with status 200 whenever the request was GraphQL, or application/graphql-response+json
// for clients that prefer it, with the status of the first fault where there is no data. Credentials that are not
// accepted have their status in both, as everywhere. A GET is refused, because a document in a URL would be logged and
// cached.
type GraphQL struct{ Engine GraphQLEngine }

// Mount implements Area.
func (a GraphQL) Mount(r fiber.Router) {
	r.Post(graphQLPath[len("/api"):], graphQLEndpoint{a.Engine, read.NewSpool(spoolBytes)}.answer)
}

type graphQLEndpoint struct {
	engine GraphQLEngine
	spool  *read.Spool
}

const graphQLPath = "/api/graphql"

// mimeGraphQL is the media type of answers whose HTTP status reports the result of the document.
const mimeGraphQL = "application/graphql-response+json"

func (a graphQLEndpoint) answer(c *fiber.Ctx) error {
	call, refused := callFrom(c)
	if !call.Principal.IsStaff() {
		call.Principal.Content = call.Principal.Tenant.ContentFor(acceptedLanguages(c))
	}
	over := requestInfoOf(c).overQuota
	req := gqlrequest.Request{AuthError: refused, OverQuota: over != nil, Call: call, Credentials: credentials(c)}
	req.Session = func(token string, until time.Time) { setSessionCookie(c, token, until) }
	done, err := a.readRequest(c, &req)
	defer done()
	if err != nil {
		return err
	}
	answer := a.engine.Answer(c.UserContext(), req)
	if answer.OverQuota {
		return over
	}
	c.Vary(fiber.HeaderAccept)
	if answer.Localized {
		tellLanguage(c, req.Call.Language)
	}
	kind, status := fiber.MIMEApplicationJSON, fiber.StatusOK
	if prefersGraphQL(c.Get(fiber.HeaderAccept)) {
		kind = mimeGraphQL
	}
	if f := answer.Fault; f != nil && (answer.Unauthenticated || kind == mimeGraphQL) {
		status = errorForms[f.Kind].status
		if f.RetryAfter > 0 {
			c.Set(fiber.HeaderRetryAfter, strconv.FormatInt(problem.Seconds(f.RetryAfter), 10))
		}
	}
	if err := send(c, status, answer.Body); err != nil {
		return err
	}
	c.Set(fiber.HeaderContentType, kind+"; charset=utf-8")
	return nil
}

// prefersGraphQL reports whether a client prefers mimeGraphQL to plain JSON: it has the higher quality, or
// comes first with the same. Parameters such as charset are ignored; a client that accepts anything gets
// plain JSON.
func prefersGraphQL(accept string) bool {
	graphql, graphqlAt := quality(accept, mimeGraphQL)
	plain, plainAt := quality(accept, fiber.MIMEApplicationJSON)
	return graphql > plain || graphql == plain && graphql > 0 && graphqlAt < plainAt
}

// quality is the quality of a media type in an Accept header, and its index there. A name takes precedence
// over a wildcard.
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

// readRequest reads {query, variables?, operationName?, extensions?}, or a form of it with files. Call done once the
// document was executed. Errors: fault.ErrMalformed, fault.ErrValidation, and those of package read.
func (a graphQLEndpoint) readRequest(c *fiber.Ctx, req *gqlrequest.Request) (done func(), err error) {
	if isForm(c) {
		return a.readUploads(c, req)
	}
	done = func() {}
	body, err := rawBody(c, fiber.MIMEApplicationJSON)
	if err != nil {
		return done, err
	}
	tree, err := read.JSON(body)
	if err != nil {
		return done, err
	}
	return done, read.Document(tree, req)
}

// maxUploads bounds the bytes of a request with files: those of its whole form.
const maxUploads = 64 << 20

// readUploads reads a document and its files from a form: operations, then map, then the files, as the
// GraphQL multipart request specification defines it. The files are read while the document is executed;
// those sent in the order in which mutations use them are not kept anywhere. Errors: read.ErrForm, and as
// read.Document.
func (a graphQLEndpoint) readUploads(c *fiber.Ctx, req *gqlrequest.Request) (done func(), err error) {
	body := bodyOf(c)
	body.allowUpload(maxUploads)
	body.timeout = uploadTotal // the files arrive while the document is executed
	body.restartTimeout()
	f, err := read.NewForm(c.Get(fiber.HeaderContentType), body)
	if err != nil {
		return func() {}, err
	}
	f.Reserve = body.memory.Take
	return read.DocumentForm(f, a.spool, req)
}
