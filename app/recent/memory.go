package recent

import (
	"context"
	"sync"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

const (
	// lifetime is how long a record is remembered; those of one generation are dropped together.
	lifetime = 30 * time.Second
	// maxRecords bounds each of two generations.
	maxRecords = 2_000
)

// Memory remembers records of some collections. It is safe for concurrent use; a nil one remembers nothing.
type Memory struct {
	now   func() time.Time
	slugs map[string]bool

	mu          sync.Mutex
	young, aged map[key]collection.Record
	bornAt      time.Time // of the young generation
}

type key struct {
	tenant   tenant.ID
	slug, id string
}

// New remembers records of these collections.
func New(now func() time.Time, of ...*collection.Schema) *Memory {
	m := &Memory{now: now, slugs: map[string]bool{}, young: map[key]collection.Record{}}
	for _, s := range of {
		m.slugs[s.Slug] = true
	}
	return m
}

// Get is a record as this process wrote it last, else as it is read from the database. Errors: those of ports.Reader.Get.
func (m *Memory) Get(ctx context.Context, r ports.Reader, t tenant.ID, s *collection.Schema, id string) (collection.Record, error) {
	if known := m.find(key{t, s.Slug, id}); known != nil {
		return known, nil
	}
	return r.Get(ctx, s, id)
}

func (m *Memory) find(k key) collection.Record {
	if m == nil {
		return nil
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.age()
	if r := m.young[k]; r != nil {
		return r
	}
	return m.aged[k]
}

// EvictOld drops what is too old, also when nobody asks any more.
func (m *Memory) EvictOld() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.age()
}

// age begins a new generation where the young one is over. It needs the lock.
func (m *Memory) age() {
	now := m.now()
	since := now.Sub(m.bornAt)
	if since < lifetime && len(m.young) < maxRecords {
		return
	}
	m.aged, m.young, m.bornAt = m.young, map[key]collection.Record{}, now
	if since >= 2*lifetime {
		m.aged = nil
	}
}

// remember takes what was written, once it is committed.
func (m *Memory) remember(changes []collection.Change) {
	if len(changes) == 0 {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.age()
	for _, c := range changes {
		k := keyOf(c)
		delete(m.aged, k)
		if delete(m.young, k); c.After != nil {
			m.young[k] = c.After
		}
	}
}

// forget drops what a transaction of unknown outcome may have changed.
func (m *Memory) forget(changes []collection.Change) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, c := range changes {
		delete(m.young, keyOf(c))
		delete(m.aged, keyOf(c))
	}
}

func keyOf(c collection.Change) key {
	return key{tenant.ID(c.Record().Text("tenant")), c.Schema.Slug, c.ID()}
}

// concerned are those of changes that are remembered.
func (m *Memory) concerned(changes []collection.Change) (some []collection.Change) {
	for _, c := range changes {
		if m.slugs[c.Schema.Slug] {
			some = append(some, c)
		}
	}
	return some
}
