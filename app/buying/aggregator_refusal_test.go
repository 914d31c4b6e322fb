package buying_test

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/payment/sandbox/bank"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/buying"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// What does not name exactly one enabled method leaves nothing behind: no session, no held slot, no reserved goods, no row
// in the journal, no request.
func TestExactlyOneMethodThatIsEnabled(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		w := &wire{}
		j := &journaled{Store: b.store}
		b.Buying = b.wired(w)
		b.Store = j
		site := newWeb(b)
		co := b.checkout("mug")
		id := co.text("checkout.id")
		const back = `"redirectUrl":"https://shop.example/back"`
		for name, c := range map[string]struct {
			body          string
			status        int
			reason, field string
		}{
			"no method":                      {`"mode":"hosted_v2",` + back, 400, "validation_failed", "method"},
			"a null method":                  {`"mode":"hosted_v2","method":null,` + back, 400, "validation_failed", "method"},
			"an empty method":                {`"mode":"hosted_v2","method":"",` + back, 400, "validation_failed", "method"},
			"two methods in one":             {`"mode":"hosted_v2","method":"CARD_KR,N_PAY",` + back, 400, "validation_failed", "method"},
			"two methods":                    {`"mode":"hosted_v2","method":"CARD_KR","method":"N_PAY",` + back, 400, "malformed_request", "method"},
			"a list":                         {`"mode":"hosted_v2","method":["CARD_KR"],` + back, 400, "validation_failed", "method"},
			"a list of two":                  {`"mode":"hosted_v2","method":["CARD_KR","KAKAO_PAY"],` + back, 400, "validation_failed", "method"},
			"methods":                        {`"mode":"hosted_v2","method":"CARD_KR","methods":["CARD_KR"],` + back, 400, "validation_failed", "methods"},
			"an object":                      {`"mode":"hosted_v2","method":{"type":"CARD_KR"},` + back, 400, "validation_failed", "method"},
			"a number":                       {`"mode":"hosted_v2","method":1,` + back, 400, "validation_failed", "method"},
			"lower case":                     {`"mode":"hosted_v2","method":"card_kr",` + back, 400, "validation_failed", "method"},
			"a blank behind it":              {`"mode":"hosted_v2","method":"CARD_KR ",` + back, 400, "validation_failed", "method"},
			"a method of nobody":             {`"mode":"hosted_v2","method":"BITCOIN",` + back, 400, "validation_failed", "method"},
			"one that is not enabled":        {`"mode":"hosted_v2","method":"MERPAY",` + back, 422, "payment_method_not_enabled", ""},
			"no mode":                        {`"method":"CARD_KR",` + back, 400, "validation_failed", "mode"},
			"another mode":                   {`"mode":"widget","method":"CARD_KR",` + back, 400, "validation_failed", "mode"},
			"modes":                          {`"mode":["hosted_v2"],"method":"CARD_KR",` + back, 400, "validation_failed", "mode"},
			"a channel of a page":            {`"mode":"hosted_v2","method":"CARD_KR","channel":"card",` + back, 400, "validation_failed", "channel"},
			"a country nobody knows":         {`"mode":"hosted_v2","method":"CARD_KR","country":"Korea",` + back, 400, "validation_failed", "country"},
			"a country in lower case":        {`"mode":"hosted_v2","method":"CARD_KR","country":"kr",` + back, 400, "validation_failed", "country"},
			"no address":                     {`"mode":"hosted_v2","method":"CARD_KR"`, 400, "validation_failed", "redirectUrl"},
			"a page's address of a widget":   {`"mode":"hosted_v2","method":"CARD_KR","successUrl":"https://shop.example",` + back, 400, "validation_failed", "successUrl"},
			"an action without channel":      {`"mode":"standard_v2",` + back, 400, "validation_failed", "channel"},
			"another channel":                {`"mode":"standard_v2","channel":"CARD",` + back, 400, "validation_failed", "channel"},
			"an action with a method":        {`"mode":"standard_v2","channel":"card","method":"CARD_KR",` + back, 400, "validation_failed", "method"},
			"an action with a country":       {`"mode":"standard_v2","channel":"card","country":"KR",` + back, 400, "validation_failed", "country"},
			"an action without address":      {`"mode":"standard_v2","channel":"card"`, 400, "validation_failed", "redirectUrl"},
			"an account nobody has":          {`"mode":"hosted_v2","method":"CARD_KR","connectionId":"` + shops.NewID() + `",` + back, 422, "provider_not_configured", ""},
			"an amount of the caller's":      {`"mode":"hosted_v2","method":"CARD_KR","amount":1,` + back, 400, "validation_failed", "amount"},
			"another tenant":                 {`"mode":"hosted_v2","method":"CARD_KR","tenant":"t",` + back, 400, "validation_failed", "tenant"},
			"something huge instead of one":  {`"mode":"hosted_v2","method":"` + strings.Repeat("A", 500_000) + `",` + back, 400, "validation_failed", "method"},
			"a page at an address of nobody": {`"mode":"hosted_v2","method":"CARD_KR","redirectUrl":"javascript:1"`, 400, "validation_failed", "redirectUrl"},
		} {
			for _, place := range [][]string{{"/server/commerce", "X-API-Key", "sk"}, {"/commerce", "X-Client-Key", "pk", "X-Checkout-Token", co.text("checkoutToken")}} {
				status, answer := site.ask("POST", place[0]+"/payment-sessions/aggregator", `{"checkoutId":"`+id+`",`+c.body+`}`, append(place[1:], "Idempotency-Key", key())...)
				if status != c.status || answer.reason() != c.reason || !strings.Contains(answer.text("raw"), c.field) {
					t.Errorf("%s: %d %s, want %d %s of %s", name, status, answer.text("raw"), c.status, c.reason, c.field)
				}
			}
		}
		r := b.get(checkout.Schema, id)
		if len(b.all(payment.Sessions)) != 0 || r.Text("status") != "open" || r.Group("paymentSlot").Bool("held") || b.level("mug").Reserved != 0 || j.begun.Load() != 0 || len(w.asked) != 0 {
			t.Errorf("%v, %d calls, %v", r, j.begun.Load(), w.asked)
		}
		if opened := b.open(standard(id)); opened.text("action.payMethod") != "CARD" || j.begun.Load() != 1 || len(w.asked) != 1 {
			t.Errorf("a card of a standard action is not restricted: %v", opened)
		}
	})
}

