package webhook

import (
	"slices"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Audience is as whom an endpoint hears. Whoever holds its address learns what it is told, so it is told of nothing that
// those could not read who decided on it: a secret key would come by what only admins see, and by tokens for their
// passwords.
type Audience string

// The audiences.
const (
	Admins  Audience = "admin"
	Servers Audience = "server" // secret keys
)

// Weaker is the one of both that may read less. What is unknown counts as Servers.
func (a Audience) Weaker(b Audience) Audience {
	if a == Admins && b == Admins {
		return Admins
	}
	return Servers
}

// AudienceOf reads a record of an endpoint.
func AudienceOf(r collection.Record) Audience { return Audience(r.Text("audience")).Weaker(Admins) }

// Reach is the slugs of what each audience may read entirely.
type Reach map[Audience][]string

// Redirected reports whether a change of a record of an endpoint decides anew what is told where, so that who makes it
// answers for it. Switching off does not.
func Redirected(before, after collection.Record) bool {
	for _, name := range []string{"url", "collections", "operations"} {
		if !collection.Equal(before[name], after[name]) {
			return true
		}
	}
	return after.Bool("enabled") && !before.Bool("enabled")
}

// Within is e with the slugs that its audience may read. Without them it hears of nothing.
func (e Endpoint) Within(reach Reach) Endpoint {
	e.reads = reach[e.Audience]
	return e
}

// Reads reports whether the audience of e may read a collection.
func (e Endpoint) Reads(slug string) bool { return slices.Contains(e.reads, slug) }

// Entrusted reports whether what is enclosed with events of a collection, a token for one person, goes to e: it names the
// collection, and does not merely hear of all. Tokens of customers go to endpoints of both environments, as customers
// belong to both and any key that writes can set their passwords. Tokens of those who run the shop open its real business:
// endpoints among tests get none. Engineering 18.
func (e Endpoint) Entrusted(slug string) bool {
	return e.Names(slug) && e.Reads(slug) && (e.Environment == tenant.Live || slug != identity.Users.Slug)
}
