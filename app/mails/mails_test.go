package mails_test

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/memory"
	"github.com/cartwright-dev/cartwright/adapters/smtp"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/adapters/testservers/smtpserver"
	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/mails"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/mail"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/shop"
	"github.com/cartwright-dev/cartwright/domain/team"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// withServer has the live mails of a shop go to a mail server.
func (b *bed) withServer() *smtpserver.Server {
	b.t.Helper()
	s := smtpserver.Start(b.t, smtpserver.Options{})
	m, err := smtp.New(smtp.Options{
		URL: "smtp://" + s.Host + ":" + s.Port, From: "no-reply@server.example", Log: slog.New(slog.DiscardHandler), Now: b.now, Timeout: 5 * time.Second,
	})
	if err != nil {
		b.t.Fatal(err)
	}
	b.routes.Live = m
	return s
}

// However many instances plan and send at once, each occasion is mailed once.
func TestEachOccasionIsMailedOnce(t *testing.T) {
	shops.OnBothDatabases(t, func(t *testing.T, store *sqlstore.Store) {
		b := newBed(t, store)
		server := b.withServer()
		var want []string
		for i := range 12 {
			to := fmt.Sprintf("buyer%02d@example.com", i)
			b.order(tenant.Live, to)
			want = append(want, to+" order_placed sent")
		}
		b.plan()
		shops.Concurrently(4, func(int) {
			if _, err := b.planner().Round(t.Context()); err != nil {
				t.Error(err)
			}
			if _, _, err := b.sender().Round(t.Context(), ""); err != nil {
				t.Error(err)
			}
		})
		b.send()
		b.plan()
		b.want("after all", want...)
		if got := server.Mails(); len(got) != len(want) {
			t.Errorf("%d mails", len(got))
		}
	})
}

// What a mail server says decides what becomes of a mail.
func TestMailsThatFailAreTriedAgain(t *testing.T) {
	shops.OnBothDatabases(t, func(t *testing.T, store *sqlstore.Store) {
		b := newBed(t, store)
		server := b.withServer()
		b.order(tenant.Live, "ada@example.com")
		b.plan()
		server.Be(smtpserver.Busy)
		b.send()
		if d := b.deliveries()[0]; d.Status != mail.Queued || d.Attempts != 1 || !strings.Contains(d.LastError, "451") ||
			!d.DueAt.Equal(b.now().Add(time.Minute)) {
			t.Errorf("after a failure: %+v", d)
		}
		b.send()
		if server.Tries() != 1 {
			t.Errorf("it was tried %d times before it is due", server.Tries())
		}
		b.pass(time.Minute)
		server.Be(smtpserver.Fine)
		b.send()
		b.want("after another attempt", "ada@example.com order_placed sent")

		b.order(tenant.Live, "bob@example.com")
		b.plan()
		server.Be(smtpserver.RefusesRecipient)
		b.send()
		b.want("after a refusal", "ada@example.com order_placed sent", "bob@example.com order_placed failed refused")

		b.order(tenant.Live, "cyd@example.com")
		b.plan()
		server.Close()
		b.send()
		if d := b.deliveries()[2]; d.Status != mail.Queued || d.Attempts != 0 || !d.DueAt.Equal(b.now().Add(time.Minute)) {
			t.Errorf("while there is no server: %+v", d)
		}
	})
}

// A process that dies between the answer of the mail server and its mark sends the same message again.
func TestMailOfADeadSenderIsTheSameMessage(t *testing.T) {
	shops.OnBothDatabases(t, func(t *testing.T, store *sqlstore.Store) {
		b := newBed(t, store)
		server := b.withServer()
		b.order(tenant.Live, "ada@example.com")
		b.plan()
		b.sent = func() { panic("the process ends here") }
		b.send()
		b.sent = nil
		b.send()
		b.want("while its claim lasts", "ada@example.com order_placed sending")
		b.pass(mail.Lease)
		b.send()
		b.want("after that", "ada@example.com order_placed sent")
		var ids []string
		for _, m := range server.Mails() {
			_, rest, _ := strings.Cut(m.Data, "Message-ID: ")
			id, _, _ := strings.Cut(rest, "\n")
			ids = append(ids, strings.TrimSpace(id))
		}
		if d := b.deliveries()[0]; len(ids) != 2 || ids[0] != ids[1] || ids[0] != "<"+d.MessageID()+"@server.example>" || d.Attempts != 2 {
			t.Errorf("%q of %+v", ids, d)
		}
	})
}