// A retry of exactly the action that holds the slot is that action, once; anything else has to wait.
func TestOnlyTheSameActionIsRetried(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		w := &wire{}
		b.Buying = b.wired(w)
		more := b.create(payment.Connections, `{"name":"Second","provider":"sandbox","accountKey":"second-`+b.account+`","environment":"test","enabledMethods":["CARD_KR"],"credentials":{"secretKey":"`+bank.AccountSecret(bankSecret, "second-"+b.account)+`"}}`)
		for kind, first := range map[string]func(string) buying.NewSession{"hosted": hosted, "standard": standard} {
			id := b.checkout("mug").text("checkout.id")
			opened := b.open(first(id))
			before := w.calls("POST")
			for range 2 {
				a, err := b.OpenAggregator(t.Context(), b.server(key(), opening, ""), first(id))
				again := b.must(a, err)
				if a.Result != ports.OK || again.text("paymentSession.id") != opened.text("paymentSession.id") || again.text("checkoutUrl") != opened.text("checkoutUrl") || again.text("action.paymentId") != opened.text("action.paymentId") {
					t.Errorf("%s: %v", kind, again)
				}
			}
			if w.calls("POST") != before {
				t.Errorf("%s: the provider was asked again", kind)
			}
			for name, change := range map[string]func(*buying.NewSession){
				"a method":   func(in *buying.NewSession) { in.Action = hosted(id).Action; in.Method = "KAKAO_PAY" },
				"an address": func(in *buying.NewSession) { in.SuccessURL += "/elsewhere" },
				"a country":  func(in *buying.NewSession) { in.Action = hosted(id).Action; in.Country = "KR" },
				"an account": func(in *buying.NewSession) { in.Connection = more },
				"another kind": func(in *buying.NewSession) {
					in.Action = map[string]buying.NewSession{"hosted": standard(id), "standard": hosted(id)}[kind].Action
				},
				"a widget even": func(in *buying.NewSession) { *in = session(id) },
			} {
				other := first(id)
				change(&other)
				a, err := b.OpenSession(t.Context(), b.server(key(), opening, ""), other)
				refused(t, kind+" with "+name, a, err, payment.ErrSlotHeld)
				if a.Fault != nil && a.Fault.Data["paymentSessionId"] != opened.text("paymentSession.id") {
					t.Errorf("%s: %v", name, a.Fault.Data)
				}
			}
		}
	})
}

