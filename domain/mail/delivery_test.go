package mail_test

import (
	"errors"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/mail"
	profile "github.com/cartwright-dev/cartwright/domain/shop"
	"github.com/cartwright-dev/cartwright/domain/team"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

var due = time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC)

func queued() mail.Delivery {
	return mail.Delivery{ID: "d", Kind: mail.OrderPlaced, Recipient: "ada@example.com", Status: mail.Queued, DueAt: due, OccurredAt: due}
}

// Whatever happens in which order: a delivery is sent at most once for each claim, nobody holds one that another sender has taken,
// what has ended stays so, and a mail that never succeeds is given up.
func TestDeliveriesEnd(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		d, now := queued(), due
		for step := 0; !d.Ended(); step++ {
			if step > 100 {
				r.Fatalf("it never ends: %+v", d)
			}
			taken, err := d.Take("c", now)
			if err != nil {
				if !now.Before(d.DueAt) {
					r.Fatalf("it is due: %+v", d)
				}
				now = d.DueAt
				continue
			}
			if _, err := taken.Take("other", now); !taken.Ended() && !errors.Is(err, mail.ErrClaimLost) {
				r.Fatalf("two senders have it")
			}
			d = taken
			switch rapid.IntRange(0, 3).Draw(r, "outcome") {
			case 0: // the process died
			default:
				if !d.Ended() {
					d = d.Retry("451 later", now, rapid.Float64Range(0, 0.99).Draw(r, "jitter"))
				}
			}
			if d.Attempts > mail.MaxAttempts {
				r.Fatalf("%d attempts", d.Attempts)
			}
		}
		if d.Status != mail.Failed || d.Reason != mail.AttemptsUsedUp || d.Claim != "" || !d.DueAt.IsZero() {
			r.Fatalf("%+v", d)
		}
	})
}

func TestDeliveriesAreTriedLaterAndLater(t *testing.T) {
	t.Parallel()
	d, now, before := queued(), due, time.Duration(0)
	for i := range mail.MaxAttempts - 1 {
		d, _ = d.Take("c", now)
		d = d.Retry("451 later", now, 0)
		wait := d.DueAt.Sub(now)
		if wait < before || wait > 24*time.Hour || i == 0 && wait != time.Minute {
			t.Errorf("after %d attempts it waits %s, after %s", i+1, wait, before)
		}
		now, before = d.DueAt, wait
	}
}

// What was given back without an attempt has all of its attempts, and what is sent again has them anew, as another message.
func TestDeliveriesBeginAgain(t *testing.T) {
	t.Parallel()
	d, _ := queued().Take("c", due)
	if d = d.Release("it is away", due.Add(time.Minute)); d.Attempts != 0 || d.Status != mail.Queued || !d.DueAt.Equal(due.Add(time.Minute)) {
		t.Errorf("%+v", d)
	}
	d, _ = d.Take("c", d.DueAt)
	first := d.MessageID()
	d = d.Refuse("550 no\r\nsuch mailbox", due)
	if d.LastError != "550 no  such mailbox" || d.Reason != mail.Refused {
		t.Errorf("%+v", d)
	}
	again, err := d.Again(due)
	if err != nil || again.Status != mail.Queued || again.Attempts != 0 || again.MessageID() == first || again.Reason != "" || again.LastError != "" {
		t.Errorf("%+v %v", again, err)
	}
}