// Test data reaches nobody, and so does what a shop has switched off. What is too much waits for nothing.
func TestMailsThatAreNotSent(t *testing.T) {
	shops.OnBothDatabases(t, func(t *testing.T, store *sqlstore.Store) {
		b := newBed(t, store)
		server := b.withServer()
		b.routes.Test, b.room = nil, 2
		b.order(tenant.Test, "test@example.com")
		for i := range 3 {
			b.order(tenant.Live, fmt.Sprintf("buyer%d@example.com", i))
		}
		b.plan()
		b.send()
		b.want("at first", "buyer0@example.com order_placed sent", "buyer1@example.com order_placed sent",
			"buyer2@example.com order_placed suppressed queue_full", "test@example.com order_placed suppressed test_environment")
		b.write(collection.NewChange(shop.Profiles, nil, collection.Record{
			"id": shops.NewID(), "tenant": string(b.id), "single": "profile", "mailsOff": []string{"order_placed"},
		}, shops.NewID(), b.now()))
		b.order(tenant.Live, "late@example.com")
		b.plan()
		b.send()
		if got := b.states(); len(got) != 4 || len(server.Mails()) != 2 {
			t.Errorf("%q, %d mails", got, len(server.Mails()))
		}
		imported := ports.WithActor(t.Context(), tenant.Actor{Kind: tenant.System, Via: tenant.ViaImport})
		if err := store.Atomically(imported, ports.ForTenant(b.id), func(ctx context.Context, tx ports.Tx) error {
			r := collection.Record{"id": shops.NewID(), "tenant": string(b.id), "environment": "live", "email": "i@example.com", "orderNumber": "i"}
			b.last = r.ID()
			return tx.Records.Write(ctx, collection.NewChange(order.Schema, nil, r, shops.NewID(), b.now()))
		}); err != nil {
			t.Fatal(err)
		}
		b.plan()
		if got := b.states(); len(got) != 4 {
			t.Errorf("an imported order is mailed about: %q", got)
		}
	})
}

// A mail about what is not there any more, or whose buyer was erased meanwhile, goes to nobody.
func TestMailsOfWhatIsGoneAreNotSent(t *testing.T) {
	shops.OnBothDatabases(t, func(t *testing.T, store *sqlstore.Store) {
		b := newBed(t, store)
		b.order(tenant.Live, "ada@example.com")
		b.plan()
		before := shops.NewView(t, store, b.id).All(mail.Deliveries)[0]
		after, _ := mail.Deliveries.Redact(before)
		b.write(collection.NewChange(mail.Deliveries, before, after, shops.NewID(), b.now()))
		b.send()
		if d := b.deliveries()[0]; d.Status != mail.Suppressed || d.Reason != mail.CauseGone || len(b.mailbox.NewestFirst()) > 0 {
			t.Errorf("%+v", d)
		}
	})
}

