// Package operation is the table of everything the API does besides the generic work on collections. Each operation is
// declared once: its routes, its GraphQL field, its documentation, its input and how it travels over HTTP (credentials,
// cookies, files, streams) come from one entry. Adding an operation is one entry and one use case; the recipe in
// .github/CONTRIBUTING.md has the steps, and the routes that are not operations.
//
// Inputs and outputs are lists of collection.Field, with these differences from the fields of a record:
//
//   - an input with VisibleTo Staff exists under the server prefix only;
//   - an input Relation with Fields is an id, or an object with id and these fields;
//   - an input JSON with RelationTo is a filter on the records of that collection, in the form lists take it;
//   - an output JSON with Fields is an object of these members, which GraphQL returns as JSON;
//   - an output Relation is the record itself, not its id; Fields adds members to it;
//   - an output that is Required is never null, one that is OmitMissing may be left out;
//   - a path parameter has the name of its GraphQL argument as Alias.
//
// Decision: required input is checked before the cart or checkout capability. A call with both mistakes gets
// the refusal of its input.
package operation

import (
	"context"
	"slices"
	"strings"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Surface is a set of URL prefixes an operation is served under.
type Surface uint8

// The surfaces; they can be combined.
const (
	Public Surface = 1 << iota // for storefronts: client keys and customers
	Server                     // for the tenant's own server: secret keys and server tokens
	Root                       // beside the collections: for users, or where it is the only surface, for those whom AllowedKinds names

	Both = Public | Server
)

// prefixes of the surfaces below /api. Rule api-2.
var prefixes = map[Surface]string{Public: "/commerce", Server: "/server/commerce", Root: ""}

// callers are whom each surface is for. They are different ones, so that GraphQL, which has one path, knows the surface by them.
var callers = map[Surface][]tenant.Kind{
	Public: {tenant.ClientKey, tenant.Customer}, Server: {tenant.SecretKey}, Root: {tenant.User},
}

// Prefix is the path of a single surface, below /api.
func (p Surface) Prefix() string { return prefixes[p] }

// EachSurface calls fn for every single surface in p.
func (p Surface) EachSurface(fn func(Surface)) {
	for _, one := range [...]Surface{Public, Server, Root} {
		if p&one != 0 {
			fn(one)
		}
	}
}

// KeyPolicy is whether an operation takes an idempotency key.
type KeyPolicy uint8

// The policies. Rule idempotency-6.
const (
	NoKey KeyPolicy = iota // a key has no effect
	KeyOptional
	KeyRequired
)

// Capability is a kind of token that replaces a login.
type Capability string

// The capabilities.
const (
	NoCapability       Capability = ""
	CartCapability     Capability = "cart"
	CheckoutCapability Capability = "checkout"
)

// NotFound is the result of a read that found nothing, with the reason in its body.
const NotFound ports.ReceiptResult = "absent"

// Operation is one entry of the table.
type Operation struct {
	Name            string // "carts.addItem": also the scope of its receipts, so it never changes
	GraphQL         string // name of the field in the general form: "cartAddItem"; "" has none
	GraphQLField    *GraphQLField
	Summary         string // a few words
	Doc             string // what else a caller should know
	Mutates         bool   // writes: a mutation
	Method          string
	Path            string             // below its prefixes: "/carts/{id}/items/{line}"
	Surfaces        Surface            // 0, of what is described by hand, is Root
	Params          []collection.Field // of Path, in its order
	Input           []collection.Field // the body, or the query string where there is none
	Headers         []collection.Field // request headers that stand for the input named by Alias, before it; without Alias, of credentials
	NoBody          bool               // ignores the body of its method: the input is in the query string
	RawInput        bool               // the use case validates the input itself: Input only describes it
	Upload          *Upload            // the body is a form with a file
	Output          []collection.Field
	Produces        []string              // media types of the answer where it is not JSON: a file, or a stream of events
	Unwrapped       bool                  // the answer is its only output, not an object with that member; named as its type
	Results         []ports.ReceiptResult // possible successes; nil: ports.ReceiptOK
	KeyPolicy       KeyPolicy
	Credentials     CredentialPolicy
	AllowedKinds    []tenant.Kind // of the callers of its surfaces, nil is all; on Root alone it names the callers
	Capability      Capability    // a client key alone is not enough: this token, or the customer's
	Guarded         bool          // a person whose session was not proven lately is refused: what a thief of it would gain by. Rule access-67
	SetsCookie      bool          // sets or clears the cookie that carries a user's token
	ChecksPassword  bool          // costs as much as reading thousands of records, which GraphQL takes into account
	Cacheable       bool          // what a client key reads may be cached and revalidated by ETag; of a Localized one what anybody reads
	Localized       bool          // the answer has words in the language of the call; a replayed one those of the first
	Translated      bool          // reads or writes texts of the shop, in the language that the address names: locale, fallback-locale
	BeyondQuota     bool          // never refused for a quota: what ends a payment or gives money back, and logins
	Slow            bool          // may take as long as an upload
	ReturnsRevision bool          // answers with the cart's revision
	Deprecated      bool          // of the previous generation
	Reasons         []*fault.Error
	Run             func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error)
}

