// Package ports lists what the use cases need from the outside world.
package ports

import (
	"context"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// The faults every store raises.
var (
	// ErrAbsent says that nothing with this id for this tenant.
	ErrAbsent = fault.ErrNotFound
	// ErrStale says that the stored recordSequence is no longer the one the change was decided on.
	ErrStale = fault.New(fault.Conflict, "stale_write", "Someone else changed this record first.").Retry(time.Second)
	// ErrDuplicate says that a unique field holds a value another record has; Fields names it.
	ErrDuplicate = fault.New(fault.Invalid, "value_not_unique", "A value that must be unique is taken.")
	// ErrSlow says that a query took longer than it may, by fields that no index serves. Asking again would take as long.
	ErrSlow = fault.New(fault.Invalid, "query_too_slow", "The query takes too long. Filter and sort by indexed fields, or narrow it down by one.")
	// ErrReceiptExists says that a receipt with this key is stored already.
	ErrReceiptExists = fault.New(fault.Conflict, "receipt_exists", "This key was used already.")
	// ErrFenced says that the claim under which the work was done belongs to someone else by now.
	ErrFenced = fault.New(fault.Conflict, "claim_lost", "Another attempt took this request over.").Retry(time.Second)
)

// Scope is the set of tenants a unit of work may touch. It is bound when the work opens; no method can widen it.
type Scope struct {
	Tenants []tenant.ID
	// System work reads and writes across tenants: key look-up, sequencer, sweepers, platform admins. Writes still name
	// their tenant in every record. With Tenants it is held to those, but may lock accounts and look Across.
	System bool
	// Environment is whose stock and uses computed fields tell, by every method that returns records (a query may name
	// another one); without any they are null. Of what is environmented both are reached: queries and callers choose.
	Environment tenant.Environment
	// Ahead, for units of work of one tenant, is what they will read first.
	Ahead *Ahead
}

// Ahead is what a unit of work is going to read, so that a store can do it together with the begin. It decides nothing: what
// is missing in it is read when it is asked for. With it, a store may send writes only with the commit: what is wrong with
// them is then told by Atomically, as the call would have told it, and the Data of refusals may be missing.
type Ahead struct {
	Lock        []Ref  // in lock order
	Holder      string // "" if no stock is moved
	Environment tenant.Environment
	Variants    []string // whose stock, in Environment, is taken or released for Holder
	Get         []Ref    // once that stock is locked
	// Codes: uses of discounts are counted for Holder first, so that the stock has to wait for its turn.
	Codes bool
}

// Ref names a record.
type Ref struct {
	Schema *collection.Schema
	ID     string
}

// Of is the scope of one tenant.
func Of(id tenant.ID) Scope { return Scope{Tenants: []tenant.ID{id}} }

// For is the scope of one who acts: their tenant, and what they see of its stock.
func For(p tenant.Principal) Scope {
	return Scope{Tenants: []tenant.ID{p.Tenant.ID}, Environment: p.Environment}
}

// Store runs units of work.
type Store interface {
	// Atomically runs fn in one read-write transaction: commit when it returns nil, roll back otherwise. fn may run more
	// than once (serialization, busy), so it touches nothing but tx, and calls nothing remote. A database that cannot be
	// reached is fault.ErrUnavailable, at once while the breaker is open.
	Atomically(ctx context.Context, scope Scope, fn func(ctx context.Context, tx Tx) error) error
	// Read gives access without a transaction around several calls; each call is one round trip.
	Read(scope Scope) Reader
}

// Reader reads records of the bound tenants. All reads see committed state only. Records of collections without
// environments come with what collection.Record.Gone tells; about the links of others, Gone here is to be asked.
type Reader interface {
	// Get returns a record. Errors: ErrAbsent.
	Get(ctx context.Context, s *collection.Schema, id string) (collection.Record, error)
	// GetMany returns those that exist, by id.
	GetMany(ctx context.Context, s *collection.Schema, ids []string) (map[string]collection.Record, error)
	// Find answers a query; TotalDocs is exact. Errors: ErrSlow.
	Find(ctx context.Context, q collection.Query) (collection.Page, error)
	// Gone finds those of ids, of any collection, that belong to deleted records, with the recordSequence of the delete.
	Gone(ctx context.Context, ids []string) (map[string]int64, error)
	// Receipt finds a finished receipt. Errors: ErrAbsent.
	Receipt(ctx context.Context, key ReceiptKey) (Receipt, error)
}

// All reads every record that q finds, in q's order, a page after the other; q's own limit and page do not count.
// Errors: those of Reader.Find.
func All(ctx context.Context, r Reader, q collection.Query) (all []collection.Record, err error) {
	q.Limit, q.Uncounted = collection.MaxLimit, true
	for q.Page = 1; ; q.Page++ {
		found, err := r.Find(ctx, q)
		if err != nil {
			return nil, err
		}
		if all = append(all, found.Docs...); len(found.Docs) < collection.MaxLimit {
			return all, nil
		}
	}
}

// Records reads and writes records inside a transaction.
type Records interface {
	Reader
	// Lock is Get that keeps others from changing the record until the transaction ends. Lock order: cart, checkout,
	// discounts, stock; inside one collection by id. Errors: ErrAbsent.
	Lock(ctx context.Context, s *collection.Schema, id string) (collection.Record, error)
	// Hold is Get that keeps others from changing the record until the transaction ends; any number may hold it at once.
	// Errors: ErrAbsent.
	Hold(ctx context.Context, s *collection.Schema, id string) (collection.Record, error)
	// Write stores the changes with their events; After decides on update only if the stored recordSequence is Before's.
	// The tenant of a record is its "tenant" field. Errors: ErrStale, ErrDuplicate.
	Write(ctx context.Context, changes ...collection.Change) error
}

// Tx is what one transaction may touch.
type Tx struct {
	Records  Records
	Receipts Receipts
	Stock    Stock
	Uses     Uses
	Journal  Journal
	Ledger   Ledger
	Orphans  Orphans
	// Accounts and Across are for scopes that are System; in any other every call of them fails.
	Accounts   AccountRows
	Across     Records // the same transaction over all tenants
	Enclosures Enclosures
	// Settle brings records up to date with the stock that the transaction moved, as happens before its commit anyway: for
	// who reads them before. Nil: nothing depends on stock.
	Settle func(context.Context) error
}

// ReceiptKey is SHA-256 over (tenant, principal, operation, idempotency key), each length-prefixed.
type ReceiptKey [32]byte

// Result is how the first execution ended.
type Result string

// The results a receipt can hold. Contract 1.2.
const (
	OK      Result = "ok"
	Created Result = "created"
	Refused Result = "refused" // a deterministic refusal; Body is the fault
)

// Receipt is the kept answer to one keyed request.
type Receipt struct {
	Tenant       tenant.ID
	Key          ReceiptKey
	Fingerprint  [32]byte // SHA-256 over method, route, path ids and canonical body
	Result       Result
	Body         []byte // the wire body without capability tokens, byte for byte; Refused: the encoded fault
	RequestID    string // of the first execution; a replayed refusal repeats it in its body
	Record       string // id of the cart, checkout … it acted on
	Revision     int64  // carts: revision after it; else 0
	TokenVersion int    // version of the server secret a capability token was derived with; 0: no token
	At           time.Time
	Expires      time.Time // zero: kept as long as the order
}

// Receipts are kept in the transaction of the change they answer for.
type Receipts interface {
	// Keep stores r. Under a claim, fence is the claim's number and the claim becomes the receipt; without one fence is 0.
	// Errors: ErrReceiptExists, ErrFenced.
	Keep(ctx context.Context, r Receipt, fence int64) error
}

// Claims guard keyed work that spans several transactions: at most one holder at a time. They live in SQL.
type Claims interface {
	// Claim takes key for owner until lease runs out on the database's clock. It answers the finished receipt instead when
	// there is one (fence 0). Errors: idempotency_in_progress while another holder's lease runs, idempotency_key_reused
	// when that holder's fingerprint is another one.
	Claim(ctx context.Context, t tenant.ID, key ReceiptKey, fingerprint [32]byte, lease time.Duration) (fence int64, done *Receipt, err error)
	// Renew extends a lease still held. Errors: ErrFenced.
	Renew(ctx context.Context, t tenant.ID, key ReceiptKey, fence int64, lease time.Duration) error
	// Drop gives up a claim after an outcome that is not kept (5xx, validation), so that the key can run again at once.
	Drop(ctx context.Context, t tenant.ID, key ReceiptKey, fence int64) error
}

// Step is a run of decided changes to one record, with the receipts they answer for: data for the Committer.
// Changes are consecutive (each Before is the After before it) and may be empty when all receipts are refusals.
type Step struct {
	Tenant   tenant.ID
	Changes  []collection.Change
	Receipts []Receipt
	// Also are creates of further records, for a step that creates its own: all are stored, or none.
	Also []collection.Change
	// Stock are the units of variants that the step creates.
	Stock []Units
}

// Units are a new variant's units on hand, in live and, as a copy, in test.
type Units struct {
	Product, Variant string
	Level            Level
}

// Committer makes many independent steps durable together.
type Committer interface {
	// Commit returns when step is durable, or refused without any effect on its neighbours in the batch.
	// Errors: ErrStale, ErrReceiptExists, ErrDuplicate, fault.ErrUnavailable.
	Commit(ctx context.Context, step Step) error
}

// ReceiptCache is a fast copy of receipts that may lose anything at any time; SQL decides. Contract 1.2.
type ReceiptCache interface {
	// Find returns a cached receipt, or ok=false; an unreachable cache finds nothing.
	Find(ctx context.Context, key ReceiptKey) (r Receipt, ok bool)
	// Keep remembers r, best effort, without blocking the caller on a slow cache.
	Keep(ctx context.Context, r Receipt)
	// Lease marks key as running for lease. held=false means someone else holds it; an unreachable cache holds nothing and
	// answers true.
	Lease(ctx context.Context, key ReceiptKey, owner string, lease time.Duration) (held bool)
	// Unlease forgets owner's mark.
	Unlease(ctx context.Context, key ReceiptKey, owner string)
}
