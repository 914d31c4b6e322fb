package mails_test

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/memory"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/adapters/token"
	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/background"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/mails"
	"github.com/cartwright-dev/cartwright/app/mailtexts"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/mail"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/sale"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

func TestMain(m *testing.M) { shops.Main(m) }

var start = time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC)

// bed is a shop whose mails go into a mailbox, unless a test routes them elsewhere.
type bed struct {
	t       *testing.T
	store   *sqlstore.Store
	id      tenant.ID
	vault   token.Vault
	mailbox *memory.Mailbox
	routes  mails.Routes
	texts   mails.Messengers
	contact sale.Contact // of the buyers of orders
	passed  atomic.Int64 // since start
	last    string       // id of the record that was made last
	room    int64
	perHour int
	sent    func()
}

func newBed(t *testing.T, store *sqlstore.Store) *bed {
	t.Helper()
	secrets, err := token.NewSecrets(map[int][]byte{1: []byte(strings.Repeat("secret of the test ", 3))})
	if err != nil {
		t.Fatal(err)
	}
	b := &bed{t: t, store: store, id: tenant.ID(shops.NewID()), vault: token.NewVault(secrets)}
	b.mailbox = memory.NewMailbox(1000, b.now)
	b.routes, b.contact = mails.Routes{Live: b.mailbox, Test: b.mailbox}, sale.Contact{Name: "Ada"}
	b.write(collection.NewChange(identity.Tenants, nil, collection.Record{
		"id": string(b.id), "tenant": string(b.id), "name": "Mug House", "slug": "mug-" + string(b.id),
		"settings": collection.Record{"locale": "en", "timeZone": "Asia/Seoul", "storefrontUrl": "https://mugs.example/"},
	}, shops.NewID(), start))
	return b
}

func (b *bed) now() time.Time { return start.Add(time.Duration(b.passed.Load())) }

func (b *bed) pass(d time.Duration) { b.passed.Add(int64(d)) }

func (b *bed) write(changes ...collection.Change) {
	b.t.Helper()
	shops.NewView(b.t, b.store, b.id).Atomically(func(ctx context.Context, tx ports.Tx) error { return tx.Records.Write(ctx, changes...) })
}

// planner is another process, which shares no memory. Of the shops of other tests, which have clocks of their own, it plans nothing.
func (b *bed) planner() *mails.Planner {
	return &mails.Planner{
		Store: b.store, Events: b.store.EventLog(), Places: ownPlaces{b.store.MailPlaces(), b.id}, Vault: b.vault, Routes: b.routes,
		Messages: b.texts, Now: b.now, NewID: shops.NewID, Log: slog.New(slog.DiscardHandler), Room: b.room,
	}
}

// sender is another process, which shares no memory. Of the shops of other tests it sends nothing.
func (b *bed) sender() *mails.Sender { return b.senderOf(mail.ByMail) }

func (b *bed) senderOf(channel mail.Channel) *mails.Sender {
	return &mails.Sender{
		Channel: channel, Messengers: b.texts,
		Composer: mails.Composer{Store: b.store, Vault: b.vault, Now: b.now, PublicURL: "https://server.example"},
		Queue:    ownQueue{b.store.MailQueue(), b.id}, Routes: b.routes, PerHour: b.perHour, NewID: shops.NewID, Jitter: func() float64 { return 0 },
		Log: slog.New(slog.DiscardHandler), Asked: &background.Signal{}, Sent: b.sent,
	}
}

// service is what a shop's people do.
func (b *bed) service() *mails.Service {
	return &mails.Service{
		Store: b.store, Idempotency: &idempotency.Runner{}, Routes: b.routes, Asked: &background.Signal{}, AskedMessages: &background.Signal{}, Now: b.now,
		NewID: shops.NewID,
		Texts: &mailtexts.Service{Store: b.store, BaseURL: "https://server.example", Now: b.now},
	}
}

// operator is a call of a secret key.
func (b *bed) operator() idempotency.Call {
	return idempotency.Call{Principal: tenant.Principal{
		Kind: tenant.SecretKey, Tenant: tenant.Settings{ID: b.id, CommerceEnabled: true}, Environment: tenant.Live, CanRead: true, CanWrite: true,
	}}
}

// ownQueue is a queue of one shop.
type ownQueue struct {
	ports.MailQueue

	id tenant.ID
}

func (q ownQueue) DueShops(ctx context.Context, channel mail.Channel, after tenant.ID, now time.Time, limit int) ([]tenant.ID, error) {
	all, err := q.MailQueue.DueShops(ctx, channel, after, now, 1_000_000)
	all = slices.DeleteFunc(all, func(id tenant.ID) bool { return id != q.id })
	return all[:min(len(all), limit)], err
}

// ownPlaces are the places of one shop.
type ownPlaces struct {
	ports.NoticePlaces

	id tenant.ID
}

func (p ownPlaces) Behind(ctx context.Context, limit int) ([]ports.NoticeLag, error) {
	all, err := p.NoticePlaces.Behind(ctx, 1_000_000)
	all = slices.DeleteFunc(all, func(l ports.NoticeLag) bool { return l.Tenant != p.id })
	return all[:min(len(all), limit)], err
}

