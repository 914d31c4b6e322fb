package sqlstore_test

import (
	"context"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// A sealed call to a provider needs its secret until it is forgotten, once, however often it was attempted.
func TestSealedCallsNeedTheirSecret(t *testing.T) {
	bothDatabases(t, func(t *testing.T, open func(t testing.TB, schemas ...*collection.Schema) *sqlstore.Store) {
		s, id := open(t), tenant.ID("tenant-of-sealed-calls")
		within := func(fn func(ctx context.Context, calls ports.ProviderCalls) error) {
			t.Helper()
			err := s.Atomically(t.Context(), ports.ForTenant(id), func(ctx context.Context, tx ports.Tx) error { return fn(ctx, tx.ProviderCalls) })
			if err != nil {
				t.Fatal(err)
			}
		}
		needed := func() (n int) {
			t.Helper()
			needs, err := s.TokenNeeds(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			for _, need := range needs {
				if need.Version == 4711 {
					n += need.SealedCalls
				}
			}
			return n
		}
		call := ports.ProviderCall{
			Tenant: id, Session: "s1", Operation: "refund:r1", ProviderKey: "key", Request: []byte("sealed:v4711:AAAA"), StartedAt: time.Unix(0, 0),
		}
		within(func(ctx context.Context, calls ports.ProviderCalls) error {
			for callID, request := range map[string]string{"sealed-1": "sealed:v4711:AAAA", "sealed-2": "sealed:v4711:AAAA", "plain": `{"v4711":1}`} {
				c := call
				if c.ID, c.Request = callID, []byte(request); callID == "plain" {
					c.Operation = "prepare"
				}
				if _, err := calls.Begin(ctx, c); err != nil {
					return err
				}
			}
			return nil
		})
		if n := needed(); n != 1 {
			t.Errorf("%d calls need it, want 1", n)
		}
		within(func(ctx context.Context, calls ports.ProviderCalls) error { return calls.Forget(ctx, call) })
		if n := needed(); n != 0 {
			t.Errorf("%d calls need it once they are forgotten", n)
		}
	})
}
