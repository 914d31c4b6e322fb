package buying_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/returns"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

func TestWhoMayDoWhatAboutReturns(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		ctx, r := t.Context(), returnsOf(b.Buying)
		id := b.delivered("4 mug")
		b.rewrite(order.Schema, id, "customer", b.customer())
		owner := b.orderOf(id).Customer
		as := func(change func(p *tenant.Principal)) once.Call {
			c := b.server(key(), "returnRequests", shops.NewID())
			change(&c.Principal)
			return c
		}
		user := func(role tenant.Role) func(p *tenant.Principal) {
			return func(p *tenant.Principal) { p.Kind, p.Role = tenant.User, role }
		}
		customer := func(id string) func(p *tenant.Principal) {
			return func(p *tenant.Principal) { p.Kind, p.ID = tenant.Customer, id }
		}
		look := func(c once.Call) error { _, _, err := r.Returnable(ctx, c, id); return err }
		preview := func(c once.Call) error { _, _, err := r.Preview(ctx, c, b.wish(id, 1)); return err }
		answered := func(a once.Answer, err error) error {
			if err == nil && a.Fault != nil {
				return a.Fault
			}
			return err
		}
		create := func(c once.Call) error { return answered(r.Create(ctx, c, b.wish(id, 1))) }
		step := func(what string) func(c once.Call) error {
			return func(c once.Call) error {
				x := b.requested(b.wish(id, 1))
				defer func() { _, _ = b.step("cancel", x) }()
				if what == "receive" || what == "refund" {
					b.must(b.step("approve", x))
				}
				if what == "refund" {
					return answered(r.GiveBack(ctx, c, x))
				}
				return answered(stepOf(b, c, what, x))
			}
		}
		for name, c := range map[string]struct {
			change func(p *tenant.Principal)
			want   string // look preview create approve receive reject cancel refund
		}{
			"a viewer":            {user(tenant.Viewer), "yes yes forbidden forbidden forbidden forbidden forbidden forbidden"},
			"an editor":           {user(tenant.Editor), "yes yes yes yes yes yes yes forbidden"},
			"a customer":          {customer(owner), "yes yes yes forbidden forbidden forbidden yes forbidden"},
			"another customer":    {customer("else"), "not_found not_found not_found forbidden forbidden forbidden not_found forbidden"},
			"a storefront":        {func(p *tenant.Principal) { p.Kind = tenant.ClientKey }, strings.Repeat("forbidden ", 8)},
			"nobody":              {func(p *tenant.Principal) { p.Kind = tenant.Anonymous }, strings.Repeat("unauthenticated ", 8)},
			"a key that reads":    {func(p *tenant.Principal) { p.CanWrite = false }, "yes yes " + strings.Repeat("forbidden ", 6)},
			"a key that writes":   {func(p *tenant.Principal) { p.CanRead = false }, "forbidden forbidden yes yes yes yes yes -"},
			"another environment": {func(p *tenant.Principal) { p.Environment = tenant.Live }, strings.Repeat("not_found ", 8)},
			"another shop":        {func(p *tenant.Principal) { p.Tenant.ID = tenant.ID(shops.NewID()) }, strings.Repeat("not_found ", 8)},
			"a shop that closed":  {func(p *tenant.Principal) { p.Tenant.CommerceEnabled = false }, "yes yes " + strings.Repeat("feature_disabled ", 6)},
		} {
			want := strings.Fields(c.want)
			for i, do := range []func(once.Call) error{look, preview, create, step("approve"), step("receive"), step("reject"), step("cancel"), step("refund")} {
				if want[i] == "-" {
					continue
				}
				got := "yes"
				if err := do(as(c.change)); err != nil {
					got = fault.From(err).Reason
				}
				if got != want[i] {
					t.Errorf("%s, %d: %s, want %s", name, i, got, want[i])
				}
			}
			for _, x := range b.all(returns.Schema) {
				if returns.FromRecord(x).Status == returns.Requested {
					b.must(b.step("cancel", x.ID()))
				}
			}
		}
	})
}

// customer is the account of somebody who buys.
func (b *bed) customer() string {
	b.t.Helper()
	return b.create(identity.Customers, `{"email":"`+shops.NewID()+`@example.com"}`)
}

func TestCustomersEnterNoMoney(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		id := b.delivered("2 mug")
		b.rewrite(order.Schema, id, "customer", b.customer())
		c := b.server(key(), "returnRequests.create", id)
		c.Principal.Kind, c.Principal.ID = tenant.Customer, b.orderOf(id).Customer
		w := b.wish(id, 2)
		w.ReturnShippingFee, w.InitialShippingRefund, w.AuditNote, w.Lines[0].RestockingFee, w.Lines[0].Restock = "0", "3000", "please", "0", new(false)
		_, _, err := returnsOf(b.Buying).Preview(t.Context(), c, w)
		var fields []string
		for _, f := range fault.From(err).Fields {
			fields = append(fields, f.Field)
		}
		if !slices.Equal(fields, []string{"lines.0.restockingFee", "lines.0.restock", "returnShippingFee", "initialShippingRefundAmount", "auditNote"}) {
			t.Errorf("%v", fields)
		}
		made := b.must(returnsOf(b.Buying).Create(t.Context(), c, b.wish(id, 2)))
		if made.text("returnRequest.initialShippingRefundAmount") != "3000" || made.text("returnRequest.refundAmount") != "27000" || made.at("returnRequest.auditNote") != nil || strings.Contains(made.text("order"), "cancelReason") {
			t.Errorf("%v", made)
		}
	})
}

func TestLookingAtReturnsChangesNothing(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		id := b.delivered("2 mug", "course")
		before := b.get(order.Schema, id)
		c := b.server("", "", "")
		_, v, err := returnsOf(b.Buying).Returnable(t.Context(), c, id)
		if err != nil || len(v.Lines) != 2 || v.Lines[0].UnitRefund != krw(12000) || !v.Lines[0].Shippable || v.Lines[1].Shippable || v.Suggested != krw(3000) || v.Cap != krw(3000) || v.AuditNoteRequired {
			t.Errorf("%+v %v", v, err)
		}
		_, q, err := returnsOf(b.Buying).Preview(t.Context(), c, b.wish(id, 1, 1))
		if err != nil || q.RefundAmount != krw(42000) {
			t.Errorf("%+v %v", q, err)
		}
		if after := b.get(order.Schema, id); after.Sequence() != before.Sequence() || len(b.all(returns.Schema)) != 0 {
			t.Errorf("%v", after)
		}
		paid := b.ordered("mug")
		if _, _, err := returnsOf(b.Buying).Returnable(t.Context(), c, paid); !errors.Is(err, order.ErrNotReturnable) {
			t.Error(err)
		}
		if _, _, err := returnsOf(b.Buying).Preview(t.Context(), c, b.wish(paid, 1)); !errors.Is(err, order.ErrNotReturnable) {
			t.Error(err)
		}
	})
}
