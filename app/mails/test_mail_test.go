package mails_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/mails"
	"github.com/cartwright-dev/cartwright/app/mailtexts"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/mail"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Whoever edits a text gets it as a mail, to their own address, by the queue of all mails; nothing of it is kept then.
//
// Rule mail-35.
func TestTestMailsGoToTheirSender(t *testing.T) {
	shops.OnBothDatabases(t, func(t *testing.T, store *sqlstore.Store) {
		b := newBed(t, store)
		s, call := b.service(), b.operator()
		user := b.add(identity.Users, collection.Record{"id": shops.NewID(), "email": "boss@example.com", "name": "Grace", "role": "tenant-admin"})
		call.Principal.Kind, call.Principal.ID, call.Principal.Role = tenant.User, user.id, tenant.Admin
		call.Principal.Environment, call.Principal.Tenant.Currency = tenant.Test, "KRW"
		test := func(kind mail.Kind, subject, body string) error {
			_, err := s.SendTest(t.Context(), call, mailtexts.Preview{Kind: kind, Draft: mail.Draft{Locale: "en", Subject: subject, Body: body}})
			return err
		}
		if err := test(mail.Invitation, "Unsaved {{inviter}}", "Hello {{name}}"); err != nil {
			t.Fatal(err)
		}
		waits := shops.NewView(t, store, b.id).All(mail.Deliveries)[0]
		if waits.Group("draft").Text("body") != "Hello {{name}}" || waits.Text("environment") != "live" {
			t.Errorf("what waits: %v", waits)
		}
		b.send()
		b.want("the test mail", "boss@example.com invitation sent")
		if all := b.mailbox.NewestFirst(); len(all) != 1 || all[0].Subject != "Unsaved Jordan Lee" || !strings.Contains(all[0].Text, "Hello Alex Kim") {
			t.Errorf("%+v", all)
		}
		sent := shops.NewView(t, store, b.id).All(mail.Deliveries)[0]
		if sent.Group("draft") != nil || !sent.Bool("test") {
			t.Errorf("what was sent: %v", sent)
		}
		if _, err := s.Resend(t.Context(), b.operator(), sent.ID()); !errors.Is(err, mail.ErrTestMail) {
			t.Errorf("once more: %v", err)
		}

		if err := test(mail.Invitation, "", "{{nobody}}"); !errors.Is(err, fault.ErrValidation) {
			t.Errorf("a wrong text: %v", err)
		}
		if err := test(mail.OrderPlaced, "", ""); err != nil {
			t.Fatal(err)
		}
		b.change(identity.Users, user.id, func(r collection.Record) { r["email"] = "else@example.com" })
		b.send()
		b.want("an address that is not theirs any more", "boss@example.com invitation sent", "boss@example.com order_placed suppressed cause_gone")

		id := b.order(tenant.Test, "buyer@example.com")
		b.write(collection.NewChange(mail.Deliveries, nil, mail.Delivery{
			ID: shops.NewID(), Tenant: b.id, Environment: tenant.Live, Kind: mail.OrderPlaced, Event: shops.NewID(), Collection: user.slug, Subject: user.id,
			Recipient: "else@example.com", Status: mail.Queued, DueAt: b.now(), Test: true, Draft: &mail.Draft{Locale: "en", Order: id},
		}.Record(), shops.NewID(), b.now()))
		b.send()
		if m := b.mailbox.NewestFirst()[0]; m.To != "else@example.com" || !strings.Contains(m.Text, "Hello Ada") {
			t.Errorf("by an order of the test environment: %+v", m)
		}

		s.Routes.Live = nil
		if err := test(mail.OrderPlaced, "", ""); !errors.Is(err, mails.ErrNoMailServer) {
			t.Errorf("without a mail server: %v", err)
		}
		s.Routes = b.routes
		call.Principal.ID = shops.NewID()
		if err := test(mail.OrderPlaced, "", ""); !errors.Is(err, access.ErrNotMember) {
			t.Errorf("of nobody of the shop: %v", err)
		}
		call.Principal.Role = tenant.Editor
		if err := test(mail.OrderPlaced, "", ""); !errors.Is(err, fault.ErrForbidden) {
			t.Errorf("of who writes no templates: %v", err)
		}
	})
}

// Test mails take nobody's room: few wait, few are sent within an hour, and none counts among the links for one person.
//
// Rule mail-35.
func TestTestMailsAreFew(t *testing.T) {
	shops.OnBothDatabases(t, func(t *testing.T, store *sqlstore.Store) {
		b := newBed(t, store)
		b.perHour = 1000
		s, call := b.service(), b.operator()
		login := func(email string) {
			user := b.add(identity.Users, collection.Record{"id": shops.NewID(), "email": email, "role": "tenant-admin"})
			call.Principal.Kind, call.Principal.ID, call.Principal.Role = tenant.User, user.id, tenant.Admin
			call.Principal.Tenant.Currency = "KRW"
		}
		test := func() error {
			_, err := s.SendTest(t.Context(), call, mailtexts.Preview{Kind: mail.Invitation})
			return err
		}
		login("boss@example.com")
		for n := range 20 {
			if err := test(); err != nil {
				t.Fatalf("number %d: %v", n+1, err)
			}
		}
		if err := test(); !errors.Is(err, mails.ErrTooManyTests) {
			t.Errorf("while 20 wait: %v", err)
		}
		drain := func() {
			for range 10 {
				b.send()
			}
		}
		drain()
		for n := range 10 {
			if err := test(); err != nil {
				t.Fatalf("number %d of the hour: %v", n+21, err)
			}
		}
		drain()
		if err := test(); !errors.Is(err, mails.ErrTooManyTests) {
			t.Errorf("number 31 of the hour: %v", err)
		}
		login("other@example.com")
		if err := test(); err != nil {
			t.Errorf("somebody else: %v", err)
		}
		drain()

		for links, want := range map[bool]int64{true: 0, false: 31} {
			page, err := store.Read(ports.ForTenant(b.id)).Find(t.Context(), collection.Query{
				Schema: mail.Deliveries, Environment: "live", Where: mail.WithToken(links), Limit: 1, Page: 1,
			})
			if err != nil || page.TotalDocs != want {
				t.Errorf("links %t: %d test mails count instead of %d, %v", links, page.TotalDocs, want, err)
			}
		}
	})
}