func TestManyAtOnceOpenOnePayment(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		w := &wire{}
		instances := []*buying.Buying{b.wired(w), b.wired(w)}
		id := b.checkout("mug").text("checkout.id")
		pages := make([]string, 12)
		shops.Together(len(pages), func(i int) {
			if a, err := instances[i%2].OpenAggregator(t.Context(), b.server(key(), opening, ""), hosted(id)); err != nil || a.Fault != nil {
				t.Errorf("%v %v", err, a.Fault)
			} else {
				pages[i] = b.read(a.Body).text("checkoutUrl")
			}
		})
		if slices.Sort(pages); pages[0] == "" || pages[0] != pages[len(pages)-1] || len(b.all(payment.Sessions)) != 1 {
			t.Errorf("%v", pages)
		}
		slices.Sort(w.keys)
		if keys := slices.Compact(w.keys); len(keys) != 1 {
			t.Errorf("the provider got the keys %v", keys)
		}
	})
}

func TestARetryFirstPromisesTheGoodsAgain(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		id := b.checkout("9 lamp", "9 lamp", "9 lamp").text("checkout.id")
		opened := b.open(standard(id))
		b.advance(61 * time.Minute)
		b.Sweep(t.Context(), ports.Of(b.shop.ID))
		other := b.open(hosted(b.checkout("9 lamp").text("checkout.id")))
		a, err := b.OpenAggregator(t.Context(), b.server(key(), opening, ""), standard(id))
		refused(t, "goods that are gone", a, err, ports.ErrShort)
		if a.Body != nil {
			t.Errorf("it hands out %s", a.Body)
		}
		b.must(b.CancelAggregator(t.Context(), b.server(key(), "cancel", ""), other.text("paymentSession.id")))
		if again := b.open(standard(id)); again.text("action.paymentId") != opened.text("action.paymentId") || b.level("lamp").Reserved != 27 {
			t.Errorf("%v", again)
		}
	})
}

func TestAFailedOpeningIsRunAgainUnderItsKeys(t *testing.T) {
	for name, f := range map[string]string{"it fails": `{"failNext":1}`, "its answer is lost": `{"dropResponseNext":1}`} {
		t.Run(name, func(t *testing.T) {
			both(t, func(t *testing.T, b *bed) {
				w := &wire{}
				b.Buying = b.wired(w)
				id, k := b.checkout("mug").text("checkout.id"), key()
				b.faults(f)
				if _, err := b.OpenAggregator(t.Context(), b.server(k, opening, ""), hosted(id)); !errors.Is(err, ports.ErrProviderUnavailable) {
					t.Fatal(err)
				}
				if held := b.all(payment.Sessions); len(held) != 1 || held[0].Text("status") != "created" || !held[0].Bool("slotHeld") {
					t.Fatalf("%v", held)
				}
				again := b.must(b.OpenAggregator(t.Context(), b.server(k, opening, ""), hosted(id)))
				if again.text("checkoutUrl") == "" || len(w.keys) != 2 || w.keys[0] != w.keys[1] || len(b.all(payment.Sessions)) != 1 {
					t.Errorf("%v, keys %v", again, w.keys)
				}
			})
		})
	}
}

