package connections

import (
	"context"
	"sync"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Choice is the connection that a new session of some kind uses, as it was found before the transaction that opens the
// session. The zero value is none.
type Choice struct {
	Record    collection.Record
	tenant    tenant.ID
	version   int64 // catalog version at which it was the choice
	versioned bool
}

// Choices are the choices of tenants, each at a catalog version: connections seldom change. Decision 46.
type Choices struct {
	mu       sync.Mutex
	ofTenant map[tenant.ID]*tenantChoices
}

type tenantChoices struct {
	version int64
	records map[choiceKey]collection.Record
}

type choiceKey struct {
	environment tenant.Environment
	id          string
	kind        payment.Kind
}

// WatchedCollections are the slugs of the collections whose changes may change a choice; true: new records, too.
func WatchedCollections() map[string]bool { return map[string]bool{payment.Connections.Slug: true} }

const (
	maxTenants          = 1_000
	maxChoicesPerTenant = 100
)

// Choose finds the connection that Pick will open, and declares in p what Pick reads. Errors: payment.ErrNotConfigured.
func (o Opener) Choose(
	ctx context.Context, r ports.Reader, t tenant.ID, env tenant.Environment, id string, kind payment.Kind, p *ports.Prefetch,
) (c Choice, err error) {
	k := choiceKey{env, id, kind}
	c, known := o.Choices.get(t, k)
	if !known {
		if c.version, c.versioned, err = r.CatalogVersion(ctx); err != nil { // before the record: it is the choice at this version
			return c, err
		}
		if c.Record, err = o.find(ctx, r, env, id, kind); err != nil {
			return Choice{}, err
		}
		c.tenant = t
		o.Choices.put(k, c)
	}
	p.CatalogVersion = p.CatalogVersion || c.versioned
	p.LockShared = append(p.LockShared, ports.Ref{Schema: payment.Connections, ID: c.Record.ID()})
	return c, nil
}

// still is the record of c if the transaction sees no reason to choose again; nil otherwise.
func (o Opener) still(ctx context.Context, tx ports.Records, c Choice) (collection.Record, error) {
	if !c.versioned {
		return c.Record, nil
	}
	version, ok, err := tx.CatalogVersion(ctx)
	if err != nil || ok && version == c.version {
		return c.Record, err
	}
	o.Choices.drop(c)
	return nil, nil
}

func (m *Choices) get(t tenant.ID, k choiceKey) (c Choice, ok bool) {
	if m == nil {
		return c, false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	of := m.ofTenant[t]
	if of == nil || of.records[k] == nil {
		return c, false
	}
	return Choice{of.records[k], t, of.version, true}, true
}

func (m *Choices) put(k choiceKey, c Choice) {
	if m == nil || !c.versioned {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	of := m.ofTenant[c.tenant]
	if of == nil || of.version != c.version || len(of.records) >= maxChoicesPerTenant {
		if m.ofTenant == nil || len(m.ofTenant) >= maxTenants {
			m.ofTenant = map[tenant.ID]*tenantChoices{}
		}
		of = &tenantChoices{c.version, map[choiceKey]collection.Record{}}
		m.ofTenant[c.tenant] = of
	}
	of.records[k] = c.Record
}

// drop drops what was found at a version that is over.
func (m *Choices) drop(c Choice) {
	if m == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if of := m.ofTenant[c.tenant]; of != nil && of.version == c.version {
		delete(m.ofTenant, c.tenant)
	}
}
