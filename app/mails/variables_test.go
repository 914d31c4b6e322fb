package mails_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/domain/address"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/mail"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/returns"
	"github.com/cartwright-dev/cartwright/domain/sale"
	"github.com/cartwright-dev/cartwright/domain/shop"
	"github.com/cartwright-dev/cartwright/domain/tax"
	"github.com/cartwright-dev/cartwright/domain/team"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Whatever a template can name, some mail of its kind tells: no editor is offered a variable, and no preview shows one, that stays empty.
// Beside TestSamplesTellEveryVariable, samples and mails have the same.
//
// Rule mail-33.
func TestMailsTellEveryVariable(t *testing.T) {
	shops.OnBothDatabases(t, func(t *testing.T, store *sqlstore.Store) {
		b := newBed(t, store)
		for _, kind := range mail.Kinds {
			body := ""
			for _, v := range mail.VariablesOf(mail.Kind(kind)) {
				body += "{{#" + v.Name + "}}\n\n(" + v.Name + ")\n\n{{/" + v.Name + "}}\n"
			}
			b.write(collection.NewChange(mail.Templates, nil, collection.Record{
				"id": shops.NewID(), "tenant": string(b.id), "kind": kind, "locale": "en", "subject": kind, "body": body, "active": true,
			}, shops.NewID(), b.now()))
		}
		told := map[string]string{}
		for kind, about := range b.everything() {
			b.queue(kind, about)
		}
		b.send()
		for _, m := range b.mailbox.NewestFirst() {
			told[m.Subject] += m.Text
		}
		for _, kind := range mail.Kinds {
			for _, v := range mail.VariablesOf(mail.Kind(kind)) {
				if !strings.Contains(told[kind], "("+v.Name+")") {
					t.Errorf("%s never tells %s: %q", kind, v.Name, told[kind])
				}
			}
		}
	})
}

// about is what a mail is about: the slug and id of a record, and the event.
type about struct{ slug, id, event string }

// queue is a mail of a kind that waits.
func (b *bed) queue(kind mail.Kind, of about) {
	b.t.Helper()
	d := mail.Delivery{
		ID: shops.NewID(), Tenant: b.id, Environment: tenant.Live, Kind: kind, Event: of.event, Collection: of.slug, Subject: of.id,
		Recipient: "ada@example.com", Status: mail.Queued, OccurredAt: b.now(), DueAt: b.now(),
	}
	b.write(collection.NewChange(mail.Deliveries, nil, d.Record(), shops.NewID(), b.now()))
}

// add stores a new record, and is what a mail about it is about.
func (b *bed) add(s *collection.Schema, r collection.Record) about {
	b.t.Helper()
	r["tenant"] = string(b.id)
	event := shops.NewID()
	b.write(collection.NewChange(s, nil, r, event, b.now()))
	return about{s.Slug, r.ID(), event}
}

// everything has a record for each kind of mail, with all that it can have.
func (b *bed) everything() map[mail.Kind]about {
	b.t.Helper()
	o := b.wholeOrder()
	b.add(shop.Profiles, collection.Record{"id": shops.NewID(), "single": "profile", "address": o.Address.Record()})
	placed := b.add(order.Schema, o.Record())
	shipped := b.add(order.Fulfillments, order.Fulfillment{
		ID: shops.NewID(), Tenant: b.id, Environment: tenant.Live, Order: o.ID, State: order.FulfillmentShipped,
		Tracking: order.Tracking{Carrier: order.CJ, Number: "612345678901"}, Items: []order.Item{{OrderLine: "l1", Quantity: 1}},
	}.Record())
	paid := payment.Transaction{ID: shops.NewID(), Order: o.ID, Amount: o.Total, Session: payment.Session{
		Tenant: b.id, Environment: tenant.Live, Provider: payment.CustomProvider,
	}}
	b.add(payment.Transactions, paid.Record())
	refunded := b.add(payment.Transactions, payment.Refund{
		ID: shops.NewID(), Tenant: b.id, Environment: tenant.Live, State: payment.RefundPending, RefundOf: paid.ID, Key: "cancel", Order: o.ID,
		Amount: money.Of(3000, "KRW"), Provider: payment.CustomProvider,
	}.Record())
	returned := b.add(returns.Schema, returns.Request{
		ID: shops.NewID(), Tenant: b.id, Environment: tenant.Live, Order: o.ID, Currency: "KRW", Status: "rejected", StatusReason: "They were used.",
		Quote: returns.Quote{
			Lines:        []returns.Line{{OrderLine: "l1", Quantity: 1, LineRefund: money.Of(3000, "KRW"), RestockingFee: money.Of(0, "KRW")}},
			RefundAmount: money.Of(3000, "KRW"),
		},
	}.Record())
	all := map[mail.Kind]about{
		mail.OrderPlaced: placed, mail.PaymentReceived: placed, mail.OrderCanceled: placed, mail.OrderShipped: shipped, mail.RefundMade: refunded,
		mail.ReturnRequested: returned, mail.ReturnApproved: returned, mail.ReturnRejected: returned, mail.ReturnReceived: returned,
		mail.PaymentWaiting: b.awaited(o),
	}
	all[mail.EmailVerification], all[mail.PasswordReset] = b.customer("Ada", "ada@example.com"), b.customer("Bob", "bob@example.com")
	all[mail.Invitation], all[mail.Notice] = b.invited(), b.noticed(o)
	return all
}

