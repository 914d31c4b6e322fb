package orders_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/orders"
	"github.com/cartwright-dev/cartwright/app/words"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

func TestRepeatedImportChangesNothing(t *testing.T) {
	both(t, func(t *testing.T, b *fixture) {
		if done := b.bring(told()); done.Created != 1 || done.Unchanged != 0 || len(done.Rejected) != 0 {
			t.Fatalf("%+v", done)
		}
		r := b.numbered("OLD-1")
		if r.Text("source") != "api" || r["returnShippingPolicy"] != nil || r.Text("environment") != "test" ||
			r.Rows("lines")[0]["variant"] != nil {
			t.Errorf("%v", r)
		}
		b.must(b.step(r.ID(), order.Confirmed)) // what became of it here makes no difference
		differently := told(map[string]any{"totalAmount": collection.JSONNumber("5.5e3"), "notes": nil})
		if done := b.bring(told(), differently); done.Created != 0 || done.Unchanged != 2 || len(done.Rejected) != 0 {
			t.Errorf("%+v", done)
		}
		other := told(map[string]any{"email": "lee@example.com"})
		if done := b.bring(other); len(done.Rejected) != 1 || done.Rejected[0].Message != order.ErrNumberTaken.Message {
			t.Errorf("%+v", done)
		}
		if now := b.numbered("OLD-1"); now.Sequence() != r.Sequence()+1 || now.Text("email") != "kim@example.com" {
			t.Errorf("%v", now)
		}
	})
}

// Rule api-27: every problem of an order is told in the language of the call, also where there are several.
func TestRejectedOrdersAreToldInTheLanguageOfTheCaller(t *testing.T) {
	both(t, func(t *testing.T, b *fixture) {
		call := b.key()
		call.Language = words.Korean
		rejected := told(map[string]any{"totalAmount": collection.JSONNumber("1"), "refundedAmount": collection.JSONNumber("9000")})
		done, err := b.Import(t.Context(), call, []any{rejected})
		const want = "totalAmount: 금액이 맞지 않습니다. 계산한 금액은 5500인데 1(으)로 입력했습니다. refundedAmount: 환불 금액은 결제한 금액 "
		if err != nil || len(done.Rejected) != 1 || !strings.HasPrefix(done.Rejected[0].Message, want) {
			t.Errorf("%+v, %v", done, err)
		}
	})
}

func TestInvalidOrderDoesNotBlockOthers(t *testing.T) {
	both(t, func(t *testing.T, b *fixture) {
		all := []any{
			told(map[string]any{"orderNumber": "A"}), "an order",
			told(map[string]any{"orderNumber": "B", "totalAmount": collection.JSONNumber("1")}),
			told(map[string]any{"orderNumber": "C", "status": "lost"}), told(map[string]any{"orderNumber": "D", "customer": shops.NewID()}),
			told(map[string]any{"orderNumber": "E"}), told(map[string]any{"orderNumber": "A", "status": "paid"}),
			told(map[string]any{"orderNumber": "e"}), told(map[string]any{"orderNumber": "F", "currency": "ABC"}),
			told(map[string]any{"orderNumber": "G", "currency": " usd "}), told(map[string]any{"orderNumber": "H"}),
		}
		done, err := b.Import(t.Context(), b.key(), all)
		if err != nil {
			t.Fatal(err)
		}
		want := []struct {
			index int
			text  string
		}{
			{1, "object"}, {2, "totalAmount: The total is 5500, not 1."}, {3, "status: "}, {4, "customer: "}, {6, "number"}, {7, "number"},
			{8, "currency: "}, {9, "currency: "},
		}
		if done.Created != 3 || len(done.Rejected) != len(want) {
			t.Fatalf("%+v", done)
		}
		for i, w := range want {
			if got := done.Rejected[i]; got.Index != w.index || !strings.Contains(got.Message, w.text) {
				t.Errorf("%+v, want %+v", got, w)
			}
		}
		if n := len(b.all(order.Schema)); n != 3 {
			t.Errorf("%d orders", n)
		}
	})
}

func TestConcurrentImportsCreateEachOrderOnce(t *testing.T) {
	both(t, func(t *testing.T, b *fixture) {
		rows := []any{
			told(map[string]any{"orderNumber": "A"}), told(map[string]any{"orderNumber": "B"}), told(map[string]any{"orderNumber": "C"}),
		}
		done := make([]orders.ImportResult, 6)
		shops.Concurrently(len(done), func(i int) {
			var err error
			if done[i], err = b.instance().Import(t.Context(), b.key(), rows); err != nil {
				t.Error(err)
			}
		})
		var created, unchanged int64
		for _, d := range done {
			created, unchanged = created+d.Created, unchanged+d.Unchanged
			if len(d.Rejected) > 0 {
				t.Errorf("%+v", d)
			}
		}
		if created != 3 || unchanged != 15 || len(b.all(order.Schema)) != 3 {
			t.Errorf("%d created, %d unchanged", created, unchanged)
		}
	})
}

