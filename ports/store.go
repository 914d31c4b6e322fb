package ports

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// The faults every store raises.
var (
	// ErrNotFound: no record with this id exists for this tenant.
	ErrNotFound = fault.ErrNotFound
	// ErrStale: the record was changed since the version on which the change was decided.
	ErrStale = fault.New(fault.Conflict, "stale_write", "Someone else changed this record first.").WithRetry(time.Second)
	// ErrDuplicate: another record has the value of a unique field, which Fields names.
	ErrDuplicate = fault.NewInvalid("body", "value_not_unique", "A value that must be unique is taken.")
	// ErrQueryTooSlow: a query exceeded its time limit, because no index serves its fields. Repeating it
	// would take as long.
	ErrQueryTooSlow = fault.NewInvalid("where", "query_too_slow",
		"The query takes too long. Filter and sort by indexed fields, or narrow it down by one.")
	// ErrReceiptExists: a receipt with this key is stored already.
	ErrReceiptExists = fault.New(fault.Conflict, "receipt_exists", "This key was already used.")
	// ErrClaimLost: the claim of the request was taken over by another attempt.
	ErrClaimLost = fault.New(fault.Conflict, "claim_lost", "Another attempt took over this request.").WithRetry(time.Second)
)

// Scope is the set of tenants that a unit of work may access. It is fixed when the work begins; no method can
// widen it.
type Scope struct {
	Tenants []tenant.ID
	// System work reads and writes across tenants: key look-up, sequencer, sweepers, platform admins. Every
	// record it writes still names its tenant. With Tenants it is limited to those, but may lock accounts and
	// use AllTenants.
	System bool
	// Environment selects the stock and uses that computed fields show in every method that returns records
	// (a query may name another one); without it they are null. Records of PerEnvironment collections are
	// accessible in both: queries and callers filter.
	Environment tenant.Environment
	// Prefetch lists what a unit of work of one tenant will read first.
	Prefetch *Prefetch
}

// Prefetch lists what a unit of work will lock and read, so that a store can do all of it at once, and for many units
// together: whoever declares everything takes part in a transaction that others pay for too. It is only a hint:
// anything missing is read on demand, in a transaction of its own. With it, a store may delay writes until the commit.
// Their errors are then returned by Atomically instead of the call, possibly without the Data of refusals.
type Prefetch struct {
	// Lock is locked first, in the order of the slugs of collections and then of ids, which is the lock order: carts,
	// checkouts, payment sessions.
	Lock        []Ref
	LockBy      []RefBy // locked after Lock
	LockShared  []Ref   // locked after LockBy
	Holder      string  // "" if no stock changes
	Environment tenant.Environment
	Variants    []string // variants whose stock in Environment is taken or released for Holder
	Get         []Ref    // read after that stock is locked
	// DiscountUsesFirst: discount uses of Holder are counted before its stock is locked.
	DiscountUsesFirst bool
	GetFirst          []Ref // read before that stock is locked
	// Calls are the provider calls that begin. Those of a session that the work creates need not be listed.
	Calls []CallRef
	// CatalogVersion says that Reader.CatalogVersion is read, and Available are variants whose stock in Environment is, by
	// Stock.Available.
	CatalogVersion bool
	Available      []string
	// Alone says that the work reads more than is listed, so that it takes a transaction of its own.
	Alone bool
	// Receipt is the key of the receipt that the work saves or claims; nil: none.
	Receipt *ReceiptKey
}

// CallRef identifies a provider call with all its attempts.
type CallRef struct{ Session, Operation string }

// RefBy identifies the records that have a value in an indexed text field (Records.LockBy).
type RefBy struct {
	Schema       *collection.Schema
	Field, Value string
}

// Ref identifies a record.
type Ref struct {
	Schema *collection.Schema
	ID     string
}

// ForTenant is the scope of one tenant.
func ForTenant(id tenant.ID) Scope { return Scope{Tenants: []tenant.ID{id}} }