// Admits reports whether callers of a kind may call o on a single surface, as far as the table says.
func (o *Operation) Admits(at Surface, kind tenant.Kind) bool {
	named := slices.Contains(o.AllowedKinds, kind)
	if o.Surfaces&^Root == 0 {
		return at == Root && named
	}
	return o.Surfaces&at != 0 && slices.Contains(callers[at], kind) && (named || o.AllowedKinds == nil)
}

// forUsersBesides reports whether o is served for users, besides those who call it by another prefix.
func (o *Operation) forUsersBesides() bool { return o.Surfaces&Root != 0 && o.Surfaces != Root }

// Segments are the parts of Path, parameters in braces: "carts", "{id}", "items".
func (o *Operation) Segments() []string { return strings.Split(strings.TrimPrefix(o.Path, "/"), "/") }

// Route is the pattern of the address on a single surface: "/api/commerce/carts/:id/items". Fingerprints contain it.
func (o *Operation) Route(at Surface) string {
	return "/api" + at.Prefix() + routeParams.Replace(o.Path)
}

// routeParams rewrites the parameters of a Path for the router.
var routeParams = strings.NewReplacer("{", ":", "}", "")

// The methods that decide whether there is a body.
const (
	get   = "GET"
	del   = "DELETE"
	patch = "PATCH"
	put   = "PUT"
)

// FilterInput is the input that filters records; ok is false when there is none.
func (o *Operation) FilterInput() (f collection.Field, ok bool) {
	for i := range o.Input {
		if f := &o.Input[i]; f.Kind == collection.JSON && f.RelationTo != "" {
			return *f, true
		}
	}
	return f, false
}

// HasBody reports whether the input is sent as a body.
func (o *Operation) HasBody() bool { return o.Method != get && o.Method != del && !o.NoBody }

// TakesRevision reports whether o may name the revision on which its change is based. Rule collections-32.
func (o *Operation) TakesRevision() bool {
	return slices.ContainsFunc(o.Input, func(f collection.Field) bool { return f.Name == collection.ExpectedRevision })
}

// ReadsRecord reports whether o answers the record that its path names: by itself, or in one piece with its parts, a group that
// has its revision.
func (o *Operation) ReadsRecord() bool {
	if o.Mutates || o.Method != get || len(o.Params) != 1 || o.Params[0].Name != "id" || len(o.Output) == 0 {
		return false
	}
	shown := &o.Output[0]
	return shown.Kind == collection.Relation && shown.RelationTo == o.Params[0].RelationTo || shown.Kind == collection.Group &&
		slices.ContainsFunc(shown.Fields, func(f collection.Field) bool { return f.Name == collection.RevisionName })
}

