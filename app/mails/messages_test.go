package mails_test

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/memory"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/testservers/messageserver"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/adapters/webhook"
	"github.com/cartwright-dev/cartwright/app/mails"
	"github.com/cartwright-dev/cartwright/app/messages"
	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/mail"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	hooks "github.com/cartwright-dev/cartwright/domain/webhook"
	"github.com/cartwright-dev/cartwright/ports"
)

const number = "+821012345678"

// newMessageBed is a shop without mails, whose buyers have a number, with a message service and a template for orders.
func newMessageBed(t *testing.T, store *sqlstore.Store) (*bed, *messageserver.Server) {
	t.Helper()
	b := newBed(t, store)
	b.routes = mails.Routes{}
	b.contact.Phone, b.contact.PhoneE164 = "010-1234-5678", number
	b.texts.Services = webhook.NewMessenger(webhook.MessengerOptions{
		Sender: webhook.NewSender(webhook.Options{AllowPrivate: true, Timeout: 500 * time.Millisecond}), Now: b.now,
	})
	b.write(collection.NewChange(mail.MessageTemplates, nil, collection.Record{
		"id": shops.NewID(), "tenant": string(b.id), "kind": "order_placed", "locale": "en", "templateCode": "ORDER_1", "active": true,
		"text":      "#{\uc774\ub984}: #{total}",
		"variables": []collection.Record{{"name": "\uc774\ub984", "tells": "name"}},
		"buttons":   []collection.Record{{"name": "Shop", "url": "https://mugs.example/o?n=#{orderNumber}"}},
	}, shops.NewID(), start))
	server := messageserver.Start(t)
	b.messageService(server)
	return b, server
}

// messageService is the shop's message service at a server.
func (b *bed) messageService(server *messageserver.Server) {
	b.t.Helper()
	id := shops.NewID()
	r := collection.Record{
		"id": id, "tenant": string(b.id), "environment": "live", "name": "Bridge", "url": server.URL, "senderKey": "@mugs", "enabled": true,
	}
	w := &records.Write{ID: id, Create: true, After: r, Input: map[string]any{"secret": messageserver.Secret}, Now: start}
	seal := messages.ServiceHooks(b.vault, webhook.Signer{}, hooks.AddressPolicy{AllowHTTP: true, AllowAnyPort: true})
	if err := seal.BeforeWrite(b.t.Context(), ports.Tx{}, w); err != nil {
		b.t.Fatal(err)
	}
	if r.Text("secret") == messageserver.Secret {
		b.t.Fatal("the secret is stored as it is")
	}
	b.write(collection.NewChange(mail.MessageServices, nil, r, shops.NewID(), start))
}

// However many instances plan and send at once, each occasion is told once, by the service of the shop, after it was stored.
func TestEachOccasionIsToldByOneMessage(t *testing.T) {
	shops.OnBothDatabases(t, func(t *testing.T, store *sqlstore.Store) {
		b, server := newMessageBed(t, store)
		var want []string
		for range 6 {
			b.order(tenant.Live, "ada@example.com")
			want = append(want, number+" order_placed sent")
		}
		b.plan()
		shops.Concurrently(4, func(int) {
			if _, err := b.planner().Round(t.Context()); err != nil {
				t.Error(err)
			}
			s := b.senderOf(mail.ByMessage)
			if _, _, err := s.Round(t.Context(), ""); err != nil {
				t.Error(err)
			}
			s.Settle()
		})
		b.want("after all", want...)
		got := server.Taken()
		if len(got) != 6 || len(server.Tries()) != 6 {
			t.Fatalf("%d messages by %d requests", len(got), len(server.Tries()))
		}
		m := got[0]
		if m.To != number || m.TemplateCode != "ORDER_1" || m.SenderKey != "@mugs" || m.Locale != "en" || m.Kind != "order_placed" ||
			m.Text != "Ada: KRW\u00a012,000" && !strings.HasPrefix(m.Text, "Ada: ") || m.Variables["\uc774\ub984"] != "Ada" ||
			!strings.HasPrefix(m.Buttons[0].URL, "https://mugs.example/o?n=") {
			t.Errorf("%+v", m)
		}
	})
}

