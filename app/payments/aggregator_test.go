package payments_test

import (
	"errors"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/testservers/paymentbed"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/payments"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

func members(s paymentbed.Answer) []string { return slices.Sorted(maps.Keys(s)) }

func TestHostedPaymentSettlesOnRetrieve(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		co := b.Checkout("2 mug")
		id, token := co.Text("checkout.id"), co.Text("checkoutToken")
		opened := b.Must(b.Payments.Aggregator.Open(t.Context(), b.Guest(paymentbed.Key(), opening, token), hosted(id)))
		if got := members(opened); !slices.Equal(got, []string{"checkoutUrl", "paymentSession"}) {
			t.Errorf("it answers %v", got)
		}
		page, err := url.Parse(opened.Text("checkoutUrl"))
		if err != nil || page.Hostname() != "127.0.0.1" || strings.Contains(page.String(), token) ||
			strings.Contains(page.String(), "secret") {
			t.Errorf("the page is at %s", page)
		}
		for member, want := range map[string]string{
			"kind": "hosted_v2", "status": "pending", "method": "CARD_KR", "slotHeld": "true", "checkout": id,
		} {
			if got := opened.Text("paymentSession." + member); got != want {
				t.Errorf("%s is %q", member, got)
			}
		}
		b.decide(opened, "approve")
		if r := b.Get(checkout.Schema, id); r.Text("status") != "payment_pending" || len(b.All(order.Schema)) != 0 {
			t.Errorf("before anybody looked it is %s", r.Text("status"))
		}
		done := b.retrieve(b.Guest("", "", token), opened)
		if done.Text("paymentSession.status") != "succeeded" || done.Text("checkout.status") != "completed" ||
			done.Text("order.totalAmount") != "27000" || done.Text("order.status") != "paid" {
			t.Fatalf("%v", done)
		}
		again := b.retrieve(b.Guest("", "", token), opened)
		if again.Text("order.id") != done.Text("order.id") || !slices.Equal(members(again), members(done)) ||
			len(b.All(order.Schema)) != 1 || b.Balance(done.Text("order.id")) != 27000 {
			t.Errorf("again: %v", again)
		}
	})
}

func TestStandardPaymentSettlesOnRetrieve(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		opened := b.open(standard(b.Checkout("mug").Text("checkout.id")))
		if got := members(opened); !slices.Equal(got, []string{"action", "paymentSession"}) {
			t.Errorf("it answers %v", got)
		}
		act := paymentbed.Answer(opened.At("action").(map[string]any))
		if got := members(act); !slices.Equal(got, []string{
			"channelKey", "currency", "customer", "orderName", "payMethod", "paymentId", "redirectUrl", "storeId", "totalAmount", "type",
			"version",
		}) {
			t.Errorf("the action has %v", got)
		}
		for member, want := range map[string]string{
			"type": "requestPayment", "version": "standard_v2", "currency": "CURRENCY_KRW", "payMethod": "CARD", "totalAmount": "15000",
			"redirectUrl": "https://shop.example/back", "storeId": b.Account,
		} {
			if got := act.Text(member); got != want {
				t.Errorf("%s is %q", member, got)
			}
		}
		if !regexp.MustCompile(`^[A-Za-z0-9]{6,40}$`).MatchString(act.Text("paymentId")) {
			t.Errorf("the payment is called %q", act.Text("paymentId"))
		}
		b.decide(opened, "decline")
		declined := b.retrieve(b.Server("", "", ""), opened)
		if declined.Text("paymentSession.observation") != "failed" || declined.Text("paymentSession.slotHeld") != "true" ||
			declined.At("order") != nil {
			t.Errorf("declined: %v", declined)
		}
		b.decide(opened, "approve")
		if done := b.retrieve(b.Server("", "", ""), opened); done.Text("order.status") != "paid" {
			t.Errorf("%v", done)
		}
	})
}