// wholeOrder is an order of which a line was canceled, and everything is told.
func (b *bed) wholeOrder() order.Order {
	won := func(n int64) money.Money { return money.Of(n, "KRW") }
	percent, err := money.ParseDecimal("10")
	if err != nil {
		b.t.Fatal(err)
	}
	line := order.Line{Line: sale.Line{
		ID: "l1", Title: "Mug", VariantTitle: "Blue", Quantity: 3, UnitPrice: won(6000), Discount: won(1000), Total: won(17000), RequiresShipping: true,
	}}
	return order.Order{
		ID: shops.NewID(), Tenant: b.id, Environment: tenant.Live, Number: "7", Status: order.Paid, Source: order.FromCheckout, Checkout: shops.NewID(),
		Currency: "KRW", Contact: sale.Contact{Name: "Ada", Email: "ada@example.com"}, PlacedAt: b.now(), Lines: []order.Line{line},
		Address:  &address.Address{RecipientName: "Ada", Address1: "1 Street", PostalCode: "03044", Country: "KR"},
		Subtotal: won(18000), Discount: won(1000), Shipping: won(3000), Total: won(20000), Paid: won(20000), Refunded: won(0),
		Taxes: &sale.Taxes{Amount: won(1818), Included: true, Rates: tax.Taxes{{Name: "VAT", Percent: percent, Base: won(18182), Amount: won(1818)}}},
		LineCancels: []order.LineCancel{{Key: "cancel", Done: true, At: b.now(), Shipping: won(0), Lines: []order.CanceledUnits{
			{Item: order.Item{OrderLine: "l1", Quantity: 1}, Amount: won(3000)},
		}}},
	}
}

// awaited is a deposit for what will be o.
func (b *bed) awaited(o order.Order) about {
	c := checkout.Checkout{
		ID: shops.NewID(), Tenant: b.id, Environment: tenant.Live, Contact: o.Contact, Address: o.Address, Currency: "KRW", OrderNumber: "7",
		Lines: []sale.Line{o.Lines[0].Line}, ExpiresAt: b.now().Add(time.Hour),
		Totals: sale.Totals{Subtotal: o.Subtotal, Discount: o.Discount, Shipping: &o.Shipping, Total: o.Total, Taxes: o.Taxes},
	}
	b.add(checkout.Schema, c.Record())
	return b.add(payment.Sessions, payment.Session{
		ID: shops.NewID(), Tenant: b.id, Environment: tenant.Live, Provider: payment.CustomProvider, Checkout: c.ID, Amount: o.Total,
		State:        payment.State{Status: payment.StatusProcessing},
		Instructions: &payment.Instructions{Bank: "Bank", Account: "110-1", Holder: "Mug House", Amount: o.Total, Due: b.now().Add(time.Hour)},
	}.Record())
}

// invited is the invitation of a platform admin by a user.
func (b *bed) invited() about {
	user := b.add(identity.Users, collection.Record{"id": shops.NewID(), "email": "boss@example.com", "name": "Grace", "role": "tenant-admin"})
	by := tenant.Actor{Kind: tenant.User, ID: user.id, Via: tenant.ViaConsole}
	inviter := access.Inviter{EmailTokens: access.EmailTokens{Vault: b.vault, Now: b.now, Mailed: true}, NewID: shops.NewID, Now: b.now}
	err := b.store.Atomically(ports.WithActor(b.t.Context(), by), access.MembersScope(b.id), func(ctx context.Context, tx ports.Tx) error {
		_, err := inviter.Invite(ctx, tx, b.id, collection.Record{"email": "ada@example.com", "role": string(tenant.PlatformAdmin), "name": "Ada"})
		return err
	})
	if err != nil {
		b.t.Fatal(err)
	}
	invitation := shops.NewView(b.t, b.store, b.id).All(identity.Invitations)[0]
	return about{identity.Invitations.Slug, invitation.ID(), b.eventOf(invitation.ID())}
}

// noticed is news of o for a user.
func (b *bed) noticed(o order.Order) about {
	user := b.add(identity.Users, collection.Record{"id": shops.NewID(), "email": "ada@example.com", "name": "Ada", "role": "tenant-editor"})
	return b.add(team.Notifications, collection.Record{
		"id": shops.NewID(), "environment": "live", "recipient": user.id, "kind": "mentioned", "key": shops.NewID(), "mailTo": "ada@example.com",
		"collection": order.Schema.Slug, "record": o.ID,
	})
}
