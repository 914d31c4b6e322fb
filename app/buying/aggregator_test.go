package buying_test

import (
	"errors"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/buying"
	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

func members(s said) []string { return slices.Sorted(maps.Keys(s)) }

func TestAHostedPageIsPaidAndLookedUp(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		co := b.checkout("2 mug")
		id, token := co.text("checkout.id"), co.text("checkoutToken")
		opened := b.must(b.OpenAggregator(t.Context(), b.guest(key(), opening, token), hosted(id)))
		if got := members(opened); !slices.Equal(got, []string{"checkoutUrl", "paymentSession"}) {
			t.Errorf("it answers %v", got)
		}
		page, err := url.Parse(opened.text("checkoutUrl"))
		if err != nil || page.Hostname() != "127.0.0.1" || strings.Contains(page.String(), token) || strings.Contains(page.String(), "secret") {
			t.Errorf("the page is at %s", page)
		}
		for member, want := range map[string]string{"kind": "hosted_v2", "status": "pending", "method": "CARD_KR", "slotHeld": "true", "checkout": id} {
			if got := opened.text("paymentSession." + member); got != want {
				t.Errorf("%s is %q", member, got)
			}
		}
		b.decide(opened, "approve")
		if r := b.get(checkout.Schema, id); r.Text("status") != "payment_pending" || len(b.all(order.Schema)) != 0 {
			t.Errorf("before anybody looked it is %s", r.Text("status"))
		}
		done := b.retrieve(b.guest("", "", token), opened)
		if done.text("paymentSession.status") != "succeeded" || done.text("checkout.status") != "completed" || done.text("order.totalAmount") != "27000" || done.text("order.status") != "paid" {
			t.Fatalf("%v", done)
		}
		again := b.retrieve(b.guest("", "", token), opened)
		if again.text("order.id") != done.text("order.id") || !slices.Equal(members(again), members(done)) || len(b.all(order.Schema)) != 1 || b.balance(done.text("order.id")) != 27000 {
			t.Errorf("again: %v", again)
		}
	})
}

func TestAStandardActionIsPaidAndLookedUp(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		opened := b.open(standard(b.checkout("mug").text("checkout.id")))
		if got := members(opened); !slices.Equal(got, []string{"action", "paymentSession"}) {
			t.Errorf("it answers %v", got)
		}
		act := said(opened.at("action").(map[string]any))
		if got := members(act); !slices.Equal(got, []string{"channelKey", "currency", "customer", "orderName", "payMethod", "paymentId", "redirectUrl", "storeId", "totalAmount", "type", "version"}) {
			t.Errorf("the action has %v", got)
		}
		for member, want := range map[string]string{
			"type": "requestPayment", "version": "standard_v2", "currency": "CURRENCY_KRW", "payMethod": "CARD", "totalAmount": "15000", "redirectUrl": "https://shop.example/back", "storeId": b.account,
		} {
			if got := act.text(member); got != want {
				t.Errorf("%s is %q", member, got)
			}
		}
		if !regexp.MustCompile(`^[A-Za-z0-9]{6,40}$`).MatchString(act.text("paymentId")) {
			t.Errorf("the payment is called %q", act.text("paymentId"))
		}
		b.decide(opened, "decline")
		declined := b.retrieve(b.server("", "", ""), opened)
		if declined.text("paymentSession.observation") != "failed" || declined.text("paymentSession.slotHeld") != "true" || declined.at("order") != nil {
			t.Errorf("declined: %v", declined)
		}
		b.decide(opened, "approve")
		if done := b.retrieve(b.server("", "", ""), opened); done.text("order.status") != "paid" {
			t.Errorf("%v", done)
		}
	})
}