// Shoppers' reads cause one lookup in two seconds over all instances; every read by the server causes one.
func TestConcurrentReadsShareOneLookup(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		w := &paymentbed.Wire{}
		rarely := func(s *paymentbed.Settings) { s.LookupInterval = time.Hour }
		one, two := b.NewInstanceOver(w, rarely), b.NewInstanceOver(w, rarely)
		co := b.Checkout("mug")
		c := b.Guest("", "", co.Text("checkoutToken"))
		opened := b.open(hosted(co.Text("checkout.id")))
		id := opened.Text("paymentSession.id")
		shops.Concurrently(10, func(i int) {
			instance := one
			if i%2 == 1 {
				instance = two
			}
			if answer, err := instance.Payments.Aggregator.Retrieve(t.Context(), c, id); err != nil ||
				b.Read(answer.Bytes()).Text("paymentSession.status") != "pending" {
				t.Errorf("%s %v", answer, err)
			}
		})
		if n := w.Calls("GET"); n != 1 {
			t.Errorf("the provider was asked %d times", n)
		}
		b.decide(opened, "approve")
		if answer, err := two.Payments.Aggregator.Retrieve(t.Context(), c, id); err != nil ||
			b.Read(answer.Bytes()).Text("paymentSession.status") != "pending" || w.Calls("GET") != 1 {
			t.Errorf("within the time: %s %v", answer, err)
		}
		if answer, err := one.Payments.Aggregator.Retrieve(t.Context(), b.Server("", "", ""), id); err != nil ||
			b.Read(answer.Bytes()).Text("order.id") == "" || w.Calls("GET") != 2 {
			t.Errorf("the server: %s %v", answer, err)
		}
		if answer, err := two.Payments.Aggregator.Retrieve(t.Context(), c, id); err != nil ||
			b.Read(answer.Bytes()).Text("order.id") == "" || w.Calls("GET") != 2 {
			t.Errorf("what the server found out: %s %v", answer, err)
		}
	})
}

func TestReadsLookUpAgainAfterTheInterval(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		b.Restart(func(s *paymentbed.Settings) { s.LookupInterval = time.Millisecond })
		co := b.Checkout("mug")
		opened := b.open(hosted(co.Text("checkout.id")))
		b.retrieve(b.Guest("", "", co.Text("checkoutToken")), opened)
		b.decide(opened, "approve")
		for tries := 0; b.retrieve(b.Guest("", "", co.Text("checkoutToken")), opened).At("order") == nil; tries++ {
			if tries > 10_000 {
				t.Fatal("no second lookup")
			}
		}
	})
}

func TestRetrieveSessionAccess(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		w := &paymentbed.Wire{}
		i := b.NewInstanceOver(w)
		co := b.Checkout("mug")
		opened := b.open(hosted(co.Text("checkout.id")))
		widget := b.Pay(b.Checkout("mug").Text("checkout.id"))
		b.decide(opened, "approve")
		reader, writer, outsider := b.Server("", "", ""), b.Server("", "", ""), b.Server("", "", "")
		reader.Principal.CanWrite = false
		writer.Principal.CanRead = false
		outsider.Principal.Tenant.ID = "outsider"
		for name, look := range map[string]struct {
			call idempotency.Call
			id   string
			want error
		}{
			"a key that only reads":  {reader, opened.Text("paymentSession.id"), fault.ErrForbidden},
			"a key that only writes": {writer, opened.Text("paymentSession.id"), fault.ErrForbidden},
			"another shop":           {outsider, opened.Text("paymentSession.id"), ports.ErrNotFound},
			"a wrong token":          {b.Guest("", "", "co_wrong"), opened.Text("paymentSession.id"), ports.ErrNotFound},
			"no token":               {b.Guest("", "", ""), opened.Text("paymentSession.id"), fault.ErrUnauthenticated},
			"a widget's session":     {b.Server("", "", ""), widget.Text("paymentSession.id"), ports.ErrNotFound},
			"no session":             {b.Server("", "", ""), shops.NewID(), ports.ErrNotFound},
		} {
			if answer, err := i.Payments.Aggregator.Retrieve(t.Context(), look.call, look.id); !errors.Is(err, look.want) {
				t.Errorf("%s: %s %v", name, answer, err)
			}
		}
		if n := w.Calls("GET"); n != 0 || len(b.All(order.Schema)) != 0 {
			t.Errorf("the provider was asked %d times", n)
		}
		if answer, err := b.Payments.Sessions.Retrieve(t.Context(), reader, opened.Text("paymentSession.id")); err != nil ||
			b.Read(answer.Bytes()).Text("paymentSession.status") != "pending" {
			t.Errorf("what is known may be read: %s %v", answer, err)
		}
		a, err := b.Payments.Aggregator.Cancel(t.Context(), b.Server(paymentbed.Key(), "cancel", ""), widget.Text("paymentSession.id"))
		paymentbed.Refused(t, "a widget's session is canceled as one of an aggregator", a, err, ports.ErrNotFound)
	})
}