// What is sent again, and tried at once: readers of the delivery are told the same.
func TestNotEveryMailIsSentAgain(t *testing.T) {
	t.Parallel()
	sending, _ := queued().Take("c", due)
	sent := sending.Done(due)
	of := func(d mail.Delivery, set func(*mail.Delivery)) mail.Delivery {
		set(&d)
		return d
	}
	for name, c := range map[string]struct {
		of   mail.Delivery
		want error
	}{
		"one that waits":         {queued(), nil},
		"one that is being sent": {sending, mail.ErrSending},
		"one that was sent":      {sent, nil},
		"one that failed":        {sending.Refuse("550 no", due), nil},
		"one that was too much":  {queued().Suppress(mail.QueueFull, due), nil},
		"its cause is gone":      {queued().Suppress(mail.CauseGone, due), mail.ErrCauseGone},
		"a link for one person":  {of(sent, func(d *mail.Delivery) { d.Kind = mail.Invitation }), mail.ErrTokenMail},
		"such a link that waits": {of(queued(), func(d *mail.Delivery) { d.Kind = mail.Invitation }), nil},
		"news of the team":       {of(sent, func(d *mail.Delivery) { d.Kind = mail.Notice }), mail.ErrNotice},
		"a test mail":            {of(sent, func(d *mail.Delivery) { d.Test = true }), mail.ErrTestMail},
		"an erased address":      {of(sent, func(d *mail.Delivery) { d.Recipient = collection.ErasedEmail("x") }), mail.ErrRecipientErased},
		"no address":             {of(queued(), func(d *mail.Delivery) { d.Recipient = "" }), mail.ErrRecipientErased},
	} {
		again, err := c.of.Again(due)
		if !errors.Is(err, c.want) || err != nil && again != c.of || err == nil && (again.Status != mail.Queued || !again.DueAt.Equal(due)) {
			t.Errorf("%s: %+v, %v", name, again, err)
		}
		if told := mail.Shown(c.of.Record())["resendable"]; told != (c.want == nil) {
			t.Errorf("%s: readers are told %v", name, told)
		}
	}
}

func TestDeliveriesAreStoredAsTheyAre(t *testing.T) {
	t.Parallel()
	d := mail.Delivery{
		ID: "d", Channel: mail.ByMail, Tenant: "t", Environment: tenant.Live, Kind: mail.RefundMade, Event: "e", Collection: "transactions",
		Subject: "r", Recipient: "a@b.example",
		Locale: "ko", Status: mail.Failed, Reason: mail.Refused, Attempts: 3, Round: 2, LastError: strings.Repeat("x", 500), Claim: "c", OccurredAt: due,
		DueAt: due.Add(1000), SentAt: due, EndedAt: due, Test: true, Draft: &mail.Draft{Locale: "ko", Subject: "s", Body: "b", Order: "o"},
	}
	d.DueAt = collection.TruncateTime(d.DueAt)
	if got := mail.DeliveryFrom(d.Record()); !reflect.DeepEqual(got, d) {
		t.Errorf("%+v", got)
	}
	d.Channel, d.Recipient = mail.ByMessage, "+821012345678"
	stored := d.Record()
	if got := mail.DeliveryFrom(stored); !reflect.DeepEqual(got, d) || stored["recipient"] != nil {
		t.Errorf("a message: %+v of %v", got, stored)
	}
	delete(stored, "channel")
	if got := mail.DeliveryFrom(stored); got.Channel != mail.ByMail {
		t.Errorf("one of an older version is by %s", got.Channel)
	}
}

// A message service is asked again under the same id, and under another one when somebody has it sent again.
func TestMessageServicesKnowADeliveryByItsID(t *testing.T) {
	t.Parallel()
	d := mail.Delivery{ID: "d", Channel: mail.ByMessage, Recipient: "+821012345678", Status: mail.Sent, Kind: mail.OrderPlaced}
	again, err := d.Again(due)
	if err != nil || d.ServiceID() != "d" || again.ServiceID() != "d-1" {
		t.Errorf("%s, then %s: %v", d.ServiceID(), again.ServiceID(), err)
	}
}

