package ports

import (
	"context"
	"time"

	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// APIKey has the fields of an API key that authentication needs.
type APIKey struct {
	ID                string
	Tenant            tenant.Settings
	Secret            bool // sk_; otherwise pk_
	Environment       tenant.Environment
	CanRead, CanWrite bool
}

// APIKeys finds API keys by the SHA-256 of their text, across tenants; revoked keys are absent.
type APIKeys interface {
	// ByHash returns the key and the settings of its tenant. Errors: ErrNotFound, also of a tenant that is being deleted.
	ByHash(ctx context.Context, hash [32]byte) (APIKey, error)
	// Tenant returns the settings of a tenant. Errors: ErrNotFound, also of one that is being deleted.
	Tenant(ctx context.Context, id tenant.ID) (tenant.Settings, error)
}

// Membership is the role of a user in one tenant.
type Membership struct {
	Tenant tenant.ID
	Role   tenant.Role
	// PasswordHash is of a password that was set by a token which the tenant sent, and counts in this tenant
	// alone, in place of the account's; "" without one.
	PasswordHash string `json:",omitempty"`
	TokenVersion int64  `json:",omitempty"` // of PasswordHash, as Account.TokenVersion; never becomes less
	// SessionsEnded is when the tenant last ended the sessions of the person in it: logins that began by then do not act
	// in the tenant any more; zero: never.
	SessionsEnded time.Time `json:",omitzero"`
	// Login is the TokenClaims.Login that accepted the invitation to this tenant, and may act in it besides
	// the tenant it belongs to; "" for none.
	Login string `json:",omitempty"`
}

// Account is a person who can log in. What the installation vouches for counts in all tenants of the account,
// what a tenant vouches for in that tenant alone; so there is one account per address that belongs to a
// person, and at most one more per tenant. Users and customers are separate kinds. Decision 37.
type Account struct {
	ID    string
	Email string // trimmed, lower case
	// Home is the tenant that an unproven account is bound to, its only membership; "" for the account of a
	// person whose address the installation vouches for.
	Home         tenant.ID
	PasswordHash string // PHC string; "": no password opens the account
	TokenVersion int64  // raised by a password change, which invalidates older tokens
	Memberships  []Membership
	// SecondFactors are what a login has to prove besides a password.
	SecondFactors SecondFactors
}

// Accounts finds user accounts.
type Accounts interface {
	// ByAddress returns the accounts with an email address: a person's first, then the unproven ones, oldest
	// first.
	ByAddress(ctx context.Context, email string) ([]Account, error)
	// ByID finds by id. Errors: ErrNotFound.
	ByID(ctx context.Context, id string) (Account, error)
	// ByIDs returns the existing ones, by id.
	ByIDs(ctx context.Context, ids []string) (map[string]Account, error)
	// WithSecondFactors returns up to limit accounts that have second factors and whose ids come after one, in the order of
	// ids.
	WithSecondFactors(ctx context.Context, after string, limit int) ([]Account, error)
}

// AccountStore has the accounts in a transaction whose scope is System. Lock order: the account, then the
// person's records.
type AccountStore interface {
	// Lock is ByID with a lock on the account until the transaction ends. Errors: ErrNotFound.
	Lock(ctx context.Context, id string) (Account, error)
	// LockByAddress is ByAddress with the same lock.
	LockByAddress(ctx context.Context, email string) ([]Account, error)
	// ByIDs returns the existing ones, by id, without a lock.
	ByIDs(ctx context.Context, ids []string) (map[string]Account, error)
	// Save creates or replaces an account. Errors: ErrDuplicate when another account has the address and home, or a passkey of
	// it.
	Save(ctx context.Context, a Account) error
	// Delete removes an account. An unknown id is no error.
	Delete(ctx context.Context, id string) error
}

// SealedToken is a token for one person, which the delivery of one event carries besides the event. No list,
// log, stream or replay contains it. Rule access-9.
type SealedToken struct {
	Tenant     tenant.ID
	Event      string // id of the event it goes with
	Collection string
	Ciphertext string // sealed by Vault: a JSON object whose members are added to the delivery's data; see access.OpenSealedToken
	Expires    time.Time
}

// SealedTokens stores tokens until their event is delivered, in the transaction of the event. The deliverer
// deletes delivered ones, the sweeper expired ones.
type SealedTokens interface {
	// Add stores e.
	Add(ctx context.Context, e SealedToken) error
	// ForEvent returns the token of an event. Errors: ErrNotFound.
	ForEvent(ctx context.Context, event string) (SealedToken, error)
	// Delete removes the token of an event.
	Delete(ctx context.Context, event string) error
}

// Revocations stores tokens and logins that were ended before their expiry.
type Revocations interface {
	// Revoke ends the tokens and logins with these ids from the given time on, all of them or none; the entries are deleted
	// after until.
	Revoke(ctx context.Context, from, until time.Time, ids ...string) error
	// Revoked reports whether any of ids has ended at now.
	Revoked(ctx context.Context, now time.Time, ids ...string) (bool, error)
}

// TokenClaims are the claims of a token issued by this server.
type TokenClaims struct {
	ID       string      // jti
	Login    string      // id of the login that the token comes from, the same in every token refreshed from it; "" in old ones
	Kind     tenant.Kind // User, Customer, or SecretKey for a server token
	Subject  string      // id of the user, customer or key
	Tenant   tenant.ID   // of customers and keys; for users the tenant they logged in to
	Version  int64       // TokenVersion of the password at issue; for a server token, the generation of the API key that issued it
	HomeOnly bool        // of users: the password counts in Tenant alone
	// SecondFactor says that the login proved a second factor.
	SecondFactor bool
	Began        time.Time // when the login began, in milliseconds; zero in tokens of servers, and in old ones
	IssuedAt     time.Time
	ExpiresAt    time.Time
}

// Tokens signs and verifies tokens.
type Tokens interface {
	// Issue signs c.
	Issue(c TokenClaims) (string, error)
	// Read verifies a token at now. Errors: fault.ErrUnauthenticated when its signature is invalid,
	// fault.ErrTokenExpired.
	Read(token string, now time.Time) (TokenClaims, error)
}

// Passwords hashes passwords, with a deliberately slow function.
type Passwords interface {
	// Hash returns the PHC string to store. Errors: fault.ErrUnavailable when too many calls wait; Matches
	// returns it too.
	Hash(ctx context.Context, plain string) (string, error)
	// Matches compares a password with a hash. The hash "" takes the same time and never matches, so that the
	// time does not show which emails exist.
	Matches(ctx context.Context, plain, hash string) (bool, error)
}

// AttemptLimiter limits failed attempts per key in a sliding window, best effort.
type AttemptLimiter interface {
	// Try counts an attempt of key at now as failed, or refuses it when limit attempts failed within the
	// window, and returns how long the oldest of them will still count; 0 admits. An attempt is counted
	// before its outcome is known, which keeps parallel guesses within the limit. The caller calls Reset
	// after a success.
	Try(ctx context.Context, key string, limit int, now time.Time) (wait time.Duration)
	// Undo removes the latest attempt of key, whose outcome was not a wrong guess.
	Undo(ctx context.Context, key string)
	// Reset removes all attempts of key.
	Reset(ctx context.Context, key string)
}

// SecretDependents counts what would be lost without a version of the server's secret, besides values that
// are sealed permanently.
type SecretDependents struct {
	Version           int
	Receipts          int // whose answer has a token derived from it
	SealedTokens      int // sealed with it, not delivered yet
	SealedTokensUntil time.Time
	SealedCalls       int // calls to providers, sealed with it, whose outcome is not known
}

// Vault encrypts secrets at rest and derives capability tokens. Its secrets have versions, of which older
// ones remain readable.
type Vault interface {
	// Seal encrypts plain, bound to label (a record and field).
	Seal(label string, plain []byte) (string, error)
	// Version returns the version of the secret that sealed a value, and whether Seal would use it now; 0 for
	// a value that Seal did not return.
	Version(sealed string) (version int, newest bool)
	// Open decrypts what Seal returned.
	Open(label, sealed string) ([]byte, error)
	// Derive is HMAC-SHA256 with a version of the secret over the length-prefixed parts; version 0 means the
	// newest.
	Derive(version int, parts ...string) (sum [32]byte, used int, err error)
}
