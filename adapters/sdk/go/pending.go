package cartwright

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"sync"
	"time"
)

// PendingOperation is a mutation whose outcome is not known, or that did not happen yet: what is needed to
// send the very same bytes under the very same key again. It holds what the caller sent – of a merge also the
// SourceCartToken, if one was given, which a server need not give – but never the keys of the client;
// printed, it names itself only.
type PendingOperation struct {
	ID        string    `json:"id"`        // its idempotency key
	Operation string    `json:"operation"` // the helper, for example carts.addItem
	Method    string    `json:"method"`
	Path      string    `json:"path"`  // below /api, with its query
	Body      []byte    `json:"body"`  // exactly as sent; nil: none
	Match     string    `json:"match"` // equal for equal inputs; a change of a cart is the same one whatever revision it expects
	Scope     string    `json:"scope"` // of server and credentials: others never send it
	CreatedAt time.Time `json:"createdAt"`
	Attempts  int       `json:"attempts"` // calls that sent it
	Unknown   bool      `json:"unknown"`  // an attempt went out and its outcome is not known
}

// String names the operation.
func (p PendingOperation) String() string { return "cartwright.PendingOperation(" + p.Operation + ")" }

// GoString implements fmt.GoStringer.
func (p PendingOperation) GoString() string { return p.String() }

// PendingStore keeps pending operations. One store belongs to one client at a time. What Put and Remove have
// answered must survive whatever the caller wants to survive: with a store on disk a restart.
type PendingStore interface {
	// List is all of them, in any order.
	List(ctx context.Context) ([]PendingOperation, error)
	// Put stores one in place of any with its ID.
	Put(ctx context.Context, p PendingOperation) error
	// Remove forgets the one with that ID; it is no error if there is none.
	Remove(ctx context.Context, id string) error
}

// MemoryStore is a PendingStore that a restart forgets.
type MemoryStore struct {
	mu  sync.Mutex
	all map[string]PendingOperation
}

// NewMemoryStore is an empty one.
func NewMemoryStore() *MemoryStore { return &MemoryStore{all: map[string]PendingOperation{}} }

var _ PendingStore = (*MemoryStore)(nil)

// List implements PendingStore.
func (s *MemoryStore) List(context.Context) ([]PendingOperation, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	all := make([]PendingOperation, 0, len(s.all))
	for _, p := range s.all {
		all = append(all, p)
	}
	return all, nil
}

// Put implements PendingStore.
func (s *MemoryStore) Put(_ context.Context, p PendingOperation) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.all[p.ID] = p
	return nil
}

// Remove implements PendingStore.
func (s *MemoryStore) Remove(_ context.Context, id string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.all, id)
	return nil
}

func older(a, b PendingOperation) int {
	return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), cmp.Compare(a.ID, b.ID))
}

// lifetime is how long an operation may be sent again. The server remembers what it did to carts for a week;
// a day less is for clocks that differ.
const lifetime = 6 * 24 * time.Hour

// scopeOf tells servers and credentials apart without saying what they are: the server keeps receipts by key, so an
// operation sent again with another one would happen twice.
func scopeOf(base, secret string) string {
	sum := sha256.Sum256([]byte("cartwright pending operations\n" + base + "\n" + secret))
	return hex.EncodeToString(sum[:8])
}

// flights are the operations being sent right now, and those settled that the store could not forget.
type flights struct {
	mu      sync.Mutex
	flying  map[string]bool
	settled map[string]bool
}

// start marks an operation as being sent. It reports whether it was not, and is not settled. The flights are locked.
func (f *flights) start(id string) bool {
	if f.flying[id] || f.settled[id] {
		return false
	}
	if f.flying == nil {
		f.flying = map[string]bool{}
	}
	f.flying[id] = true
	return true
}

func (f *flights) end(id string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.flying, id)
}

// settle notes that an operation is over though the store still has it. The flights are locked.
func (f *flights) settle(id string) {
	if f.settled == nil {
		f.settled = map[string]bool{}
	}
	f.settled[id] = true
}