// A mail and a message about one thing are two deliveries, and neither waits for the other.
func TestAMessageStandsBesideTheMail(t *testing.T) {
	shops.OnBothDatabases(t, func(t *testing.T, store *sqlstore.Store) {
		b, server := newMessageBed(t, store)
		b.routes.Live = b.mailbox
		server.Be(messageserver.PutsOff)
		b.order(tenant.Live, "ada@example.com")
		b.plan()
		b.sendMessages()
		b.send()
		b.want("while the service says later", number+" order_placed queued", "ada@example.com order_placed sent")
		i := slices.IndexFunc(b.deliveries(), func(d mail.Delivery) bool { return d.Channel == mail.ByMessage })
		if d := b.deliveries()[i]; d.Attempts != 1 || !strings.Contains(d.LastError, "no credit") {
			t.Errorf("%+v", d)
		}
		status, err := b.service().Show(t.Context(), b.operator().Principal)
		if want := (mails.Backlog{Waiting: 1}); err != nil || status.Messages != want || status.Mails != (mails.Backlog{}) {
			t.Errorf("%+v %v", status, err)
		}
		server.Be(messageserver.Accepts)
		b.pass(time.Minute)
		b.sendMessages()
		b.want("later", number+" order_placed sent", "ada@example.com order_placed sent")
	})
}

// A process that dies between the answer of the service and its mark hands the same message over again.
func TestMessageOfADeadSenderIsTheSameMessage(t *testing.T) {
	shops.OnBothDatabases(t, func(t *testing.T, store *sqlstore.Store) {
		b, server := newMessageBed(t, store)
		b.order(tenant.Live, "ada@example.com")
		b.plan()
		b.sent = func() { panic("the process ends here") }
		b.sendMessages()
		b.sent = nil
		b.sendMessages()
		b.want("while its claim lasts", number+" order_placed sending")
		b.pass(mail.Lease)
		b.sendMessages()
		b.want("after that", number+" order_placed sent")
		d := b.deliveries()[0]
		if tries := server.Tries(); !slices.Equal(tries, []string{d.ID, d.ID}) || len(server.Taken()) != 1 || d.Attempts != 2 {
			t.Errorf("%v of %+v", tries, d)
		}
	})
}

// What a service says decides what becomes of a message.
func TestMessagesThatFail(t *testing.T) {
	shops.OnBothDatabases(t, func(t *testing.T, store *sqlstore.Store) {
		for mood, want := range map[messageserver.Mood]struct{ state, says string }{
			messageserver.Refuses: {"failed refused", "template is not approved"}, messageserver.Talks: {"queued", "It works!"},
			messageserver.Hangs: {"queued", "no answer"}, messageserver.Endless: {"queued", "says whether"},
		} {
			b, server := newMessageBed(t, store)
			server.Be(mood)
			b.order(tenant.Live, "ada@example.com")
			b.plan()
			b.sendMessages()
			b.want(string(mood), number+" order_placed "+want.state)
			if d := b.deliveries()[0]; !strings.Contains(d.LastError, want.says) || d.Attempts != 1 {
				t.Errorf("%s: %+v", mood, d)
			}
		}
		b, server := newMessageBed(t, store)
		server.Close()
		b.order(tenant.Live, "ada@example.com")
		b.plan()
		b.sendMessages()
		if d := b.deliveries()[0]; d.Status != mail.Queued || d.Attempts != 0 || d.LastError == "" || !d.DueAt.Equal(b.now().Add(time.Minute)) {
			t.Errorf("while there is no service: %+v", d)
		}
	})
}

// Where there is no number, no template or no service, nobody is sent anything, and where it was planned it says why.
func TestMessagesThatAreNotSent(t *testing.T) {
	shops.OnBothDatabases(t, func(t *testing.T, store *sqlstore.Store) {
		b, server := newMessageBed(t, store)
		b.order(tenant.Test, "ada@example.com")
		b.contact.PhoneE164 = ""
		b.order(tenant.Live, "ada@example.com")
		b.contact.PhoneE164 = number
		b.plan()
		b.sendMessages()
		b.want("of test data, and without a number", number+" order_placed suppressed test_environment")
		b.order(tenant.Live, "ada@example.com")
		b.plan()
		b.change(mail.MessageServices, shops.NewView(t, store, b.id).All(mail.MessageServices)[0].ID(), func(r collection.Record) { r["enabled"] = false })
		b.sendMessages()
		b.want("without a service", number+" order_placed suppressed no_service", number+" order_placed suppressed test_environment")
		text := shops.NewView(t, store, b.id).All(mail.MessageTemplates)[0].ID()
		b.change(mail.MessageTemplates, text, func(r collection.Record) { r["active"] = false })
		b.order(tenant.Live, "ada@example.com")
		b.plan()
		if got := b.states(); len(got) != 2 || len(server.Tries()) > 0 {
			t.Errorf("without a template: %q, %v", got, server.Tries())
		}
	})
}

