package ports

import (
	"context"
	"time"

	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Key is an API key as authentication needs it.
type Key struct {
	ID                string
	Tenant            tenant.Facts
	Secret            bool // sk_, else pk_
	Environment       tenant.Environment
	CanRead, CanWrite bool
}

// Keys finds API keys by the SHA-256 of their text, across tenants; revoked keys are absent.
type Keys interface {
	// ByHash returns the key and its tenant's facts. Errors: ErrAbsent.
	ByHash(ctx context.Context, hash [32]byte) (Key, error)
	// Tenant returns the facts of a tenant. Errors: ErrAbsent.
	Tenant(ctx context.Context, id tenant.ID) (tenant.Facts, error)
}

// Membership is what a user is in one tenant.
type Membership struct {
	Tenant tenant.ID
	Role   tenant.Role
}

// Account is a person who can log in: globally one per email. Users and customers are separate kinds.
type Account struct {
	ID           string
	Email        string // trimmed, lower case
	PasswordHash string // PHC string
	TokenVersion int64  // raised by a password change; older tokens are void
	Memberships  []Membership
}

// Accounts finds user accounts.
type Accounts interface {
	// ByEmail finds by email. Errors: ErrAbsent.
	ByEmail(ctx context.Context, email string) (Account, error)
	// ByID finds by id. Errors: ErrAbsent.
	ByID(ctx context.Context, id string) (Account, error)
	// ByIDs returns those that exist, by id.
	ByIDs(ctx context.Context, ids []string) (map[string]Account, error)
}

// AccountRows are accounts inside a transaction whose scope is System. Lock order: the account, then the person's records.
type AccountRows interface {
	// Lock is ByID that keeps others from changing the account until the transaction ends. Errors: ErrAbsent.
	Lock(ctx context.Context, id string) (Account, error)
	// LockEmail is ByEmail that locks likewise. Errors: ErrAbsent.
	LockEmail(ctx context.Context, email string) (Account, error)
	// ByIDs returns those that exist, by id, without a lock.
	ByIDs(ctx context.Context, ids []string) (map[string]Account, error)
	// Save creates or replaces an account. Errors: ErrDuplicate on email.
	Save(ctx context.Context, a Account) error
	// Remove forgets an account; one that is not there stays so.
	Remove(ctx context.Context, id string) error
}

// Enclosure is what the delivery of one event carries besides the event: a token for one person. No list, log, stream or
// replay shows it. Engineering 18.
type Enclosure struct {
	Tenant     tenant.ID
	Event      string // id of the event it goes with
	Collection string
	Sealed     string // Vault: a JSON object whose members go into the delivery's data; see access.Enclosed
	Expires    time.Time
}

// Enclosures keep what waits for the delivery of its event, in the transaction of the event. What was delivered is
// discarded by the deliverer, what expired by the sweeper.
type Enclosures interface {
	// Enclose stores e.
	Enclose(ctx context.Context, e Enclosure) error
	// Enclosed returns what goes with an event. Errors: ErrAbsent.
	Enclosed(ctx context.Context, event string) (Enclosure, error)
	// Discard forgets what went with an event.
	Discard(ctx context.Context, event string) error
}

// Revocations remember tokens that ended before their expiry.
type Revocations interface {
	// Revoke ends token jti from the given time on; the entry is forgotten after until.
	Revoke(ctx context.Context, jti string, from, until time.Time) error
	// Revoked reports whether jti has ended at now.
	Revoked(ctx context.Context, jti string, now time.Time) (bool, error)
}

// TokenClaims is what a token of ours says about its bearer.
type TokenClaims struct {
	ID        string      // jti
	Kind      tenant.Kind // User, Customer, or SecretKey for a server token
	Subject   string      // id of the user, customer or key
	Tenant    tenant.ID   // of customers and keys; for users the tenant they logged in to
	Version   int64       // the account's TokenVersion when it was issued; of a server token, which text of its key made it
	IssuedAt  time.Time
	ExpiresAt time.Time
}

// Tokens signs claims and reads signed ones.
type Tokens interface {
	// Issue signs c.
	Issue(c TokenClaims) (string, error)
	// Read checks a token at now. Errors: fault.ErrUnauthenticated when it is not ours or was tampered with,
	// fault.ErrTokenExpired.
	Read(token string, now time.Time) (TokenClaims, error)
}

// Passwords hashes passwords, slowly on purpose.
type Passwords interface {
	// Hash makes the PHC string that is stored. Errors: fault.ErrUnavailable when too many wait, also of Matches.
	Hash(ctx context.Context, plain string) (string, error)
	// Matches compares; hash "" costs the same time and never matches, so that nobody learns which emails exist.
	Matches(ctx context.Context, plain, hash string) (bool, error)
}

// Attempts limits guesses per key in a sliding window, best effort.
type Attempts interface {
	// Try counts an attempt of key at now as failed, or refuses it when limit of them failed within the window and says
	// how long the oldest of them will still count; 0 admits. Counting before the outcome is known keeps parallel guesses
	// within the limit. A success is followed by Clear.
	Try(ctx context.Context, key string, limit int, now time.Time) (wait time.Duration)
	// TakeBack uncounts the latest attempt of key: it proved nothing.
	TakeBack(ctx context.Context, key string)
	// Clear forgets key.
	Clear(ctx context.Context, key string)
}

// TokenNeed is what would be lost without a version of the server's secret, besides what is sealed for good.
type TokenNeed struct {
	Version      int
	Receipts     int // that answer with tokens derived from it
	Letters      int // sealed with it, waiting for their delivery
	LettersUntil time.Time
}

// Vault encrypts secrets at rest and derives capability tokens. Secrets have versions; old ones stay readable.
type Vault interface {
	// Seal encrypts plain, bound to label (a record and field).
	Seal(label string, plain []byte) (string, error)
	// Version tells which version of the secret Seal used, and whether it would use it again; 0 for what it did not make.
	Version(sealed string) (version int, newest bool)
	// Open decrypts what Seal returned.
	Open(label, sealed string) ([]byte, error)
	// Derive is HMAC-SHA256 with the secret of a version over the length-prefixed parts; version 0 asks for the newest.
	Derive(version int, parts ...string) (sum [32]byte, used int, err error)
}