// ForPrincipal is the scope of a principal: their tenant, and the environment whose stock they see.
func ForPrincipal(p tenant.Principal) Scope {
	return Scope{Tenants: []tenant.ID{p.Tenant.ID}, Environment: p.Environment}
}

// Store runs units of work.
type Store interface {
	// Atomically runs fn in one read-write transaction: it commits when fn returns nil and no call of tx failed, and rolls back
	// otherwise. fn may run more than once (serialization failure, busy database), so it may change nothing
	// but tx, and makes no remote calls. If the database is unreachable, it returns fault.ErrUnavailable, at
	// once while the breaker is open. Errors: that of fn, also where it replaces the one of a call; that of a call which fn
	// ignored.
	Atomically(ctx context.Context, scope Scope, fn func(ctx context.Context, tx Tx) error) error
	// Read gives access without a transaction; each call is one round trip.
	Read(scope Scope) Reader
}

// Reader reads records of the scope's tenants, in committed state only. Records of shared collections have
// collection.Record.DeletedLinks; for the links of others, call Deleted.
type Reader interface {
	// Get returns a record. Errors: ErrNotFound.
	Get(ctx context.Context, s *collection.Schema, id string) (collection.Record, error)
	// GetMany returns the existing ones, by id, which take room. Errors: collection.ErrAnswerTooLarge, before more is read
	// than there is room for; nil is any.
	GetMany(ctx context.Context, s *collection.Schema, ids []string, room *collection.Room) (map[string]collection.Record, error)
	// Find runs a query; TotalDocs is exact. Errors: ErrQueryTooSlow.
	Find(ctx context.Context, q collection.Query) (collection.Page, error)
	// Deleted returns those of ids, of any collection, whose records were deleted, with the recordSequence of
	// the delete.
	Deleted(ctx context.Context, ids []string) (map[string]int64, error)
	// Receipt returns a finished receipt. Errors: ErrNotFound.
	Receipt(ctx context.Context, key ReceiptKey) (Receipt, error)
	// CatalogVersion is a number that is replaced by another one, never seen before, with every commit that changes a record
	// of the scope's one tenant in a collection whose changes ChangeNotifier tells of; 0 before the first. What was read from
	// these collections at a version or later is current while the version is. ok is false where the store has none.
	CatalogVersion(ctx context.Context) (version int64, ok bool, err error)
}

// FindEach calls fn with the pages of what q matches, by ascending id, until fn fails; a page has q's limit of records, MaxLimit
// of them where q has none, and q's own sort and page are ignored. A page begins after the last id of the one before it, so that
// a record which is deleted meanwhile keeps no other one out. Errors: those of Reader.Find and of fn.
func FindEach(ctx context.Context, r Reader, q collection.Query, fn func(page []collection.Record) error) error {
	where := q.Where
	q.Sort, q.Limit, q.Page, q.SkipCount = q.Schema.SortBy("id"), cmp.Or(q.Limit, collection.MaxLimit), 1, true
	for {
		found, err := r.Find(ctx, q)
		if err != nil {
			return err
		}
		if err := fn(found.Docs); err != nil || found.Found() < q.Limit {
			return err
		}
		q.Where = collection.And{q.Schema.Where("id", collection.GreaterThan, found.LastID())}
		if where != nil {
			q.Where = collection.And{where, q.Where}
		}
	}
}

// FindAll reads every record that q matches, in q's order, by keys that lead through no relation; q's own limit and page are
// ignored. Errors: those of Reader.Find.
func FindAll(ctx context.Context, r Reader, q collection.Query) (all []collection.Record, err error) {
	q.Limit, q.Page, q.SkipCount = collection.MaxLimit, 1, true
	found, err := r.Find(ctx, q)
	if err != nil || found.Found() < collection.MaxLimit {
		return found.Docs, err
	}
	err = FindEach(ctx, r, q, func(page []collection.Record) error {
		all = append(all, page...)
		return nil
	})
	slices.SortFunc(all, q.Compare)
	return all, err
}

