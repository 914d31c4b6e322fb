package refunds_test

import (
	"context"
	"errors"
	"maps"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/testservers/paymentbed"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/refunds"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// person is an admin of a shop that asks for a proof before more than 5000 KRW are given back.
type person struct {
	*bed

	id        string
	stale     bool
	unlimited bool // the shop asks before no refund
}

func (b *bed) person(stale bool) person {
	b.T.Helper()
	id := shops.NewID()
	b.Atomically(func(ctx context.Context, tx ports.Tx) error {
		w := collection.NewChangeSet(b.Now(), shops.NewID)
		w.Put(identity.Users, nil, collection.Record{"id": id, "tenant": string(b.Shop.ID), "email": id + "@example.com", "role": string(tenant.Admin)})
		return tx.Records.Write(ctx, w.List()...)
	})
	return person{bed: b, id: id, stale: stale}
}

func (p person) call() (context.Context, idempotency.Call) {
	c := p.Server(paymentbed.Key(), "orders.refund", shops.NewID())
	shop := p.Shop
	if !p.unlimited {
		shop.ProofAbove = []money.Money{paymentbed.KRW(5000)}
	}
	c.Principal = tenant.Principal{Kind: tenant.User, ID: p.id, Role: tenant.Admin, Tenant: shop, Environment: tenant.Test, Stale: p.stale}
	return ports.WithActor(p.T.Context(), c.Principal.Actor()), c
}

func (p person) refund(id string, in refunds.OrderRefundRequest) error {
	ctx, c := p.call()
	return refusalOf(p.Refunds.Orders.RefundOrder(ctx, c, id, in))
}

func refusalOf(a idempotency.Response, err error) error {
	if err == nil && a.Fault != nil {
		return a.Fault
	}
	return err
}

func TestLargeRefundsTakeAProof(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.PaidOrder("mug") // 15000 with shipping
		open, proven, other := b.person(true), b.person(false), b.person(true)
		asked := func(name string, err error) {
			t.Helper()
			if !errors.Is(err, tenant.ErrReauthenticate) {
				t.Errorf("%s: %v", name, err)
			}
		}
		fine := func(name string, err error) {
			t.Helper()
			if err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		asked("more than the limit", open.refund(id, giveBack(5001)))
		preview := giveBack(9000)
		preview.Preview = true
		fine("a preview", open.refund(id, preview))
		fine("less", open.refund(id, giveBack(3000)))
		asked("more with what was before", open.refund(id, giveBack(2001)))
		fine("up to the limit", open.refund(id, giveBack(2000)))
		fine("another person", other.refund(id, giveBack(1000)))
		fine("more, proven", proven.refund(id, giveBack(5500)))
		b.Advance(11 * time.Minute)
		fine("later", open.refund(id, giveBack(500)))
		b.WantMoney(id, 12000, "partially_refunded")
	})
}

// What cancels goods gives money back, too; a refusal leaves the order as it was.
func TestLargeCancelsTakeAProof(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.PaidOrder("mug")
		p := b.person(true)
		before := b.Get(order.Schema, id)
		ctx, c := p.call()
		if err := refusalOf(p.Refunds.Canceler.CancelOrder(ctx, c, id, refunds.CancelRequest{Reason: "r", Preview: true})); err != nil {
			t.Errorf("a preview: %v", err)
		}
		err := refusalOf(p.Refunds.Canceler.CancelOrder(ctx, c, id, refunds.CancelRequest{Reason: "r"}))
		if !errors.Is(err, tenant.ErrReauthenticate) || b.Get(order.Schema, id).Int("revision") != before.Int("revision") || len(b.RefundsOf(id)) != 0 {
			t.Errorf("canceled: %v", err)
		}
		p.stale = false
		_, proven := p.call()
		proven.Key = c.Key
		proven.Fingerprint = c.Fingerprint
		if err := refusalOf(p.Refunds.Canceler.CancelOrder(ctx, proven, id, refunds.CancelRequest{Reason: "r"})); err != nil {
			t.Errorf("under the same key, proven: %v", err)
		}
		b.WantMoney(id, 15000, "refunded")
	})
}

func TestLargeReturnsAndLinesTakeAProof(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		p := b.person(true)
		ctx, c := p.call()
		_, err := p.Refunds.Refund(ctx, b.Shop.ID, refunds.Request{Order: b.PaidOrder("mug"), Reason: "r", Key: "k", By: c.Principal})
		if !errors.Is(err, tenant.ErrReauthenticate) {
			t.Errorf("all that is left: %v", err)
		}
		id := b.PaidOrder("mug", "mug")
		lines := order.FromRecord(b.Get(order.Schema, id)).Lines
		in := refunds.LineCancelRequest{Reason: "r", Items: []order.Item{{OrderLine: lines[0].ID, Quantity: 1}}}
		if err := refusalOf(p.Refunds.Lines.CancelLines(ctx, c, id, in)); !errors.Is(err, tenant.ErrReauthenticate) {
			t.Errorf("lines: %v", err)
		}
		in.Preview = true
		if err := refusalOf(p.Refunds.Lines.CancelLines(ctx, c, id, in)); err != nil {
			t.Errorf("a preview of lines: %v", err)
		}
		if len(b.RefundsOf(id)) != 0 {
			t.Error("a refused cancel of lines refunded")
		}
	})
}

