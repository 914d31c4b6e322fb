package portstest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/mail"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// MailFailure is how the server behind a ports.Mailer fails.
type MailFailure string

// The failures.
const (
	MailRefused    MailFailure = "it refuses the recipient for good"
	MailBusy       MailFailure = "it has no room at present"
	MailUnanswered MailFailure = "it takes the message, and the answer is lost"
	MailDown       MailFailure = "it cannot be reached"
)

// MailerFixture is a ports.Mailer with what arrives behind it.
type MailerFixture struct {
	Mailer ports.Mailer
	// Received are the messages that arrived, oldest first, as they can be read again.
	Received func(t *testing.T) []mail.Message
	// Fail has the server fail so from now on, and "" not; nil: it cannot fail.
	Fail func(t *testing.T, how MailFailure)
}

// Mailer checks ports.Mailer.
func Mailer(t *testing.T, open func(*testing.T) MailerFixture) {
	whole := mail.Message{
		ID: "0190-1.0", FromName: "Mugs & Co 머그", To: "ada@example.com", ReplyTo: "help@shop.example", Locale: "ko",
		Subject: "주문이 접수되었습니다: “Mug”, 2개, and a subject that is longer than a line of a header may be by itself",
		Text:    "Hello Ada,\n\n.\nyour order – 12,000원\n", HTML: "<p>Hello <b>Ada</b>, 안녕</p>\n",
	}
	t.Run("a message arrives as it is", func(t *testing.T) {
		f := open(t)
		plain := mail.Message{ID: "0190-2.0", To: "bob@example.com", Subject: "Hi", Text: "Hello\n"}
		quoted := plain
		quoted.ID, quoted.FromName = "0190-3.0", `Kim "Mug" & \Sons, <Ltd>`
		all := []mail.Message{whole, plain, quoted}
		for _, m := range all {
			if err := f.Mailer.Send(t.Context(), m); err != nil {
				t.Fatal(err)
			}
		}
		if got := f.Received(t); !slices.Equal(got, all) {
			t.Errorf("%+v", got)
		}
	})
	t.Run("nothing begins a header of its own", func(t *testing.T) { refusesBreaks(t, open(t), whole) })
	t.Run("what is no address gets nothing", func(t *testing.T) {
		f := open(t)
		for _, to := range []string{"", "ada", "a@b.example, c@d.example", "Ada <ada@example.com>", "ada@example.com>", "<ada@example.com>"} {
			m := whole
			if m.To = to; !errors.Is(f.Mailer.Send(t.Context(), m), ports.ErrMailRefused) {
				t.Errorf("%q gets a mail", to)
			}
		}
		if got := f.Received(t); len(got) > 0 {
			t.Errorf("%+v", got)
		}
	})
	if open(t).Fail != nil {
		t.Run("failures are told apart", func(t *testing.T) { tellsFailures(t, open, whole) })
	}
}