// plan numbers what happened and decides about it.
func (b *bed) plan() {
	b.t.Helper()
	b.number()
	for b.isBehind() {
		if _, err := b.planner().Round(b.t.Context()); err != nil {
			b.t.Fatal(err)
		}
	}
}

func (b *bed) number() {
	b.t.Helper()
	for !b.isNumbered() {
		if _, err := b.store.Sequence(b.t.Context()); err != nil {
			b.t.Fatal(err)
		}
	}
}

func (b *bed) isNumbered() bool {
	b.t.Helper()
	if b.last == "" {
		return true
	}
	page, err := b.store.EventLog().Events(b.t.Context(), ports.EventQuery{Tenant: b.id, Descending: true, Limit: 100, WithoutBodies: true})
	if err != nil {
		b.t.Fatal(err)
	}
	return slices.ContainsFunc(page.Events, func(e ports.Event) bool { return e.Record == b.last })
}

// eventOf is the id of the event that made a record.
func (b *bed) eventOf(record string) string {
	b.t.Helper()
	b.last = record
	b.number()
	page, err := b.store.EventLog().Events(b.t.Context(), ports.EventQuery{Tenant: b.id, Descending: true, Limit: 100, WithoutBodies: true})
	if err != nil {
		b.t.Fatal(err)
	}
	i := slices.IndexFunc(page.Events, func(e ports.Event) bool { return e.Record == record })
	return page.Events[i].ID
}

func (b *bed) isBehind() bool {
	b.t.Helper()
	all, err := ownPlaces{b.store.MailPlaces(), b.id}.Behind(b.t.Context(), 1)
	if err != nil {
		b.t.Fatal(err)
	}
	return len(all) > 0
}

// send sends what is due.
func (b *bed) send() {
	b.t.Helper()
	for more := true; more; {
		found, _, err := b.sender().Round(b.t.Context(), "")
		if err != nil {
			b.t.Fatal(err)
		}
		more = found.More
	}
}

// sendMessages sends the messages that are due, as many as one turn has.
func (b *bed) sendMessages() {
	b.t.Helper()
	s := b.senderOf(mail.ByMessage)
	if _, _, err := s.Round(b.t.Context(), ""); err != nil {
		b.t.Fatal(err)
	}
	s.Settle()
}

// order is an order that was placed.
func (b *bed) order(env tenant.Environment, email string) string {
	b.t.Helper()
	contact := b.contact
	contact.Email = email
	won := func(n int64) money.Money { return money.Of(n, "KRW") }
	o := order.Order{
		ID: shops.NewID(), Tenant: b.id, Environment: env, Number: shops.NewID(), Status: order.Paid, Source: "checkout", Currency: "KRW",
		Contact: contact, PlacedAt: b.now(), Subtotal: won(12000), Discount: won(0), Shipping: won(0),
		Total: won(12000), Paid: won(12000), Refunded: won(0),
		Lines: []order.Line{{Line: sale.Line{
			ID: "l1", Title: "Mug", Quantity: 1, UnitPrice: won(12000), Discount: won(0), Total: won(12000),
		}}},
	}
	b.write(collection.NewChange(order.Schema, nil, o.Record(), shops.NewID(), b.now()))
	b.last = o.ID
	return o.ID
}

// deliveries are all deliveries of the shop, oldest first.
func (b *bed) deliveries() (all []mail.Delivery) {
	b.t.Helper()
	for _, r := range shops.NewView(b.t, b.store, b.id).All(mail.Deliveries) {
		all = append(all, mail.DeliveryFrom(r))
	}
	slices.SortFunc(all, func(x, y mail.Delivery) int { return strings.Compare(x.ID, y.ID) })
	return all
}

// states are the deliveries, each as "recipient kind status reason", sorted.
func (b *bed) states() (all []string) {
	b.t.Helper()
	for _, d := range b.deliveries() {
		all = append(all, strings.TrimSpace(d.Recipient+" "+string(d.Kind)+" "+string(d.Status)+" "+string(d.Reason)))
	}
	slices.Sort(all)
	return all
}

func (b *bed) want(what string, want ...string) {
	b.t.Helper()
	if got := b.states(); !slices.Equal(got, want) {
		b.t.Errorf("%s: %q, want %q", what, got, want)
	}
}

// customer is a customer who signed up, and is to prove their address by a mail.
func (b *bed) customer(name, email string) about {
	b.t.Helper()
	letters := access.EmailTokens{Vault: b.vault, Now: b.now, Mailed: true}
	r := collection.Record{"id": shops.NewID(), "tenant": string(b.id), "email": email, "name": name}
	event := shops.NewID()
	shops.NewView(b.t, b.store, b.id).Atomically(func(ctx context.Context, tx ports.Tx) error {
		if err := tx.Records.Write(ctx, collection.NewChange(identity.Customers, nil, r, event, b.now())); err != nil {
			return err
		}
		_, err := letters.AttachVerification(ctx, tx, event, r)
		return err
	})
	b.last = r.ID()
	return about{identity.Customers.Slug, r.ID(), event}
}

// change stores another state of a record.
func (b *bed) change(s *collection.Schema, id string, set func(collection.Record)) {
	b.t.Helper()
	before := shops.NewView(b.t, b.store, b.id).Get(s, id)
	after := before.Clone()
	set(after)
	b.write(collection.NewChange(s, before, after, shops.NewID(), b.now()))
	b.last = id
}