// Rule mail-2.
func TestOccasionsOfMails(t *testing.T) {
	t.Parallel()
	type state = team.State
	made := func(slug string, doc state) team.Change {
		return team.Change{Collection: slug, Operation: collection.Created, Doc: doc}
	}
	changed := func(slug string, doc, before state) team.Change {
		return team.Change{Collection: slug, Operation: collection.Updated, Doc: doc, Before: before}
	}
	cancel := func(status string) state { return state{LineCancels: []struct{ Status string }{{status}}} }
	imported, deleted := made("orders", state{Status: "paid"}), changed("orders", state{Status: "canceled"}, state{})
	imported.Actor.Via, deleted.Operation = tenant.ViaImport, collection.Deleted
	var account state
	account.Instructions.Account = "110-1"
	for name, c := range map[string]struct {
		h    team.Change
		want mail.Kind
	}{
		"an order":               {made("orders", state{Status: "paid", PaymentStatus: "paid"}), mail.OrderPlaced},
		"an order to be paid":    {made("orders", state{Status: "pending", PaymentStatus: "unpaid"}), mail.OrderPlaced},
		"an imported order":      {imported, ""},
		"a record that goes":     {deleted, ""},
		"an order is paid":       {changed("orders", state{PaymentStatus: "paid"}, state{PaymentStatus: "unpaid"}), mail.PaymentReceived},
		"it still is":            {changed("orders", state{PaymentStatus: "paid"}, state{PaymentStatus: "paid"}), ""},
		"an order is canceled":   {changed("orders", state{Status: "canceled"}, state{Status: "paid"}), mail.OrderCanceled},
		"lines are canceled":     {changed("orders", cancel("done"), state{}), mail.OrderCanceled},
		"the provider is asked":  {changed("orders", cancel("in_progress"), state{}), ""},
		"and agreed":             {changed("orders", cancel("done"), cancel("in_progress")), mail.OrderCanceled},
		"a note of an order":     {changed("orders", cancel("done"), cancel("done")), ""},
		"a parcel is packed":     {made("fulfillments", state{Status: "pending"}), ""},
		"a parcel is shipped":    {changed("fulfillments", state{Status: "shipped"}, state{Status: "pending"}), mail.OrderShipped},
		"a parcel is made so":    {made("fulfillments", state{Status: "shipped"}), mail.OrderShipped},
		"a parcel arrives":       {changed("fulfillments", state{Status: "delivered"}, state{Status: "shipped"}), ""},
		"an account to pay to":   {changed("payment-sessions", account, state{}), mail.PaymentWaiting},
		"another change of it":   {changed("payment-sessions", account, account), ""},
		"a refund is asked for":  {made("transactions", state{Type: "refund", Status: "pending"}), ""},
		"a refund is made":       {changed("transactions", state{Type: "refund", Status: "refunded"}, state{Status: "pending"}), mail.RefundMade},
		"a payment":              {made("transactions", state{Type: "payment", Status: "paid"}), ""},
		"a return is requested":  {made("return-requests", state{Status: "requested"}), mail.ReturnRequested},
		"a return is approved":   {changed("return-requests", state{Status: "approved"}, state{Status: "requested"}), mail.ReturnApproved},
		"a return arrives":       {changed("return-requests", state{Status: "received"}, state{Status: "approved"}), mail.ReturnReceived},
		"a return is rejected":   {changed("return-requests", state{Status: "rejected"}, state{Status: "requested"}), mail.ReturnRejected},
		"a return is paid out":   {changed("return-requests", state{Status: "refunded"}, state{Status: "received"}), ""},
		"a notification":         {made("notifications", state{MailTo: "a@b.example"}), mail.Notice},
		"one without an address": {made("notifications", state{MailTo: nil}), ""},
		"one is seen":            {changed("notifications", state{MailTo: "a@b.example"}, state{}), ""},
		"what nobody is mailed":  {made("carts", state{}), ""},
		"a customer":             {made("customers", state{}), ""},
	} {
		if got := mail.KindOf(c.h); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
		if c.want != "" && !slices.Contains(mail.OccasionCollections, c.h.Collection) {
			t.Errorf("%s: nobody looks at %s", name, c.h.Collection)
		}
	}
}

func TestShopsKnowEveryKindOfMail(t *testing.T) {
	t.Parallel()
	if !slices.Equal(profile.MailKinds, mail.Kinds) {
		t.Errorf("%v, want %v", profile.MailKinds, mail.Kinds)
	}
}