func TestAProviderHasTheLastWordOnAMethod(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		w := &wire{instead: func(r *http.Request) (int, string) {
			if r.Method == http.MethodPost && r.URL.Path == "/v1/payments" {
				return http.StatusBadRequest, `{"code":"METHOD_NOT_SUPPORTED","message":"No."}`
			}
			return 0, ""
		}}
		b.Buying = b.wired(w)
		id := b.checkout("mug").text("checkout.id")
		_, err := b.OpenAggregator(t.Context(), b.server(key(), opening, ""), hosted(id))
		if !errors.Is(err, ports.ErrProviderRejected) || fault.From(err).Kind != fault.ProviderFailed {
			t.Fatal(err)
		}
		s := b.all(payment.Sessions)[0]
		if s.Text("observation") != "failed" || !s.Bool("slotHeld") {
			t.Errorf("%v", s)
		}
		b.must(b.CancelAggregator(t.Context(), b.server(key(), "cancel", ""), s.ID()))
		w.instead = nil
		if again := b.open(hosted(id)); again.text("paymentSession.id") == s.ID() {
			t.Errorf("%v", again)
		}
	})
}

// Only the sandbox may show its page on this machine; nobody is sent to any other page without https.
func TestNoShopperIsSentToAPageWithoutHTTPS(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		page := ""
		w := &wire{afterAct: func(answer []byte) []byte {
			said := b.read(answer)
			return []byte(strings.Replace(string(answer), said.text("url"), page, 1))
		}}
		b.Buying = b.wired(w)
		id := b.checkout("mug").text("checkout.id")
		for _, page = range []string{"http://pay.example/p", "javascript:alert(1)", "//pay.example", "https://kim@pay.example/", "ftp://pay.example/"} {
			a, err := b.OpenAggregator(t.Context(), b.server(key(), opening, ""), hosted(id))
			if !errors.Is(err, ports.ErrProviderUnavailable) || a.Body != nil {
				t.Errorf("%s: %s %v", page, a.Body, err)
			}
		}
		if s := b.all(payment.Sessions); len(s) != 1 || s[0].Text("status") != "created" || s[0]["prepared"] != nil {
			t.Errorf("%v", s)
		}
		page = "https://pay.example/p"
		if opened := b.open(hosted(id)); opened.text("checkoutUrl") != page {
			t.Errorf("%v", opened)
		}
	})
}

// While the provider opens a page an operator frees the slot: the page is not handed out, and closed.
func TestAPageOfAnEndedSessionIsNotHandedOut(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		other := b.instance()
		w := &wire{}
		w.afterAct = func(answer []byte) []byte {
			w.afterAct = nil
			if _, err := other.Release(context.Background(), b.server(key(), "release", ""), b.all(payment.Sessions)[0].ID(), "It hung."); err != nil {
				t.Error(err)
			}
			return answer
		}
		b.Buying = b.wired(w)
		id := b.checkout("mug").text("checkout.id")
		a, err := b.OpenAggregator(t.Context(), b.server(key(), opening, ""), hosted(id))
		refused(t, "an ended session", a, err, payment.ErrTerminal)
		s := b.all(payment.Sessions)[0]
		if s.Text("status") != "canceled" || s.Text("providerSessionId") == "" || b.get(checkout.Schema, id).Text("status") != "open" {
			t.Errorf("%v", s)
		}
		if n := w.calls("POST"); n != 2 {
			t.Errorf("the page is still open: %v", w.asked)
		}
		if again := b.open(hosted(id)); again.text("checkoutUrl") == "" || len(b.all(order.Schema)) != 0 {
			t.Errorf("%v", again)
		}
	})
}
