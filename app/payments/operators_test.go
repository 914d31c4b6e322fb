package payments_test

import (
	"slices"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers/paymentbed"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/payments"
	"github.com/cartwright-dev/cartwright/app/refunds"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// operator is a call of a user who is logged in with a role.
func (b *bed) operator(role tenant.Role, operation string) idempotency.Call {
	c := b.Server(paymentbed.Key(), operation, "")
	c.Server, c.Principal.Kind, c.Principal.Role = false, tenant.User, role
	c.Principal.CanRead, c.Principal.CanWrite = false, false
	return c
}

// Rule access-51: what operators do to payments they do by login, as far as their role says.
func TestOperatorsActByLogin(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		open := b.CustomSession(b.Checkout("mug").Text("checkout.id"), "ps-1")
		id := open.Text("paymentSession.id")
		reconcilers := []tenant.Role{tenant.PlatformAdmin, tenant.Admin, tenant.Accountant}
		deciders := []tenant.Role{tenant.PlatformAdmin, tenant.Admin}
		for name, c := range map[string]struct {
			may []tenant.Role
			do  func(idempotency.Call) error
		}{
			"find": {reconcilers, func(c idempotency.Call) error {
				_, err := b.Reconciler.Find(t.Context(), c, b.ProviderRef("nobody's"))
				return err
			}},
			"reconcile": {reconcilers, func(c idempotency.Call) error {
				_, err := b.Reconciler.Reconcile(t.Context(), c, b.ProviderRef("nobody's"))
				return err
			}},
			"look at a custom payment": {deciders, func(c idempotency.Call) error {
				_, err := b.Payments.Custom.Status(t.Context(), c, "ps-1", "")
				return err
			}},
			"confirm another amount": {deciders, func(c idempotency.Call) error {
				other := paymentbed.Captured("ps-1", "pay-1", "evt-1")
				other.Captured = paymentbed.KRW(1)
				return unless(payment.ErrPaymentMismatch, refusal(b.Payments.Custom.Confirm(t.Context(), c, other)))
			}},
			"resolve what is in order": {deciders, func(c idempotency.Call) error {
				return unless(payment.ErrAttentionNotRequired, refusal(b.Refunds.Attention.Resolve(t.Context(), c, refunds.ResolveRequest{
					Session: id, As: payment.ResolutionDismissed, Note: "It is fine.",
				})))
			}},
		} {
			for _, role := range tenant.Roles {
				err := c.do(b.operator(role, name))
				if may := slices.Contains(c.may, role); may != (err == nil) || !may && fault.From(err).Reason != fault.ErrForbidden.Reason {
					t.Errorf("%s as %s: %v", name, role, err)
				}
			}
		}
		if got := b.Get(payment.Sessions, id); got.Text("status") != "pending" || len(b.All(order.Schema)) != 0 {
			t.Errorf("refused calls changed %v", got)
		}
		b.finishesAnOpenPayment(id)
	})
}

// finishesAnOpenPayment releases the slot of a custom payment, which another operator then confirms all the same.
func (b *bed) finishesAnOpenPayment(id string) {
	b.T.Helper()
	ctx := b.T.Context()
	stranger := b.operator(tenant.Admin, "release")
	stranger.Principal.Environment = tenant.Live
	if err := refusal(b.Payments.Sessions.Release(ctx, stranger, id, payments.ReleaseRequest{Note: "Mine?"})); !isAbsent(err) {
		b.T.Errorf("in another environment: %v", err)
	}
	for _, role := range []tenant.Role{tenant.Editor, tenant.Support, tenant.Accountant} {
		for what, err := range map[string]error{
			"release": refusal(b.Payments.Sessions.Release(ctx, b.operator(role, "release"), id, payments.ReleaseRequest{Note: "No."})),
			"cancel":  refusal(b.Payments.Sessions.CancelAsOperator(ctx, b.operator(role, "cancel"), id)),
		} {
			if fault.From(err).Reason != fault.ErrForbidden.Reason {
				b.T.Errorf("%s as %s: %v", what, role, err)
			}
		}
	}
	b.Must(b.Payments.Sessions.Release(ctx, b.operator(tenant.Admin, "release"), id, payments.ReleaseRequest{Note: "The shopper called."}))
	done := b.Must(b.Payments.Custom.Confirm(ctx, b.operator(tenant.Admin, "confirm"), paymentbed.Captured("ps-1", "pay-1", "evt-1")))
	if done.Text("order.status") != "paid" {
		b.T.Errorf("%v", done)
	}
	other := b.CustomSession(b.Checkout("mug").Text("checkout.id"), "ps-2").Text("paymentSession.id")
	if got := b.Must(b.Payments.Sessions.CancelAsOperator(ctx, b.operator(tenant.Admin, "cancel"), other)); got.Text("paymentSession.status") != "canceled" {
		b.T.Errorf("%v", got)
	}
}

// refusal is the refusal of a call, be it stored or not.
func refusal(a idempotency.Response, err error) error {
	if err == nil && a.Fault != nil {
		return a.Fault
	}
	return err
}

// unless is err, but nil for what was expected of a call that was admitted.
func unless(expected *fault.Error, err error) error {
	if err != nil && fault.From(err).Reason == expected.Reason {
		return nil
	}
	return err
}