// Of a shopper's reads the provider hears one in two seconds, whoever answers them; of a server's each.
func TestShoppersShareALookUp(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		w := &wire{}
		one, two := b.wired(w), b.wired(w)
		one.LookEvery, two.LookEvery = time.Hour, time.Hour
		co := b.checkout("mug")
		c := b.guest("", "", co.text("checkoutToken"))
		opened := b.open(hosted(co.text("checkout.id")))
		id := opened.text("paymentSession.id")
		shops.Together(10, func(i int) {
			instance := one
			if i%2 == 1 {
				instance = two
			}
			if answer, err := instance.RetrieveAggregator(t.Context(), c, id); err != nil || b.read(answer).text("paymentSession.status") != "pending" {
				t.Errorf("%s %v", answer, err)
			}
		})
		if n := w.calls("GET"); n != 1 {
			t.Errorf("the provider was asked %d times", n)
		}
		b.decide(opened, "approve")
		if answer, err := two.RetrieveAggregator(t.Context(), c, id); err != nil || b.read(answer).text("paymentSession.status") != "pending" || w.calls("GET") != 1 {
			t.Errorf("within the time: %s %v", answer, err)
		}
		if answer, err := one.RetrieveAggregator(t.Context(), b.server("", "", ""), id); err != nil || b.read(answer).text("order.id") == "" || w.calls("GET") != 2 {
			t.Errorf("the server: %s %v", answer, err)
		}
		if answer, err := two.RetrieveAggregator(t.Context(), c, id); err != nil || b.read(answer).text("order.id") == "" || w.calls("GET") != 2 {
			t.Errorf("what the server found out: %s %v", answer, err)
		}
	})
}

func TestShoppersLookAgainLater(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		b.LookEvery = time.Millisecond
		co := b.checkout("mug")
		opened := b.open(hosted(co.text("checkout.id")))
		b.retrieve(b.guest("", "", co.text("checkoutToken")), opened)
		b.decide(opened, "approve")
		for tries := 0; b.retrieve(b.guest("", "", co.text("checkoutToken")), opened).at("order") == nil; tries++ {
			if tries > 10_000 {
				t.Fatal("nobody looked again")
			}
		}
	})
}

func TestWhoMayLookAPaymentUp(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		w := &wire{}
		i := b.wired(w)
		co := b.checkout("mug")
		opened := b.open(hosted(co.text("checkout.id")))
		widget := b.pay(b.checkout("mug").text("checkout.id"))
		b.decide(opened, "approve")
		reader, writer, stranger := b.server("", "", ""), b.server("", "", ""), b.server("", "", "")
		reader.Principal.CanWrite = false
		writer.Principal.CanRead = false
		stranger.Principal.Tenant.ID = "stranger"
		for name, look := range map[string]struct {
			call once.Call
			id   string
			want error
		}{
			"a key that only reads":  {reader, opened.text("paymentSession.id"), fault.ErrForbidden},
			"a key that only writes": {writer, opened.text("paymentSession.id"), fault.ErrForbidden},
			"another shop":           {stranger, opened.text("paymentSession.id"), ports.ErrAbsent},
			"a wrong token":          {b.guest("", "", "co_wrong"), opened.text("paymentSession.id"), ports.ErrAbsent},
			"no token":               {b.guest("", "", ""), opened.text("paymentSession.id"), fault.ErrUnauthenticated},
			"a widget's session":     {b.server("", "", ""), widget.text("paymentSession.id"), ports.ErrAbsent},
			"no session":             {b.server("", "", ""), shops.NewID(), ports.ErrAbsent},
		} {
			if answer, err := i.RetrieveAggregator(t.Context(), look.call, look.id); !errors.Is(err, look.want) {
				t.Errorf("%s: %s %v", name, answer, err)
			}
		}
		if n := w.calls("GET"); n != 0 || len(b.all(order.Schema)) != 0 {
			t.Errorf("the provider was asked %d times", n)
		}
		if answer, err := b.Session(t.Context(), reader, opened.text("paymentSession.id")); err != nil || b.read(answer).text("paymentSession.status") != "pending" {
			t.Errorf("what is known may be read: %s %v", answer, err)
		}
		a, err := b.CancelAggregator(t.Context(), b.server(key(), "cancel", ""), widget.text("paymentSession.id"))
		refused(t, "a widget's session is canceled as one of an aggregator", a, err, ports.ErrAbsent)
	})
}