func TestUnavailableProviderIsReported(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		opened := b.open(hosted(b.Checkout("mug").Text("checkout.id")))
		b.BankFaults(`{"failNext":1}`)
		_, err := b.Payments.Aggregator.Retrieve(t.Context(), b.Server("", "", ""), opened.Text("paymentSession.id"))
		if !errors.Is(err, ports.ErrProviderUnavailable) {
			t.Errorf("%v", err)
		}
		if again := b.retrieve(b.Server("", "", ""), opened); again.Text("paymentSession.status") != "pending" {
			t.Errorf("%v", again)
		}
	})
}

func TestCancelableSessionKinds(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		page := b.open(hosted(b.Checkout("mug").Text("checkout.id")))
		done := b.Must(b.Payments.Aggregator.Cancel(t.Context(), b.Server(paymentbed.Key(), "cancel", ""), page.Text("paymentSession.id")))
		if done.Text("paymentSession.status") != "canceled" || done.Text("paymentSession.slotHeld") != "false" ||
			b.Get(checkout.Schema, page.Text("paymentSession.checkout")).Text("status") != "open" {
			t.Errorf("%v", done)
		}
		if l := b.Level("mug"); l.Reserved != 0 {
			t.Errorf("%+v", l)
		}
		action := b.open(standard(b.Checkout("mug").Text("checkout.id")))
		for _, outcome := range []string{"", "abandon", "decline"} {
			if outcome != "" {
				b.decide(action, outcome)
			}
			a, err := b.Payments.Aggregator.Cancel(t.Context(), b.Server(paymentbed.Key(), "cancel", ""), action.Text("paymentSession.id"))
			paymentbed.Refused(t, "an action that was handed out, "+outcome, a, err, payment.ErrSlotHeld)
			if a.Fault != nil && a.Fault.Data["paymentSessionId"] != action.Text("paymentSession.id") {
				t.Errorf("%v", a.Fault.Data)
			}
		}
		b.decide(action, "approve")
		a, err := b.Payments.Aggregator.Cancel(t.Context(), b.Server(paymentbed.Key(), "cancel", ""), action.Text("paymentSession.id"))
		paymentbed.Refused(t, "what is paid", a, err, payment.ErrSessionTerminal)
		if got := b.retrieve(b.Server("", "", ""), action); got.Text("order.status") != "paid" {
			t.Errorf("%v", got)
		}
	})
}

// A payment keeps its id whatever happens to its session, and no other payment gets it.
func TestPaymentIDSurvivesRetries(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		seen := map[string]bool{}
		id := func(session string) string { return b.Get(payment.Sessions, session).Text("paymentId") }
		for name, in := range map[string]func(string) payments.SessionInput{
			"hosted": hosted, "standard": standard, "widget": paymentbed.WidgetSession,
		} {
			co := b.Checkout("mug").Text("checkout.id")
			b.BankFaults(`{"failNext":1}`)
			_, err := b.Payments.Sessions.Open(t.Context(), b.Server(paymentbed.Key(), opening, ""), in(co))
			held := b.Get(checkout.Schema, co).Group("paymentSlot").Text("paymentSession")
			first := id(held)
			if !errors.Is(err, ports.ErrProviderUnavailable) || seen[first] ||
				!regexp.MustCompile(`^[A-Za-z0-9]{6,40}$`).MatchString(first) {
				t.Fatalf("%s: %q, %v", name, first, err)
			}
			seen[first] = true
			for range 2 {
				if got := b.Must(b.Payments.Sessions.Open(t.Context(), b.Server(paymentbed.Key(), opening, ""),
					in(co))); got.Text("paymentSession.id") != held || id(held) != first {
					t.Errorf("%s: a retry is %v", name, got)
				}
			}
			b.Poller.PollOnce(t.Context(), ports.ForTenant(b.Shop.ID))
			b.Must(b.Payments.Sessions.Release(t.Context(), b.Server(paymentbed.Key(), "release", ""), held, payments.ReleaseRequest{Note: "Gone."}))
			if id(held) != first {
				t.Errorf("%s: it is %q now", name, id(held))
			}
			if other := b.Must(b.Payments.Sessions.Open(t.Context(), b.Server(paymentbed.Key(), opening, ""), in(co))); seen[id(
				other.Text("paymentSession.id"))] {
				t.Errorf("%s: an id is given again", name)
			}
		}
		field, _ := payment.Sessions.Field("paymentId")
		if !field.Unique ||
			!slices.ContainsFunc(payment.Sessions.UniqueSets, func(s []string) bool { return slices.Contains(s, "providerPaymentId") }) {
			t.Error("the database would take an id twice")
		}
	})
}