func TestImportTakesNoStockAndOpensRemainingFulfillment(t *testing.T) {
	both(t, func(t *testing.T, b *fixture) {
		line := shops.ParseObject(t, `{"title":"Mug","quantity":3,"unitPrice":1000}`)
		line["variant"] = b.variant
		goods := map[string]any{"lines": []any{line}, "totalAmount": collection.JSONNumber("6000")}
		for status, open := range map[order.Status]bool{
			order.Paid: true, order.Preparing: true, order.Pending: true, order.Failed: true, order.Shipped: false, order.Canceled: false,
		} {
			before := len(b.all(order.FulfillmentOrders))
			b.ordered(status, goods)
			if now := len(b.all(order.FulfillmentOrders)); (now == before+1) != open {
				t.Errorf("%s opens %d works", status, now-before)
			}
		}
		id := b.ordered(order.Paid, goods)
		if o := b.order(id); o.Lines[0].SKU != "MUG" || o.Lines[0].Product == "" || !o.Lines[0].RequiresShipping {
			t.Errorf("%+v", o.Lines[0])
		}
		b.must(b.step(id, order.Canceled))
		if left := b.onHand(); left != 100 {
			t.Errorf("%d are on the shelf", left)
		}
		if len(b.all(payment.Transactions)) != 2 { // what was paid, and went back
			t.Errorf("%v", b.all(payment.Transactions))
		}
	})
}

func TestImportUsesTheKeysEnvironment(t *testing.T) {
	both(t, func(t *testing.T, b *fixture) {
		b.bring(told())
		live := b.key()
		live.Principal.Environment = tenant.Live
		done, err := b.Import(t.Context(), live, []any{told(map[string]any{"status": "paid"})})
		if err != nil || done.Created != 1 {
			t.Fatalf("%+v %v", done, err)
		}
		if n := len(b.all(order.Schema)); n != 2 {
			t.Errorf("%d orders", n)
		}
	})
}

func TestWhoMayImport(t *testing.T) {
	both(t, func(t *testing.T, b *fixture) {
		for name, c := range map[string]struct {
			change func(*tenant.Principal)
			want   *fault.Error
		}{
			"a key that reads": {func(p *tenant.Principal) { p.CanWrite = false }, fault.ErrForbidden},
			"an editor":        {func(p *tenant.Principal) { p.Kind, p.Role = tenant.User, tenant.Editor }, fault.ErrForbidden},
			"an accountant":    {func(p *tenant.Principal) { p.Kind, p.Role = tenant.User, tenant.Accountant }, fault.ErrForbidden},
			"a customer":       {func(p *tenant.Principal) { p.Kind = tenant.Customer }, fault.ErrForbidden},
			"nobody":           {func(p *tenant.Principal) { p.Kind = tenant.Anonymous }, fault.ErrUnauthenticated},
		} {
			call := b.key()
			c.change(&call.Principal)
			if _, err := b.Import(t.Context(), call, []any{told()}); !errors.Is(err, c.want) {
				t.Errorf("%s: %v", name, err)
			}
		}
		many := make([]any, orders.MaxImportOrders+1)
		if _, err := b.Import(t.Context(), b.key(), many); !errors.Is(err, fault.ErrValidation) {
			t.Errorf("%v", err)
		}
		if n := len(b.all(order.Schema)); n != 0 {
			t.Errorf("%d orders", n)
		}
		call := b.key()
		call.Principal.Kind, call.Principal.Role = tenant.User, tenant.Admin
		if done, err := b.Import(t.Context(), call, []any{told()}); err != nil || done.Created != 1 {
			t.Errorf("an admin: %+v, %v", done, err)
		}
	})
}

func TestImportRejectsOtherTenantsVariants(t *testing.T) {
	both(t, func(t *testing.T, b *fixture) {
		other := newFixture(t, b.store)
		line := shops.ParseObject(t, `{"title":"Mug","quantity":1,"unitPrice":1000}`)
		line["variant"] = other.variant
		done := b.bring(told(map[string]any{"lines": []any{line}, "totalAmount": collection.JSONNumber("4000")}))
		if len(done.Rejected) != 1 || done.Rejected[0].Message != "lines.0.variant: This record does not exist." {
			t.Errorf("%+v", done)
		}
	})
}

func (b *fixture) onHand() (units int64) {
	b.t.Helper()
	b.within(func(ctx context.Context, tx ports.Tx) error {
		levels, err := tx.Stock.Levels(ctx, tenant.Test, []string{b.variant})
		units = levels[b.variant].OnHand
		return err
	})
	return units
}