// A token is in the mail and nowhere else, and its copy goes with the mail.
func TestMailedTokensAreStoredNowhere(t *testing.T) {
	shops.OnBothDatabases(t, func(t *testing.T, store *sqlstore.Store) {
		b := newBed(t, store)
		var issued access.EmailToken
		inviter := access.Inviter{EmailTokens: access.EmailTokens{Vault: b.vault, Now: b.now, Mailed: true}, NewID: shops.NewID, Now: b.now}
		for _, role := range []tenant.Role{tenant.Editor, tenant.PlatformAdmin} {
			err := store.Atomically(t.Context(), access.MembersScope(b.id), func(ctx context.Context, tx ports.Tx) (err error) {
				issued, err = inviter.Invite(ctx, tx, b.id, collection.Record{"email": "new-" + string(role) + "@example.com", "role": string(role)})
				return err
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		b.last = shops.NewView(t, store, b.id).All(identity.Invitations)[0].ID()
		b.plan()
		b.send()
		b.want("invitations", "new-platform-admin@example.com invitation sent", "new-tenant-editor@example.com invitation sent")
		kept := b.mailbox.NewestFirst()
		if n := slices.IndexFunc(kept, func(m memory.KeptMail) bool {
			return strings.Contains(m.Text, "https://server.example/console/invitation?token="+issued.Token)
		}); n < 0 {
			t.Errorf("the token is in no mail: %+v", kept)
		}
		for _, d := range shops.NewView(t, store, b.id).All(mail.Deliveries) {
			if text := fmt.Sprint(d); strings.Contains(text, "inv_") {
				t.Errorf("a delivery has a token: %s", text)
			}
			shops.NewView(t, store, b.id).Atomically(func(ctx context.Context, tx ports.Tx) error {
				if _, err := access.FindMailedToken(ctx, tx, b.vault, d.Text("event")); !errors.Is(err, ports.ErrNotFound) {
					t.Errorf("the copy of the token is still there: %v", err)
				}
				return nil
			})
			if _, err := mail.DeliveryFrom(d).Again(b.now()); !errors.Is(err, mail.ErrTokenMail) {
				t.Error(err)
			}
		}
	})
}

// Who left the shop is told nothing more of it, whatever waits, and whoever stays at the address that they have now.
func TestNoticesGoToTheTeamAlone(t *testing.T) {
	shops.OnBothDatabases(t, func(t *testing.T, store *sqlstore.Store) {
		b := newBed(t, store)
		user := collection.Record{"id": shops.NewID(), "tenant": string(b.id), "email": "ada@example.com", "name": "Ada", "role": "tenant-editor"}
		b.write(collection.NewChange(identity.Users, nil, user, shops.NewID(), b.now()))
		notify := func() {
			n := collection.Record{
				"id": shops.NewID(), "tenant": string(b.id), "environment": "live", "recipient": user.ID(), "kind": "mentioned", "key": shops.NewID(),
				"mailTo": "old@example.com",
			}
			b.write(collection.NewChange(team.Notifications, nil, n, shops.NewID(), b.now()))
			b.last = n.ID()
			b.plan()
		}
		notify()
		b.send()
		b.want("a member", "ada@example.com notice sent")
		notify()
		b.write(collection.NewChange(identity.Users, shops.NewView(t, store, b.id).Get(identity.Users, user.ID()), nil, shops.NewID(), b.now()))
		b.send()
		notify()
		b.want("who left", "ada@example.com notice sent", "ada@example.com notice suppressed cause_gone")
	})
}

// A shop sends so many mails within an hour; the others wait.
func TestShopsSendSoManyMailsAnHour(t *testing.T) {
	shops.OnBothDatabases(t, func(t *testing.T, store *sqlstore.Store) {
		b := newBed(t, store)
		b.perHour = 3
		for i := range 5 {
			b.order(tenant.Live, fmt.Sprintf("buyer%d@example.com", i))
		}
		b.plan()
		b.send()
		if got := len(b.mailbox.NewestFirst()); got != 3 {
			t.Errorf("%d mails at first", got)
		}
		b.pass(time.Hour + time.Second)
		b.send()
		if got := len(b.mailbox.NewestFirst()); got != 5 {
			t.Errorf("%d mails after an hour", got)
		}
	})
}

// An operator has a mail sent again, to the address that the order has now; it is another message then.
func TestMailsAreSentAgain(t *testing.T) {
	shops.OnBothDatabases(t, func(t *testing.T, store *sqlstore.Store) {
		b := newBed(t, store)
		id := b.order(tenant.Live, "adda@example.com")
		b.plan()
		b.send()
		before := shops.NewView(t, store, b.id).Get(order.Schema, id)
		after := before.Clone()
		after["email"] = "ada@example.com"
		b.write(collection.NewChange(order.Schema, before, after, shops.NewID(), b.now()))
		s, call := b.service(), b.operator()
		delivery := b.deliveries()[0]
		answer, err := s.Resend(t.Context(), call, delivery.ID)
		if text := fmt.Sprint(answer.Body); err != nil || !strings.Contains(text, `"resendable":true`) || strings.Contains(text, `"createdAt":null`) {
			t.Fatal(text, err)
		}
		b.send()
		b.want("again", "ada@example.com order_placed sent")
		if all := b.mailbox.NewestFirst(); len(all) != 2 || all[0].To != "ada@example.com" || all[0].ID == all[1].ID {
			t.Errorf("%+v", all)
		}
		call.Principal.Environment = tenant.Test
		if _, err := s.Resend(t.Context(), call, delivery.ID); !errors.Is(err, ports.ErrNotFound) {
			t.Errorf("of the other environment: %v", err)
		}
		b.write(collection.NewChange(order.Schema, after, nil, shops.NewID(), b.now()))
		call.Principal.Environment = tenant.Live
		if _, err := s.Resend(t.Context(), call, delivery.ID); !errors.Is(err, mail.ErrCauseGone) {
			t.Errorf("of an order that is gone: %v", err)
		}
	})
}

// A mail about an order whose record leads to none tells nobody of nothing.
func TestMailsOfNoOrderAreNotSent(t *testing.T) {
	shops.OnBothDatabases(t, func(t *testing.T, store *sqlstore.Store) {
		b := newBed(t, store)
		user := b.add(identity.Users, collection.Record{"id": shops.NewID(), "email": "boss@example.com", "role": "tenant-admin"})
		var want []string
		for _, kind := range []mail.Kind{mail.OrderPlaced, mail.OrderShipped, mail.PaymentWaiting, mail.RefundMade, mail.ReturnReceived} {
			b.write(collection.NewChange(mail.Deliveries, nil, mail.Delivery{
				ID: shops.NewID(), Tenant: b.id, Environment: tenant.Live, Kind: kind, Event: shops.NewID(), Collection: user.slug, Subject: user.id,
				Recipient: "boss@example.com", Status: mail.Queued, DueAt: b.now(),
			}.Record(), shops.NewID(), b.now()))
			want = append(want, "boss@example.com "+string(kind)+" suppressed cause_gone")
		}
		b.send()
		b.want("mails of no order", want...)
	})
}

// Shops that are older than an hour begin with what happens from now on, and so does everybody while nothing is sent.
func TestMailsBeginWithWhatHappensFromNowOn(t *testing.T) {
	shops.OnBothDatabases(t, func(t *testing.T, store *sqlstore.Store) {
		b := newBed(t, store)
		b.order(tenant.Live, "old@example.com")
		b.pass(2 * time.Hour)
		b.plan()
		b.order(tenant.Live, "new@example.com")
		b.plan()
		b.want("an older shop", "new@example.com order_placed queued")
		routes := b.routes
		b.routes = mails.Routes{}
		b.order(tenant.Live, "silent@example.com")
		b.plan()
		b.routes = routes
		b.plan()
		b.want("while it is off", "new@example.com order_placed queued")
	})
}

func TestOldMailsAreForgotten(t *testing.T) {
	shops.OnOwnDatabases(t, func(t *testing.T, store *sqlstore.Store, _ testservers.Inspector) {
		b := newBed(t, store)
		b.order(tenant.Live, "ada@example.com")
		b.plan()
		b.send()
		f := mails.Forgetter{Store: store, Now: b.now, NewID: shops.NewID}
		for _, c := range []struct {
			after time.Duration
			want  int
		}{{mail.KeepFor, 1}, {time.Hour, 0}} {
			b.pass(c.after)
			if _, err := f.RunRound(t.Context()); err != nil {
				t.Fatal(err)
			}
			if got := len(b.deliveries()); got != c.want {
				t.Errorf("after %s: %d", c.after, got)
			}
		}
	})
}