func refusesBreaks(t *testing.T, f MailerFixture, whole mail.Message) {
	t.Helper()
	const more = "a\r\nBcc: eve@example.com"
	for name, change := range map[string]func(*mail.Message){
		"id": func(m *mail.Message) { m.ID = more }, "name": func(m *mail.Message) { m.FromName = more },
		"recipient": func(m *mail.Message) { m.To = "ada@example.com\r\nBcc: eve@example.com" },
		"reply":     func(m *mail.Message) { m.ReplyTo = "ada@example.com\nBcc: eve@example.com" },
		"locale":    func(m *mail.Message) { m.Locale = more }, "subject": func(m *mail.Message) { m.Subject = "a\nBcc: eve@example.com" },
	} {
		m := whole
		change(&m)
		if err := f.Mailer.Send(t.Context(), m); !errors.Is(err, ports.ErrMailRefused) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got := f.Received(t); len(got) > 0 {
		t.Errorf("%+v", got)
	}
}

func tellsFailures(t *testing.T, open func(*testing.T) MailerFixture, whole mail.Message) {
	t.Helper()
	for how, want := range map[MailFailure]error{
		MailRefused: ports.ErrMailRefused, MailBusy: nil, MailUnanswered: nil, MailDown: ports.ErrMailServerDown,
	} {
		f := open(t)
		f.Fail(t, how)
		err := f.Mailer.Send(t.Context(), whole)
		if err == nil || want != nil && !errors.Is(err, want) ||
			want == nil && (errors.Is(err, ports.ErrMailRefused) || errors.Is(err, ports.ErrMailServerDown)) {
			t.Errorf("%s: %v", how, err)
		}
		if how == MailDown {
			continue
		}
		f.Fail(t, "")
		if err := f.Mailer.Send(t.Context(), whole); err != nil {
			t.Errorf("after that %s: %v", how, err)
		}
		for _, m := range f.Received(t) {
			if m.ID != whole.ID {
				t.Errorf("%s: it is another message: %s", how, m.ID)
			}
		}
	}
}

// MailQueueFixture is a store with the collection mail-deliveries, and its queue.
type MailQueueFixture struct {
	Store ports.Store
	Queue ports.MailQueue
}

// MailQueue checks ports.MailQueue.
func MailQueue(t *testing.T, open func(*testing.T) MailQueueFixture) {
	f := open(t)
	prefix := "mails-" + string(freshTenant())
	shops := make([]tenant.ID, 4)
	put := func(shop tenant.ID, status mail.Status, due time.Time, n int) {
		for i := range n {
			d := mail.Delivery{
				ID: fmt.Sprintf("%s-%s-%d", shop, status, i), Tenant: shop, Environment: tenant.Live, Kind: mail.OrderPlaced, Status: status,
				Event: fmt.Sprintf("e-%s-%d", status, i), Recipient: "a@example.com", DueAt: due, OccurredAt: noon,
			}
			mustInTx(t, f.Store, shop, func(ctx context.Context, tx ports.Tx) error {
				return tx.Records.Write(ctx, collection.NewChange(mail.Deliveries, nil, d.Record(), "event-"+d.ID, noon))
			})
		}
	}
	for i := range shops {
		shops[i] = tenant.ID(fmt.Sprintf("%s-%d", prefix, i))
	}
	put(shops[0], mail.Queued, noon, 5)
	put(shops[1], mail.Queued, noon.Add(time.Second), 2)
	put(shops[2], mail.Sent, time.Time{}, 3)
	put(shops[3], mail.Sending, noon.Add(-time.Minute), 1)
	message := mail.Delivery{
		ID: prefix + "-message", Channel: mail.ByMessage, Tenant: shops[2], Environment: tenant.Live, Kind: mail.OrderPlaced, Status: mail.Queued,
		Event: "e-message", Recipient: "+821012345678", DueAt: noon, OccurredAt: noon,
	}
	mustInTx(t, f.Store, shops[2], func(ctx context.Context, tx ports.Tx) error {
		return tx.Records.Write(ctx, collection.NewChange(mail.Deliveries, nil, message.Record(), "event-"+message.ID, noon))
	})
	dueOn := func(channel mail.Channel, after tenant.ID, at time.Time, limit int) (own []tenant.ID) {
		all, err := f.Queue.DueShops(t.Context(), channel, after, at, limit)
		if err != nil {
			t.Fatal(err)
		}
		return slices.DeleteFunc(all, func(id tenant.ID) bool { return !strings.HasPrefix(string(id), prefix) })
	}
	due := func(after tenant.ID, at time.Time, limit int) []tenant.ID {
		return dueOn(mail.ByMail, after, at, limit)
	}
	start := tenant.ID(prefix)
	for name, c := range map[string]struct{ got, want []tenant.ID }{
		"each shop once, by id": {due(start, noon, 100), []tenant.ID{shops[0], shops[3]}},
		"later ones later":      {due(start, noon.Add(time.Second), 100), []tenant.ID{shops[0], shops[1], shops[3]}},
		"after one":             {due(shops[0], noon, 100), []tenant.ID{shops[3]}},
		"as many as wanted":     {due(start, noon, 1), []tenant.ID{shops[0]}},
		"of the channel":        {dueOn(mail.ByMessage, start, noon, 100), []tenant.ID{shops[2]}},
		"none before":           {due(start, noon.Add(-time.Hour), 100), nil},
	} {
		if !slices.Equal(c.got, c.want) {
			t.Errorf("%s: %v, want %v", name, c.got, c.want)
		}
	}
}