// GetInEnvironment is r.Get for a record of env; records of collections without environments are in all of them.
// Errors: ErrNotFound.
func GetInEnvironment(ctx context.Context, r Reader, s *collection.Schema, env tenant.Environment, id string) (collection.Record, error) {
	record, err := r.Get(ctx, s, id)
	if err == nil && s.PerEnvironment && record.Text("environment") != string(env) {
		return nil, ErrNotFound
	}
	return record, err
}

// Records reads and writes records inside a transaction.
type Records interface {
	Reader
	// Lock is Get with a lock on the record until the transaction ends. Lock order: cart, checkout,
	// discounts, stock; inside one collection by id. Errors: ErrNotFound.
	Lock(ctx context.Context, s *collection.Schema, id string) (collection.Record, error)
	// LockShared is Get with a shared lock until the transaction ends: no transaction can change the record,
	// while others may lock it shared too. Errors: ErrNotFound.
	LockShared(ctx context.Context, s *collection.Schema, id string) (collection.Record, error)
	// LockBy locks the records whose indexed text field has this value until the transaction ends, and returns
	// them in the order of their ids, in which they are locked. It does not lock the value itself: others may
	// still add records that have it.
	LockBy(ctx context.Context, s *collection.Schema, field, value string) ([]collection.Record, error)
	// Write stores the changes with their events. An update requires that the stored recordSequence is still
	// that of Before. The tenant of a record is its "tenant" field. Errors: ErrStale, ErrDuplicate.
	Write(ctx context.Context, changes ...collection.Change) error
}

// Tx is the access to the database in one transaction.
type Tx struct {
	Records       Records
	Receipts      Receipts
	Stock         Stock
	StockPlaces   StockPlaces
	DiscountUses  DiscountUses
	ProviderCalls ProviderCalls
	Ledger        Ledger
	PendingBlobs  PendingBlobs
	PaymentTasks  PaymentTasks
	// ProcessedWebhooks marks a webhook in the transaction that does what it told of.
	ProcessedWebhooks ProcessedWebhooks
	NoticeMover       NoticeMover
	// MailMover is NoticeMover for the events that were mailed about.
	MailMover NoticeMover
	// Accounts, AllTenants, EmailRequests and TenantDeletions need a scope that is System; in any other every call of them
	// fails.
	Accounts        AccountStore
	AllTenants      Records // records of all tenants, in the same transaction
	EmailRequests   EmailRequests
	TenantDeletions TenantDeletions
	SealedTokens    SealedTokens
	Erasure         Erasure
	// SyncStock updates the records that depend on stock moved in this transaction. It runs before commit
	// anyway; call it to read them earlier. Nil: nothing depends on stock.
	SyncStock func(context.Context) error
}

// ReceiptKey is SHA-256 over (tenant, principal, operation, idempotency key, environment), each length-prefixed.
type ReceiptKey [32]byte

// ReceiptResult is the outcome of the first execution.
type ReceiptResult string

// The results of receipts. Rule idempotency-11.
const (
	ReceiptOK      ReceiptResult = "ok"
	ReceiptCreated ReceiptResult = "created"
	// ReceiptAccepted: another thing was stored in place of the record, such as an invitation.
	ReceiptAccepted ReceiptResult = "accepted"
	ReceiptRefused  ReceiptResult = "refused" // a deterministic refusal; Body is the fault
)

// Receipt is the stored answer of one request with an idempotency key.
type Receipt struct {
	Tenant       tenant.ID
	Key          ReceiptKey
	Fingerprint  [32]byte // SHA-256 over method, route, path ids and canonical body
	Result       ReceiptResult
	Body         []byte // the response body without capability tokens, byte for byte; if refused, the encoded fault
	RequestID    string // of the first execution; a replayed refusal repeats it in its body
	Record       string // id of the cart, checkout … it acted on
	Sequence     int64  // recordSequence of Record as the answer shows it; 0 if the answer has none
	TokenVersion int    // version of the server's secret from which a capability token was derived; 0: no token
	At           time.Time
	Expires      time.Time // zero: a year after At, of a version that stored none
}

// About sets the record that r answers for, in the state that the answer shows.
func (r *Receipt) About(record collection.Record) {
	r.Record, r.Sequence = record.ID(), record.Sequence()
}

