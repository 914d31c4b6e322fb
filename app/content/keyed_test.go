package content_test

import (
	"errors"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/app/content"
	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/catalog"
)

// A key that is held without an answer is no answer: what was asked for did not happen, and nobody may take it for done.
func TestAKeyThatIsHeldAnswersNothing(t *testing.T) {
	t.Parallel()
	b := shop(t)
	b.product(tree{"slug": "taken"})
	claims := b.content.Store.(*sqlstore.Store).Claims()
	shirt := tree{"name": "Cap", "status": "draft", "price": num("10000")}
	for name, write := range map[string]func(once.Call) error{
		"a creation": func(call once.Call) error {
			_, err := b.content.Create(t.Context(), call, catalog.Products, shirt, content.Show{})
			return err
		},
		"a refused creation": func(call once.Call) error {
			_, err := b.content.Create(t.Context(), call, catalog.Products, tree{"name": "Cap", "status": "draft", "price": num("10000"), "slug": "taken"}, content.Show{})
			return err
		},
		"a write to many": func(call once.Call) error {
			_, err := b.content.UpdateMany(t.Context(), call, catalog.Products, content.Many{Where: tree{"slug": tree{"equals": "taken"}}}, tree{"name": "Cap"})
			return err
		},
	} {
		call := once.Call{Principal: b.by, Operation: name, Key: "ik_held_0123456789abc"}
		if _, _, err := claims.Claim(t.Context(), b.by.Tenant.ID, call.ReceiptKey(), call.Fingerprint, time.Minute); err != nil {
			t.Fatal(err)
		}
		if err := write(call); !errors.Is(err, once.ErrInProgress) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if all := b.all(catalog.Products, "name", "Cap", ""); len(all) != 0 {
		t.Errorf("written: %v", all)
	}
}