// A template that was switched off since, or cannot tell these facts, is said to be the reason.
func TestMessagesThatCannotBeWritten(t *testing.T) {
	shops.OnBothDatabases(t, func(t *testing.T, store *sqlstore.Store) {
		b, server := newMessageBed(t, store)
		text := shops.NewView(t, store, b.id).All(mail.MessageTemplates)[0].ID()
		b.contact.Name = ""
		b.order(tenant.Live, "ada@example.com")
		b.plan()
		b.sendMessages()
		b.want("nobody to greet", number+" order_placed suppressed not_renderable")
		if d := b.deliveries()[0]; !strings.Contains(d.LastError, "\uc774\ub984") {
			t.Errorf("%+v", d)
		}
		b.order(tenant.Live, "ada@example.com")
		b.plan()
		b.change(mail.MessageTemplates, text, func(r collection.Record) { r["active"] = false })
		b.sendMessages()
		b.want("switched off", number+" order_placed suppressed no_template", number+" order_placed suppressed not_renderable")
		if len(server.Tries()) > 0 {
			t.Error(server.Tries())
		}
	})
}

// A buyer who was erased meanwhile is told nothing, and their number is in no delivery.
func TestMessagesToErasedBuyersAreNotSent(t *testing.T) {
	shops.OnBothDatabases(t, func(t *testing.T, store *sqlstore.Store) {
		b, server := newMessageBed(t, store)
		b.order(tenant.Live, "ada@example.com")
		b.plan()
		before := shops.NewView(t, store, b.id).All(mail.Deliveries)[0]
		after, _ := mail.Deliveries.Redact(before)
		b.write(collection.NewChange(mail.Deliveries, before, after, shops.NewID(), b.now()))
		b.sendMessages()
		if d := b.deliveries()[0]; d.Status != mail.Suppressed || d.Reason != mail.CauseGone || d.Recipient != "" || len(server.Tries()) > 0 {
			t.Errorf("%+v", d)
		}
	})
}

// A message is sent again as another one, to the number that the order has now.
func TestMessagesAreSentAgain(t *testing.T) {
	shops.OnBothDatabases(t, func(t *testing.T, store *sqlstore.Store) {
		b, server := newMessageBed(t, store)
		id := b.order(tenant.Live, "ada@example.com")
		b.plan()
		b.sendMessages()
		b.change(order.Schema, id, func(r collection.Record) {
			buyer := r.Group("customerSnapshot").Clone()
			buyer["phoneE164"] = "+819012345678"
			r["customerSnapshot"] = buyer
		})
		d := b.deliveries()[0]
		if _, err := b.service().Resend(t.Context(), b.operator(), d.ID); err != nil {
			t.Fatal(err)
		}
		b.sendMessages()
		b.want("to the new number", "+819012345678 order_placed sent")
		if tries := server.Tries(); !slices.Equal(tries, []string{d.ID, d.ID + "-1"}) {
			t.Error(tries)
		}
	})
}

// A service that hangs keeps no other shop waiting: their messages are sent while its own are not answered.
func TestAHungServiceDelaysNobody(t *testing.T) {
	shops.OnBothDatabases(t, func(t *testing.T, store *sqlstore.Store) {
		b, hung := newMessageBed(t, store)
		hung.Be(messageserver.Hangs)
		b.texts.Services = webhook.NewMessenger(webhook.MessengerOptions{ // which does not give up before the test does
			Sender: webhook.NewSender(webhook.Options{AllowPrivate: true, Timeout: time.Hour}), Now: b.now,
		})
		b.order(tenant.Live, "ada@example.com")
		b.plan()
		ctx, giveUp := context.WithCancel(t.Context())
		s := b.senderOf(mail.ByMessage)
		if _, _, err := s.Round(ctx, ""); err != nil { // does not wait for the answer
			t.Fatal(err)
		}
		other, fine := newMessageBed(t, store)
		other.order(tenant.Live, "bob@example.com")
		other.plan()
		s.Queue = ownQueue{store.MailQueue(), other.id}
		other.sendMessages()
		other.want("beside it", number+" order_placed sent")
		if len(fine.Taken()) != 1 {
			t.Error(fine.Taken())
		}
		giveUp()
		s.Settle()
	})
}

// A development server keeps the messages that it does not send for its page, also those about test data.
func TestMessagesOfADevelopmentServerGoIntoItsBox(t *testing.T) {
	shops.OnBothDatabases(t, func(t *testing.T, store *sqlstore.Store) {
		b, server := newMessageBed(t, store)
		box := memory.NewMessageBox(10, b.now)
		b.texts.Box = box
		b.order(tenant.Test, "ada@example.com")
		b.order(tenant.Live, "ada@example.com")
		b.plan()
		b.sendMessages()
		b.want("both", number+" order_placed sent", number+" order_placed sent")
		if kept := box.NewestFirst(); len(kept) != 1 || kept[0].To != number || len(server.Taken()) != 1 {
			t.Errorf("%+v, %+v", kept, server.Taken())
		}
	})
}
