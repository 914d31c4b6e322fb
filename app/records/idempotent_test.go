package records_test

import (
	"errors"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/domain/catalog"
)

// A key whose first request has no result yet is refused, never reported as done.
func TestKeyInProgressIsRefused(t *testing.T) {
	t.Parallel()
	b := newFixture(t)
	b.product(tree{"slug": "taken"})
	claims := b.content.Store.(*sqlstore.Store).Claims()
	shirt := tree{"name": "Cap", "status": "draft", "price": num("10000")}
	for name, write := range map[string]func(idempotency.Call) error{
		"a creation": func(call idempotency.Call) error {
			_, err := b.content.Create(t.Context(), call, catalog.Products, shirt, records.Projection{})
			return err
		},
		"a refused creation": func(call idempotency.Call) error {
			_, err := b.content.Create(t.Context(), call, catalog.Products,
				tree{"name": "Cap", "status": "draft", "price": num("10000"), "slug": "taken"}, records.Projection{})
			return err
		},
		"a bulk write": func(call idempotency.Call) error {
			_, err := b.content.UpdateMany(t.Context(), call, catalog.Products,
				records.BulkSelection{Where: tree{"slug": tree{"equals": "taken"}}}, tree{"name": "Cap"})
			return err
		},
	} {
		call := idempotency.Call{Principal: b.by, Operation: name, Key: "ik_held_0123456789abc"}
		if _, _, err := claims.Claim(t.Context(), b.by.Tenant.ID, call.ReceiptKey(), call.Fingerprint, time.Minute); err != nil {
			t.Fatal(err)
		}
		if err := write(call); !errors.Is(err, idempotency.ErrInProgress) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if all := b.all(catalog.Products, "name", "Cap", ""); len(all) != 0 {
		t.Errorf("written: %v", all)
	}
}
