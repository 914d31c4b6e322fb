package returnrequests_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers/paymentbed"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/returnrequests"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/returns"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

func TestReturnsAccess(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		ctx, r := t.Context(), b.Returns
		id := b.DeliveredOrder("4 mug")
		b.Rewrite(order.Schema, id, "customer", b.customer())
		owner := b.OrderOf(id).Customer
		as := func(change func(p *tenant.Principal)) idempotency.Call {
			c := b.Server(paymentbed.Key(), "returnRequests", shops.NewID())
			change(&c.Principal)
			return c
		}
		user := func(role tenant.Role) func(p *tenant.Principal) {
			return func(p *tenant.Principal) { p.Kind, p.Role = tenant.User, role }
		}
		customer := func(id string) func(p *tenant.Principal) {
			return func(p *tenant.Principal) { p.Kind, p.ID = tenant.Customer, id }
		}
		look := func(c idempotency.Call) error { _, _, err := r.Returnable(ctx, c, id); return err }
		preview := func(c idempotency.Call) error { _, _, err := r.Preview(ctx, c, b.ReturnInput(id, 1)); return err }
		answered := func(a idempotency.Response, err error) error {
			if err == nil && a.Fault != nil {
				return a.Fault
			}
			return err
		}
		create := func(c idempotency.Call) error { return answered(r.Create(ctx, c, b.ReturnInput(id, 1))) }
		step := func(what string) func(c idempotency.Call) error {
			return func(c idempotency.Call) error {
				x := b.RequestedReturn(b.ReturnInput(id, 1))
				defer func() { _, _ = b.ReturnStep("cancel", x) }()
				if what == "receive" || what == "refund" {
					b.Must(b.ReturnStep("approve", x))
				}
				if what == "refund" {
					return answered(r.Refund(ctx, c, x, returnrequests.RefundInput{}))
				}
				return answered(paymentbed.ReturnStepOf(b.Bed, c, what, x))
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
			"a shop that closed": {
				func(p *tenant.Principal) { p.Tenant.CommerceEnabled = false }, "yes yes " + strings.Repeat("feature_disabled ", 6),
			},
		} {
			want := strings.Fields(c.want)
			for i, do := range []func(idempotency.Call) error{
				look, preview, create, step("approve"), step("receive"), step("reject"), step("cancel"), step("refund"),
			} {
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
			for _, x := range b.All(returns.Schema) {
				if returns.FromRecord(x).Status == returns.Requested {
					b.Must(b.ReturnStep("cancel", x.ID()))
				}
			}
		}
	})
}

// customer is the id of a new customer.
func (b *bed) customer() string {
	b.T.Helper()
	return b.Create(identity.Customers, `{"email":"`+shops.NewID()+`@example.com"}`)
}

func TestCustomersCannotSetReturnAmounts(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.DeliveredOrder("2 mug")
		b.Rewrite(order.Schema, id, "customer", b.customer())
		c := b.Server(paymentbed.Key(), "returnRequests.create", id)
		c.Principal.Kind, c.Principal.ID = tenant.Customer, b.OrderOf(id).Customer
		w := b.ReturnInput(id, 2)
		w.ReturnShippingFee, w.InitialShippingRefund, w.AuditNote, w.Lines[0].RestockingFee, w.Lines[0].Restock = "0", "3000", "please",
			"0", new(false)
		_, _, err := b.Returns.Preview(t.Context(), c, w)
		var fields []string
		for _, f := range fault.From(err).Fields {
			fields = append(fields, f.Field)
		}
		if !slices.Equal(fields, []string{
			"lines.0.restockingFee", "lines.0.restock", "returnShippingFee", "initialShippingRefundAmount", "auditNote",
		}) {
			t.Errorf("%v", fields)
		}
		made := b.Must(b.Returns.Create(t.Context(), c, b.ReturnInput(id, 2)))
		if made.Text("returnRequest.initialShippingRefundAmount") != "3000" || made.Text("returnRequest.refundAmount") != "27000" ||
			made.At("returnRequest.auditNote") != nil || strings.Contains(made.Text("order"), "cancelReason") {
			t.Errorf("%v", made)
		}
	})
}

func TestReadingReturnsChangesNothing(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.DeliveredOrder("2 mug", "course")
		before := b.Get(order.Schema, id)
		c := b.Server("", "", "")
		_, v, err := b.Returns.Returnable(t.Context(), c, id)
		if err != nil || len(v.Lines) != 2 || v.Lines[0].UnitRefund != paymentbed.KRW(12000) || !v.Lines[0].Shippable ||
			v.Lines[1].Shippable || v.SuggestedShippingRefund != paymentbed.KRW(3000) || v.ShippingRefundCap != paymentbed.KRW(3000) ||
			v.AuditNoteRequired {
			t.Errorf("%+v %v", v, err)
		}
		_, q, err := b.Returns.Preview(t.Context(), c, b.ReturnInput(id, 1, 1))
		if err != nil || q.RefundAmount != paymentbed.KRW(42000) {
			t.Errorf("%+v %v", q, err)
		}
		if after := b.Get(order.Schema, id); after.Sequence() != before.Sequence() || len(b.All(returns.Schema)) != 0 {
			t.Errorf("%v", after)
		}
		paid := b.PaidOrder("mug")
		if _, _, err := b.Returns.Returnable(t.Context(), c, paid); !errors.Is(err, order.ErrNotReturnable) {
			t.Error(err)
		}
		if _, _, err := b.Returns.Preview(t.Context(), c, b.ReturnInput(paid, 1)); !errors.Is(err, order.ErrNotReturnable) {
			t.Error(err)
		}
	})
}