func TestAProviderThatIsDownIsSaidToBe(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		opened := b.open(hosted(b.checkout("mug").text("checkout.id")))
		b.faults(`{"failNext":1}`)
		_, err := b.RetrieveAggregator(t.Context(), b.server("", "", ""), opened.text("paymentSession.id"))
		if !errors.Is(err, ports.ErrProviderUnavailable) {
			t.Errorf("%v", err)
		}
		if again := b.retrieve(b.server("", "", ""), opened); again.text("paymentSession.status") != "pending" {
			t.Errorf("%v", again)
		}
	})
}

func TestWhatCanBeCanceled(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		page := b.open(hosted(b.checkout("mug").text("checkout.id")))
		done := b.must(b.CancelAggregator(t.Context(), b.server(key(), "cancel", ""), page.text("paymentSession.id")))
		if done.text("paymentSession.status") != "canceled" || done.text("paymentSession.slotHeld") != "false" || b.get(checkout.Schema, page.text("paymentSession.checkout")).Text("status") != "open" {
			t.Errorf("%v", done)
		}
		if l := b.level("mug"); l.Reserved != 0 {
			t.Errorf("%+v", l)
		}
		action := b.open(standard(b.checkout("mug").text("checkout.id")))
		for _, outcome := range []string{"", "abandon", "decline"} {
			if outcome != "" {
				b.decide(action, outcome)
			}
			a, err := b.CancelAggregator(t.Context(), b.server(key(), "cancel", ""), action.text("paymentSession.id"))
			refused(t, "an action that was handed out, "+outcome, a, err, payment.ErrSlotHeld)
			if a.Fault != nil && a.Fault.Data["paymentSessionId"] != action.text("paymentSession.id") {
				t.Errorf("%v", a.Fault.Data)
			}
		}
		b.decide(action, "approve")
		a, err := b.CancelAggregator(t.Context(), b.server(key(), "cancel", ""), action.text("paymentSession.id"))
		refused(t, "what is paid", a, err, payment.ErrTerminal)
		if got := b.retrieve(b.server("", "", ""), action); got.text("order.status") != "paid" {
			t.Errorf("%v", got)
		}
	})
}

// Whatever happens to a session, its payment keeps its id, and no other one gets it.
func TestAPaymentKeepsItsID(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		seen := map[string]bool{}
		id := func(session string) string { return b.get(payment.Sessions, session).Text("paymentId") }
		for name, in := range map[string]func(string) buying.NewSession{"hosted": hosted, "standard": standard, "widget": session} {
			co := b.checkout("mug").text("checkout.id")
			b.faults(`{"failNext":1}`)
			_, err := b.OpenSession(t.Context(), b.server(key(), opening, ""), in(co))
			held := b.get(checkout.Schema, co).Group("paymentSlot").Text("paymentSession")
			first := id(held)
			if !errors.Is(err, ports.ErrProviderUnavailable) || seen[first] || !regexp.MustCompile(`^[A-Za-z0-9]{6,40}$`).MatchString(first) {
				t.Fatalf("%s: %q, %v", name, first, err)
			}
			seen[first] = true
			for range 2 {
				if got := b.must(b.OpenSession(t.Context(), b.server(key(), opening, ""), in(co))); got.text("paymentSession.id") != held || id(held) != first {
					t.Errorf("%s: a retry is %v", name, got)
				}
			}
			b.Sweep(t.Context(), ports.Of(b.shop.ID))
			b.must(b.Release(t.Context(), b.server(key(), "release", ""), held, "Gone."))
			if id(held) != first {
				t.Errorf("%s: it is %q now", name, id(held))
			}
			if other := b.must(b.OpenSession(t.Context(), b.server(key(), opening, ""), in(co))); seen[id(other.text("paymentSession.id"))] {
				t.Errorf("%s: an id is given again", name)
			}
		}
		field, _ := payment.Sessions.Field("paymentId")
		if !field.Unique || !slices.ContainsFunc(payment.Sessions.UniqueSets, func(s []string) bool { return slices.Contains(s, "providerPaymentId") }) {
			t.Error("the database would take an id twice")
		}
	})
}
