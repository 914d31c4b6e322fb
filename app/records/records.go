// Package records implements the generic operations of every collection: list, count, get, create, update and
// delete, with access, audience, environment, related records and hooks. What a collection is comes from its
// schema alone.
//
// Details that the rules leave open. An idempotency key is optional here. Invalid fields may be corrected
// under the same key; every other deterministic refusal, such as a missing record or a duplicate value, is
// stored under it. A bulk write stores the ids it found, and a receipt for each of them, so that a retry
// finishes what a crash interrupted and writes nothing twice. Each record is written independently: failures
// are reported beside the records that were written, with at most 500 records per request. A response embeds
// at most 20 000 related records.
package records

import (
	"context"
	"time"

	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/app/searchindex"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// The refusals of the generic operations.
var (
	ErrCommandOnly = fault.New(fault.MethodNotAllowed, "collection_operated",
		"Records of this collection can only be changed by their own operations.")
	ErrDeleteNotSupported = fault.New(fault.MethodNotAllowed, "delete_not_supported", "Records of this collection cannot be deleted.")
	ErrAnswerTooLarge     = collection.ErrAnswerTooLarge
)

// MaxPageBytes bounds the records of one page as they are stored, and those that one page embeds of a collection: five
// hundred ordinary records have a few KiB each, but each may have a megabyte.
const MaxPageBytes = 16 << 20

// Service implements the generic operations for the collections of Registry.
type Service struct {
	Store     ports.Store
	Committer ports.Committer // shared commits; nil: every write has its own transaction
	Registry  *collection.Registry
	Hooks     map[string]Hooks // by slug; most collections have none
	Fold      collection.Fold
	Now       func() time.Time
	NewID     func() string
	Search    *searchindex.Finder // nil: nothing is searched
}

// Hooks extend the writes and reads of a collection. A write runs Prepare (outside of the transaction),
// BeforeLock, BeforeWrite, the store, AfterWrite; all but Prepare may run more than once.
type Hooks struct {
	// Prepare changes the input before it is parsed, once per request and outside of the transaction, so it
	// may be slow.
	Prepare func(ctx context.Context, w *Write) error
	// BeforeLock runs first in the transaction, before any lock is taken.
	BeforeLock func(ctx context.Context, tx ports.Tx, w *Write) error
	// BeforeWrite runs in the transaction before the record is stored, after After was parsed and its links
	// were checked.
	BeforeWrite func(ctx context.Context, tx ports.Tx, w *Write) error
	// AfterWrite runs in the transaction after the record is stored.
	AfterWrite func(ctx context.Context, tx ports.Tx, w *Write) error
	// AfterCommit runs after the transaction of a write has committed.
	AfterCommit func(w *Write)
	// Accepted are the members of the answer to a create that stores another thing in place of the record; see
	// Write.Accepted. nil: there is none.
	Accepted []collection.Field
	// Batchable says that for a create, BeforeWrite uses only the records of its transaction, and AfterWrite
	// only sets the initial stock of variants created with the record. Then both may also run before the
	// transaction.
	Batchable bool
	// CustomerFields are the fields that customers may change in their own record.
	CustomerFields []string
	// NeedsAccounts gives BeforeLock, BeforeWrite and AfterWrite access to the accounts of users and to
	// records of other tenants.
	NeedsAccounts bool
	// LoadForeign returns those records of ids in other tenants that p may see through relations. In the
	// response to a write with NeedsAccounts it uses the open transaction: connections are limited, and a
	// transaction must not wait for a second one.
	LoadForeign func(ctx context.Context, open *ports.Tx, p tenant.Principal, ids []string) (map[string]collection.Record, error)
	// Decorate adds data to records that are read that is not stored in them and only p may see; it must not
	// change them in place. It may query the store; in the transaction of a write, AfterWrite does the same
	// by setting Shown.
	Decorate func(ctx context.Context, p tenant.Principal, records []collection.Record) ([]collection.Record, error)
	// ExtraInput are input members of a create that are no fields of the record and that Prepare removes.
	ExtraInput []collection.Field
	// Reasons are the refusals of the hooks besides invalid fields, for the API documentation.
	Reasons []*fault.Error
}

// Write is the write of one record; hooks read and change it.
type Write struct {
	Principal      tenant.Principal
	Schema         *collection.Schema
	ID             string // of the record, also of one being created
	Create         bool
	Input          map[string]any      // as sent; nil for deletes
	Before         collection.Record   // nil for creates, and in Prepare
	After          collection.Record   // nil for deletes, and in Prepare
	RelatedChanges []collection.Change // further records to store with it
	EventID        string              // of the event of the record's change; set before AfterWrite
	NamesTenant    []collection.Record // accepted values of fields that name the acting tenant, besides tenant itself; set by hooks before Before is read
	Shown          collection.Record   // shown in the response in place of the record, if AfterWrite sets it
	Accepted       *reply.Body         // answers a create in whose place BeforeWrite stored another thing: no record is stored
	HookData       any                 // data for the hooks: the caller's, or what an earlier hook stored
	Now            time.Time
	NewID          func() string

	basis       basis                  // what the caller says about the record that the change is based on
	stockKind   inventory.MovementKind // "": by what it is, a create or an update
	stockReason string                 // of the movements that it makes; "": their kind
	optimistic  bool                   // decided before its transaction
	sparing     bool                   // what changes nothing is not written
	// variantsFollow: the variants of the product are created after it, in the same transaction
	variantsFollow bool
	family         *Family       // nil: the write reads what it needs of the product of a variant
	slugAttempts   *SlugAttempts // nil: this write is not retried
}

// SlugAttempts are the slugs generated for one write. The database compares slugs case-folded and decides:
// "STRASSE" equals "straße" to it, although no record with exactly that slug is found.
type SlugAttempts struct {
	last     string
	rejected map[string]bool
}

// NewSlugAttempts are those of a write that is yet to be tried.
func NewSlugAttempts() *SlugAttempts { return &SlugAttempts{rejected: map[string]bool{}} }

// Again reports whether a write of input that failed with err has to be tried again: the slug that was made for it is taken,
// and the next attempt makes another one. It says so some fifty times at most.
func (m *SlugAttempts) Again(err error, input map[string]any) bool {
	again := slugTaken(err, input) && len(m.rejected) < maxSlugAttempts
	if again {
		m.rejectLast()
	}
	return again
}

// rejectLast notes that the database refused the slug generated last.
func (m *SlugAttempts) rejectLast() { m.rejected[m.last] = true }

// AddChange adds a change of another record to what is stored with w.
func (w *Write) AddChange(s *collection.Schema, before, after collection.Record) {
	w.RelatedChanges = append(w.RelatedChanges, collection.NewChange(s, before, after, w.NewID(), w.Now))
}

// NewRecord is an empty record of s in w's tenant and environment with an id, for hooks that create further
// records.
func (w *Write) NewRecord(s *collection.Schema) collection.Record {
	return newRecord(w.Principal, s, w.NewID())
}

func newRecord(p tenant.Principal, s *collection.Schema, id string) collection.Record {
	r := collection.Record{"id": id, "tenant": string(p.Tenant.ID)}
	if s.PerEnvironment {
		r["environment"] = string(p.Environment)
	}
	return r
}

// hasComputedFields reports whether s has fields that are computed when read.
func hasComputedFields(s *collection.Schema) bool {
	for _, f := range s.Fields {
		if f.Source != "" {
			return true
		}
	}
	return false
}