// TenantNames are the members by which a body may name the acting tenant, besides Input. Clients send them with
// everything; Do takes the tenant off. Where Input has it, the use case decides. Rule collections-30.
func (o *Operation) TenantNames() []collection.Field {
	acting := collection.TenantField()
	acting.Doc = "The acting tenant, and no other: clients may name it."
	names := []collection.Field{acting}
	if o.Upload != nil && o.Upload.Writes != nil {
		names = o.Upload.Writes.TenantNames()
	}
	return slices.DeleteFunc(names, func(name collection.Field) bool {
		return !o.HasBody() || slices.ContainsFunc(o.Input, func(f collection.Field) bool { return f.Name == name.Name })
	})
}

// BodyRequired reports whether a call without a body is refused.
func (o *Operation) BodyRequired() bool {
	if o.Method == patch || o.Method == put || o.Upload != nil {
		return true
	}
	for i := range o.Input {
		if o.Input[i].Required || o.RawInput {
			return o.HasBody()
		}
	}
	return false
}

// Request is a call of an operation as an adapter read it.
type Request struct {
	*Transport // nil when there is only JSON

	Call    idempotency.Call // the caller, with its key unchanged
	Surface Surface          // the one it was called under
	Route   string           // of the operation there; "": computed
	Params  []string         // of the path, in its order
	Body    map[string]any   // the input as JSON values
}

// Do reads the input, completes the call and runs the operation. Errors: fault.ErrValidation, those of the use case,
// and tenant.ErrReauthenticate before anything else is looked at, so that answers that are kept under a key are guarded, too.
func (o *Operation) Do(ctx context.Context, r Request) (idempotency.Response, error) {
	call := r.Call
	if o.forUsersBesides() && (r.Surface == Root) != (call.Principal.Kind == tenant.User) {
		return idempotency.Response{}, otherSurface(call.Principal.Kind)
	}
	if o.Guarded {
		if err := call.Principal.RequireProof(); err != nil {
			return idempotency.Response{}, err
		}
	}
	acting := call.Principal.Tenant.ID
	if _, named := r.Body[collection.TenantName]; named && acting != "" && len(o.TenantNames()) > 0 {
		var err error
		if r.Body, err = collection.WithoutTenant(r.Body, string(acting)); err != nil {
			return idempotency.Response{}, err
		}
	}
	if o.KeyPolicy != NoKey && (r.Transport == nil || !r.OwnKey) {
		if r.Route == "" {
			r.Route = o.Route(r.Surface)
		}
		call.Operation = o.Name
		if in := call.Principal.Content; o.Translated && in.Named() {
			r.Params = append(slices.Clip(r.Params), "locale="+in.Tag(call.Principal.Tenant))
		}
		call.Fingerprint = idempotency.Fingerprint(o.Method, r.Route, r.Params, o.fingerprinted(r))
	}
	return o.Run(ctx, call, newInput(o, r))
}

// otherSurface refuses users by the prefixes of others, and others where an operation is served for users.
func otherSurface(kind tenant.Kind) error {
	switch kind {
	case tenant.Anonymous, "":
		return fault.ErrUnauthenticated
	case tenant.SecretKey:
		return fault.ErrForbidden.WithMessage("With a secret key, call this operation below /api%s.", Server.Prefix())
	case tenant.User:
		return fault.ErrForbidden.WithMessage("Logged in as a user of the shop, call this operation below /api.")
	case tenant.ClientKey, tenant.Customer, tenant.System, tenant.Provider:
	}
	return fault.ErrForbidden.WithMessage("This path is for users of the shop; call this operation below /api%s.", Public.Prefix())
}

// byID runs a use case whose only input is the id in the path.
func byID(
	do func(context.Context, idempotency.Call, string) (idempotency.Response, error),
) func(context.Context, idempotency.Call, *Input) (idempotency.Response, error) {
	return func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
		if err := in.Done(); err != nil {
			return idempotency.Response{}, err
		}
		return do(ctx, call, in.Param("id"))
	}
}
