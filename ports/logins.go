package ports

import (
	"context"
	"time"

	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Login is one login of a user or customer, from which all its tokens come, as the person is shown it. It grants
// nothing: tokens do.
type Login struct {
	ID       string // TokenClaims.Login
	Kind     tenant.Kind
	Subject  string    // id of the user or customer
	Tenant   tenant.ID // TokenClaims.Tenant
	Version  int64     // TokenClaims.Version
	HomeOnly bool      // TokenClaims.HomeOnly
	Began    time.Time
	Seen     time.Time // when a request was last noted, a few minutes late at most
	Expires  time.Time // when its newest token expires
	// UserAgent is what the client called itself when the login began, Address where it came from, LastAddress where the
	// request at Seen came from.
	UserAgent, Address, LastAddress string
	Proven                          time.Time // when the person last proved again who they are; zero: never, since it began
}

// Logins remembers logins until they expire. Those that Revocations ended are not listed any more.
type Logins interface {
	// Save stores l. Of a login that is known, it changes LastAddress, Seen and Expires, if Seen is later than what is stored.
	Save(ctx context.Context, l Login) error
	// Prove stores when the person of a login proved who they are; Save keeps that. Errors: ErrNotFound.
	Prove(ctx context.Context, id string, at time.Time) error
	// Proven returns what Prove stored last, zero for nothing and for an unknown login.
	Proven(ctx context.Context, id string) (time.Time, error)
	// Of returns up to limit logins of a user or customer that are neither expired at now nor ended, the last seen first.
	Of(ctx context.Context, kind tenant.Kind, subject string, now time.Time, limit int) ([]Login, error)
}