// Receipts are stored in the transaction of the change they answer for.
type Receipts interface {
	// Claim is Claims.Claim in this transaction.
	Claim(
		ctx context.Context, t tenant.ID, key ReceiptKey, fingerprint [32]byte, lease time.Duration,
	) (fence int64, done *Receipt, err error)
	// Save stores r. Under a claim, fence is its number, and the receipt replaces the claim; without one,
	// fence is 0. Errors: ErrReceiptExists, ErrClaimLost.
	Save(ctx context.Context, r Receipt, fence int64) error
}

// Claims guard requests with an idempotency key that span several transactions: at most one holder at a time.
// They are stored in SQL.
type Claims interface {
	// Claim claims key until lease ends by the database's clock. If there is a finished receipt, it returns
	// that instead (fence 0). Errors: idempotency_in_progress while another holder's lease lasts,
	// idempotency_key_reused if that holder has another fingerprint.
	Claim(
		ctx context.Context, t tenant.ID, key ReceiptKey, fingerprint [32]byte, lease time.Duration,
	) (fence int64, done *Receipt, err error)
	// Renew extends the lease of a claim. Errors: ErrClaimLost.
	Renew(ctx context.Context, t tenant.ID, key ReceiptKey, fence int64, lease time.Duration) error
	// Release ends a claim after an outcome that is not stored (5xx, validation), so that the key can be used
	// again at once.
	Release(ctx context.Context, t tenant.ID, key ReceiptKey, fence int64) error
}

// CommitRequest is a sequence of decided changes of one record, with the receipts they answer for. Changes
// are consecutive (each Before is the previous After), and may be empty when all receipts are refusals.
type CommitRequest struct {
	Tenant   tenant.ID
	Changes  []collection.Change
	Receipts []Receipt
	// Creates are further records that the request creates: all are stored, or none.
	Creates []collection.Change
	// InitialStock is the stock of variants that the request creates.
	InitialStock []InitialStock
}

// InitialStock is a new variant's units on hand, in live and, as a copy, in test.
type InitialStock struct {
	Product, Variant string
	Level            StockLevel
}

// Committer commits many independent requests together.
type Committer interface {
	// Commit returns once the request is durable or refused. A refusal has no effect on other requests in the
	// batch. Errors: ErrStale, ErrReceiptExists, ErrDuplicate, fault.ErrUnavailable.
	Commit(ctx context.Context, step CommitRequest) error
}

// Epoch names a part of the database's life in which no commit was lost. It is another one after a promotion, a restore
// and a restart.
type Epoch string

// Epochs tell the epoch of a database.
type Epochs interface {
	// KnownEpoch is the epoch as it was last seen, without asking; "" before that.
	KnownEpoch() Epoch
	// CurrentEpoch is the epoch as of a fraction of a second ago; ok is false if the database cannot be asked.
	CurrentEpoch(ctx context.Context) (e Epoch, ok bool)
}

// ReceiptCache is a fast copy of receipts, which may lose any of them at any time; the database is
// authoritative. Rules idempotency-14, idempotency-24.
type ReceiptCache interface {
	// Epoch is the epoch of the database as it was last seen, for Put.
	Epoch() Epoch
	// Find returns a cached receipt of the database's current epoch. ok is false if there is none, or the cache
	// is unreachable, or the database, so that nobody knows its epoch.
	Find(ctx context.Context, key ReceiptKey) (r Receipt, ok bool)
	// Put caches r, best effort, without blocking the caller on a slow cache. The epoch is what Epoch returned
	// before r was stored, or before it was read: should a failover lose the commit, then it is over.
	Put(ctx context.Context, epoch Epoch, r Receipt)
	// Lease marks key as in progress for lease. held is false if another owner has it, and true if the cache
	// is unreachable.
	Lease(ctx context.Context, key ReceiptKey, owner string, lease time.Duration) (held bool)
	// ReleaseLease removes owner's mark.
	ReleaseLease(ctx context.Context, key ReceiptKey, owner string)
}
