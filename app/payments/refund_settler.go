package payments

import (
	"context"
	"time"

	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// RefundSettler brings refunds in line with their provider; package refunds implements it.
type RefundSettler interface {
	// SettleRefund brings one refund up to date.
	SettleRefund(ctx context.Context, id tenant.ID, refund string) (payment.Refund, error)
	// SettleRefunds brings all recorded refunds of a payment session up to date.
	SettleRefunds(ctx context.Context, id tenant.ID, session string) error
	// SettleAuthorization captures or voids the authorized payment of a session if that is due, and records what became of
	// it. It returns when to do so again, zero for never.
	SettleAuthorization(ctx context.Context, id tenant.ID, session string) (time.Time, error)
	// Watch is SyncRefunds of a payment that is looked at now and then; over says that nothing is left to be told of it.
	Watch(ctx context.Context, id tenant.ID, session string) (over bool, err error)
	// SyncRefunds is SettleRefunds, and records the external refunds of the session's payment.
	SyncRefunds(ctx context.Context, id tenant.ID, session string) error
}
