package sqlstore_test

import (
	"errors"
	"fmt"
	"sync"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
	"github.com/cartwright-dev/cartwright/ports/portstest"
)

// Reads of many tenants share statements: each still finds what is its own and nothing else, and pays for
// nobody's mistake.
func TestBatchedReadsAreIsolated(t *testing.T) {
	t.Parallel()
	const shops, rounds = 24, 8
	registry := portstest.ScratchRegistry()
	s := open(t, sqlstore.Options{URL: testservers.Postgres(t)}, registry)
	makers := registry.Get("makers")
	shop := func(i int) tenant.ID { return tenant.ID(fmt.Sprint("shop", i%shops)) }
	own := func(i int) string { return fmt.Sprint("maker", i%shops) }
	for i := range shops {
		alive := collection.Record{"id": own(i), "tenant": string(shop(i)), "name": own(i)}
		dead := collection.Record{"id": "gone" + own(i), "tenant": string(shop(i)), "name": "gone"}
		for _, err := range []error{
			write(t.Context(), s, ports.ForTenant(shop(i)), makers, nil, alive, "e1"+own(i)),
			write(t.Context(), s, ports.ForTenant(shop(i)), makers, nil, dead, "e2"+own(i)),
			write(t.Context(), s, ports.ForTenant(shop(i)), makers, dead, nil, "e3"+own(i)),
		} {
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	var all sync.WaitGroup
	for i := range shops * rounds {
		r := s.Read(ports.ForTenant(shop(i)))
		all.Go(func() {
			if got, err := r.Get(t.Context(), makers, own(i)); err != nil || got.Text("tenant") != string(shop(i)) ||
				got.Text("name") != own(i) {
				t.Errorf("own record: %v, %v", got, err)
			}
		})
		all.Go(func() {
			if got, err := r.Get(t.Context(), makers, own(i+1)); !errors.Is(err, ports.ErrNotFound) {
				t.Errorf("foreign record: %v, %v", got, err)
			}
		})
		all.Go(func() {
			if got, err := r.GetMany(t.Context(), makers, []string{own(i), own(i + 1), own(i)}, nil); err != nil || len(got) != 1 ||
				got[own(i)] == nil {
				t.Errorf("many: %v, %v", got, err)
			}
		})
		all.Go(func() {
			if got, err := r.Deleted(t.Context(), []string{"gone" + own(i), "gone" + own(i+1), own(i)}); err != nil || len(got) != 1 ||
				got["gone"+own(i)] != 2 {
				t.Errorf("gone: %v, %v", got, err)
			}
		})
		all.Go(func() {
			if _, err := r.Get(t.Context(), makers, "no\x00id"); !errors.Is(err, fault.ErrValidation) {
				t.Errorf("an id that cannot be one: %v", err)
			}
		})
	}
	all.Wait()
}