// Money that goes to an account which the person names need not come to the buyer: it always takes a proof, also in a shop without a limit.
func TestNamedAccountsTakeAProof(t *testing.T) {
	for name, give := range map[string]func(p person, id string, account *payment.RefundAccount) error{
		"a refund": func(p person, id string, account *payment.RefundAccount) error {
			in := giveBack(1000)
			in.Account = account
			return p.refund(id, in)
		},
		"a cancel": func(p person, id string, account *payment.RefundAccount) error {
			ctx, c := p.call()
			return refusalOf(p.Refunds.Canceler.CancelOrder(ctx, c, id, refunds.CancelRequest{Reason: "r", Account: account}))
		},
		"a cancel of lines": func(p person, id string, account *payment.RefundAccount) error {
			ctx, c := p.call()
			items := []order.Item{{OrderLine: p.OrderOf(id).Lines[0].ID, Quantity: 1}}
			return refusalOf(p.Refunds.Lines.CancelLines(ctx, c, id, refunds.LineCancelRequest{Reason: "r", Items: items, Account: account}))
		},
	} {
		t.Run(name, func(t *testing.T) {
			onBothDatabases(t, func(t *testing.T, b *bed) {
				open, proven := b.person(true), b.person(false)
				open.unlimited, proven.unlimited = true, true
				account := &payment.RefundAccount{Bank: "088", Account: "110123456789", Holder: "Kim Jiwoo"}
				deposit := b.depositOrderOf("2 mug")
				if err := give(open, deposit, account); !errors.Is(err, tenant.ErrReauthenticate) || len(b.RefundsOf(deposit)) != 0 {
					t.Errorf("a stale session named an account: %v", err)
				}
				if err := give(proven, deposit, account); errors.Is(err, tenant.ErrReauthenticate) {
					t.Errorf("proven: %v", err)
				}
				if err := give(open, b.PaidOrder("2 mug"), account); err != nil {
					t.Errorf("an account that is not used: %v", err)
				}
			})
		})
	}
}

// The account that a return was requested with is none that whoever refunds it names.
func TestKeptAccountsTakeNoProof(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		p := b.person(true)
		p.unlimited = true
		ctx, c := p.call()
		in := refunds.Request{Order: b.depositOrder(), Reason: "r", Key: "k", By: c.Principal}
		in.Account = &payment.RefundAccount{Bank: "088", Account: "110123456789", Holder: "Kim Jiwoo"}
		if _, err := p.Refunds.Refund(ctx, b.Shop.ID, in); !errors.Is(err, tenant.ErrReauthenticate) {
			t.Errorf("named: %v", err)
		}
		in.AccountKept = true
		if _, err := p.Refunds.Refund(ctx, b.Shop.ID, in); errors.Is(err, tenant.ErrReauthenticate) {
			t.Errorf("kept: %v", err)
		}
	})
}

func TestRefundsAtOnceCountTogether(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		platformAdmin := person{bed: b, id: shops.NewID(), stale: true} // without a record in the shop
		for name, p := range map[string]person{"a user": b.person(true), "a platform admin": platformAdmin} {
			ids := make([]string, 8)
			for i := range ids {
				ids[i] = b.PaidOrder("mug")
			}
			var done atomic.Int64
			shops.Concurrently(len(ids), func(i int) {
				switch err := p.refund(ids[i], giveBack(2000)); {
				case err == nil:
					done.Add(1)
				case !errors.Is(err, tenant.ErrReauthenticate):
					t.Error(name, err)
				}
			})
			if done.Load() != 2 {
				t.Errorf("%s: %d refunds of 2000 stay within 5000", name, done.Load())
			}
		}
	})
}

// What was given back in tests is no money.
func TestTestRefundsCountInTestsAlone(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id, p := b.PaidOrder("mug"), b.person(true)
		if err := p.refund(id, giveBack(5000)); err != nil {
			t.Fatal(err)
		}
		made := b.RefundsOf(id)
		b.Atomically(func(ctx context.Context, tx ports.Tx) error {
			w := collection.NewChangeSet(b.Now(), shops.NewID)
			for _, before := range made {
				after := maps.Clone(before)
				after["environment"] = string(tenant.Live)
				w.Put(payment.Transactions, before, after)
			}
			return tx.Records.Write(ctx, w.List()...)
		})
		if err := p.refund(b.PaidOrder("mug"), giveBack(5000)); err != nil {
			t.Errorf("refunds of the other environment count: %v", err)
		}
	})
}

func TestShopsWithoutALimitNeverAsk(t *testing.T) {
	won := func(n int64) money.Money { return money.Of(n, "KRW") }
	for name, x := range map[string]struct {
		limits []money.Money
		asked  bool
	}{
		"none": {nil, false}, "enough": {[]money.Money{money.Of(1, "USD"), won(100)}, false}, "less": {[]money.Money{won(99)}, true},
		"another currency only": {[]money.Money{money.Of(1000, "USD")}, true},
	} {
		p := tenant.Principal{Kind: tenant.User, Stale: true, Tenant: tenant.Settings{ProofAbove: x.limits}}
		if err := p.RequireProofToRefund(won(100), 0); (err != nil) != x.asked {
			t.Errorf("%s: %v", name, err)
		}
		p.Kind = tenant.SecretKey
		if err := p.RequireProofToRefund(won(100), 0); err != nil {
			t.Errorf("%s, of a key: %v", name, err)
		}
	}
}
