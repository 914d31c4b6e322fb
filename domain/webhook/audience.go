package webhook

import (
	"slices"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Audience limits what an endpoint receives to what its owner may read, since anyone who controls its URL
// sees every delivery. Otherwise a secret key could obtain what only admins may read, including the tokens
// that reset their passwords.
type Audience string

// The audiences.
const (
	Admins  Audience = "admin"
	Servers Audience = "server" // the tenant's servers, by secret key
)

// Weaker returns the audience of the two that may read less. An unknown one counts as Servers.
func (a Audience) Weaker(b Audience) Audience {
	if a == Admins && b == Admins {
		return Admins
	}
	return Servers
}

// AudienceFrom reads the audience from a record of an endpoint.
func AudienceFrom(r collection.Record) Audience { return Audience(r.Text("audience")).Weaker(Admins) }

// ReadableCollections are the slugs of the collections that each audience may read entirely.
type ReadableCollections map[Audience][]string

// Retargeted reports whether a change of an endpoint's record affects where events go or which ones, so that
// the audience of the caller applies from now on. Disabling does not.
func Retargeted(before, after collection.Record) bool {
	for _, name := range []string{"url", "collections", "operations"} {
		if !collection.Equal(before[name], after[name]) {
			return true
		}
	}
	return after.Bool("enabled") && !before.Bool("enabled")
}

// WithReadable returns e with the slugs that its audience may read. Without them it receives nothing.
func (e Endpoint) WithReadable(reach ReadableCollections) Endpoint {
	e.readable = reach[e.Audience]
	return e
}

// CanRead reports whether the audience of e may read a collection.
func (e Endpoint) CanRead(slug string) bool { return slices.Contains(e.readable, slug) }

// ReceivesTokens reports whether e receives the tokens that accompany events of a collection, each of which
// is meant for one person. It does only if it names the collection rather than subscribing to all. Tokens of
// customers go to endpoints of both environments, since customers belong to both and any key that may write
// can set their passwords. Those of users and of their invitations give access to the live shop and make
// admins: they go to live endpoints of admins alone. Rule access-9.
func (e Endpoint) ReceivesTokens(slug string) bool {
	ofUsers := slug == identity.Users.Slug || slug == identity.Invitations.Slug
	return e.NamesCollection(slug) && e.CanRead(slug) && (!ofUsers || e.Environment == tenant.Live && e.Audience == Admins)
}
