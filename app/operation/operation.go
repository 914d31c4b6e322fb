// Package operation declares everything the API does besides the generic work on collections, each operation once: its
// routes, its GraphQL field, its documentation and its input all come from one entry. Adding one is an entry and a use case.
//
// Inputs and outputs are lists of collection.Field, read a little differently than in a record:
//
//   - an input with Read Staff exists under the server prefix only;
//   - an input Relation with Fields is an id, or an object with id and these fields;
//   - an input JSON with To is a condition on the records of that collection, as lists take it;
//   - an output JSON with Fields is an object of these members, which GraphQL hands over whole, as somebody else takes it;
//   - an output Relation is the record itself, not its id; with Fields it has these members besides its own;
//   - an output that is Required is never null, one that is Sparse may be left out;
//   - a path parameter has the name of its GraphQL argument as Alias.
//
// Decision: what is required is checked before who holds the cart or checkout; a call with both mistakes learns of its
// input first, as it always did of members that do not exist.
package operation

import (
	"context"
	"strings"

	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Place is under which prefixes an operation is found.
type Place uint8

// The places; they can be added up.
const (
	Public Place = 1 << iota // for storefronts: client keys and customers
	Server                   // for the shop's own server: secret keys and server tokens
	Root                     // beside the collections, for whoever Who names

	Both = Public | Server
)

// prefixes of the places below /api. Contract, preamble.
var prefixes = map[Place]string{Public: "/commerce", Server: "/server/commerce", Root: ""}

// Prefix is where a single place is, below /api.
func (p Place) Prefix() string { return prefixes[p] }

// Each calls fn for every single place of p.
func (p Place) Each(fn func(Place)) {
	for _, one := range [...]Place{Public, Server, Root} {
		if p&one != 0 {
			fn(one)
		}
	}
}

// Key says what an idempotency key is to an operation.
type Key uint8

// The rules. Contract 1.2.
const (
	NoKey Key = iota // the header is not looked at
	KeyOptional
	KeyRequired
)

// Holder is the capability that stands for a customer: whoever has the token may act.
type Holder string

// The capabilities.
const (
	Nobody         Holder = ""
	CartHolder     Holder = "cart"
	CheckoutHolder Holder = "checkout"
)

// Absent is the success that found nothing: its body says why.
const Absent ports.Result = "absent"

// Operation is one thing a caller can do.
type Operation struct {
	Name       string // "carts.addItem": also the scope of its receipts, so it never changes
	GraphQL    string // "cartAddItem"; "" has no field
	Summary    string // a few words
	Doc        string // what else a caller should know
	Changes    bool   // writes: a mutation
	Method     string
	Path       string // below its prefixes: "/carts/{id}/items/{line}"
	At         Place
	Params     []collection.Field // of Path, in its order
	Input      []collection.Field // the body, or the query where there is none
	Whole      bool               // the use case reads the input by a schema of its own: Input only tells of it
	Output     []collection.Field
	Bare       bool           // the answer is its only output itself, not an object that has it; the output's name is that of its type
	Results    []ports.Result // how it may succeed; nil: ports.OK
	Key        Key
	Who        []tenant.Kind // nil: whom the prefixes admit
	Holder     Holder        // a client key alone is not enough: this token, or the customer's
	Cached     bool          // what a client key reads may be kept and asked about by ETag
	Revision   bool          // tells the cart's revision
	Deprecated bool          // of the previous generation
	Reasons    []*fault.Error
	Run        func(ctx context.Context, call once.Call, in *Input) (once.Answer, error)
}

// Segments is Path in parts, parameters as they stand: "carts", "{id}", "items".
func (o *Operation) Segments() []string { return strings.Split(strings.TrimPrefix(o.Path, "/"), "/") }

// Route is the address pattern at a single place: "/api/commerce/carts/:id/items". Fingerprints are made of it.
func (o *Operation) Route(at Place) string {
	return "/api" + at.Prefix() + patterns.Replace(o.Path)
}

// patterns makes a router's parameters of those in a Path.
var patterns = strings.NewReplacer("{", ":", "}", "")

// The methods that say something about the body.
const (
	get   = "GET"
	del   = "DELETE"
	patch = "PATCH"
	put   = "PUT"
)

// Filters is the input that is a condition on records; ok is false when there is none.
func (o *Operation) Filters() (f collection.Field, ok bool) {
	for i := range o.Input {
		if f := &o.Input[i]; f.Kind == collection.JSON && f.To != "" {
			return *f, true
		}
	}
	return f, false
}

// HasBody reports whether the input comes as a body.
func (o *Operation) HasBody() bool { return o.Method != get && o.Method != del }

// BodyRequired reports whether a call without a body is refused at once.
func (o *Operation) BodyRequired() bool {
	if o.Method == patch || o.Method == put {
		return true
	}
	for i := range o.Input {
		if o.Input[i].Required || o.Whole {
			return o.HasBody()
		}
	}
	return false
}

// Request is a call of an operation as an adapter read it.
type Request struct {
	Call   once.Call      // who calls, with the key as sent
	At     Place          // the one it came by
	Route  string         // of the operation there; "" is worked out
	Params []string       // of the path, in its order
	Body   map[string]any // the input as a Tree
}

// Do reads the input, says what the call is, and runs it. Errors: fault.ErrValidation and those of the use case.
func (o *Operation) Do(ctx context.Context, r Request) (once.Answer, error) {
	call := r.Call
	if o.Key != NoKey {
		if r.Route == "" {
			r.Route = o.Route(r.At)
		}
		call.Operation = o.Name
		call.Fingerprint = once.Fingerprint(o.Method, r.Route, r.Params, r.Body)
	}
	return o.Run(ctx, call, newInput(o, r))
}
