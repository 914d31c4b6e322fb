package payments_test

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/testservers/paymentbed"

	"github.com/cartwright-dev/cartwright/adapters/payment/sandbox/bank"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/payments"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// A request that does not name exactly one enabled method leaves nothing behind: no session, no held slot, no
// reserved stock, no row in the provider call log, no request.
func TestAggregatorSessionTakesOneEnabledMethod(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		w := &paymentbed.Wire{}
		j := &countedCalls{Store: b.Store}
		b.Instance = b.NewInstanceOver(w, func(s *paymentbed.Settings) { s.Database = j })
		site := paymentbed.NewWeb(b.Bed)
		co := b.Checkout("mug")
		id := co.Text("checkout.id")
		const back = `"redirectUrl":"https://shop.example/back"`
		for name, c := range map[string]struct {
			body          string
			status        int
			reason, field string
		}{
			"no method":          {`"mode":"hosted_v2",` + back, 400, "validation_failed", "method"},
			"a null method":      {`"mode":"hosted_v2","method":null,` + back, 400, "validation_failed", "method"},
			"an empty method":    {`"mode":"hosted_v2","method":"",` + back, 400, "validation_failed", "method"},
			"two methods in one": {`"mode":"hosted_v2","method":"CARD_KR,N_PAY",` + back, 400, "validation_failed", "method"},
			"two methods":        {`"mode":"hosted_v2","method":"CARD_KR","method":"N_PAY",` + back, 400, "malformed_request", "method"},
			"a list":             {`"mode":"hosted_v2","method":["CARD_KR"],` + back, 400, "validation_failed", "method"},
			"a list of two":      {`"mode":"hosted_v2","method":["CARD_KR","KAKAO_PAY"],` + back, 400, "validation_failed", "method"},
			"methods": {
				`"mode":"hosted_v2","method":"CARD_KR","methods":["CARD_KR"],` + back, 400, "validation_failed", "methods",
			},
			"an object":               {`"mode":"hosted_v2","method":{"type":"CARD_KR"},` + back, 400, "validation_failed", "method"},
			"a number":                {`"mode":"hosted_v2","method":1,` + back, 400, "validation_failed", "method"},
			"lower case":              {`"mode":"hosted_v2","method":"card_kr",` + back, 400, "validation_failed", "method"},
			"a blank behind it":       {`"mode":"hosted_v2","method":"CARD_KR ",` + back, 400, "validation_failed", "method"},
			"an unknown method":       {`"mode":"hosted_v2","method":"BITCOIN",` + back, 400, "validation_failed", "method"},
			"one that is not enabled": {`"mode":"hosted_v2","method":"MERPAY",` + back, 422, "payment_method_not_enabled", ""},
			"no mode":                 {`"method":"CARD_KR",` + back, 400, "validation_failed", "mode"},
			"another mode":            {`"mode":"widget","method":"CARD_KR",` + back, 400, "validation_failed", "mode"},
			"modes":                   {`"mode":["hosted_v2"],"method":"CARD_KR",` + back, 400, "validation_failed", "mode"},
			"a channel of a page": {
				`"mode":"hosted_v2","method":"CARD_KR","channel":"card",` + back, 400, "validation_failed", "channel",
			},
			"an unknown country": {`"mode":"hosted_v2","method":"CARD_KR","country":"Korea",` + back, 400, "validation_failed", "country"},
			"a country in lower case": {
				`"mode":"hosted_v2","method":"CARD_KR","country":"kr",` + back, 400, "validation_failed", "country",
			},
			"no address": {`"mode":"hosted_v2","method":"CARD_KR"`, 400, "validation_failed", "redirectUrl"},
			"a page's address of a widget": {
				`"mode":"hosted_v2","method":"CARD_KR","successUrl":"https://shop.example",` + back, 400, "validation_failed", "successUrl",
			},
			"an action without channel": {`"mode":"standard_v2",` + back, 400, "validation_failed", "channel"},
			"another channel":           {`"mode":"standard_v2","channel":"CARD",` + back, 400, "validation_failed", "channel"},
			"an action with a method": {
				`"mode":"standard_v2","channel":"card","method":"CARD_KR",` + back, 400, "validation_failed", "method",
			},
			"an action with a country": {
				`"mode":"standard_v2","channel":"card","country":"KR",` + back, 400, "validation_failed", "country",
			},
			"an action without address": {`"mode":"standard_v2","channel":"card"`, 400, "validation_failed", "redirectUrl"},
			"an unknown connection": {
				`"mode":"hosted_v2","method":"CARD_KR","connectionId":"` + shops.NewID() + `",` + back, 422, "provider_not_configured", "",
			},
			"an amount of the caller's": {`"mode":"hosted_v2","method":"CARD_KR","amount":1,` + back, 400, "validation_failed", "amount"},
			"another tenant":            {`"mode":"hosted_v2","method":"CARD_KR","tenant":"t",` + back, 400, "validation_failed", "tenant"},
			"something huge instead of one": {
				`"mode":"hosted_v2","method":"` + strings.Repeat("A", 500_000) + `",` + back, 400, "validation_failed", "method",
			},
			"an invalid redirect URL": {
				`"mode":"hosted_v2","method":"CARD_KR","redirectUrl":"javascript:1"`, 400, "validation_failed", "redirectUrl",
			},
		} {
			for _, place := range [][]string{
				{"/server/commerce", "X-API-Key", "sk"}, {"/commerce", "X-Client-Key", "pk", "X-Checkout-Token", co.Text("checkoutToken")},
			} {
				status, answer := site.Ask("POST", place[0]+"/payment-sessions/aggregator", `{"checkoutId":"`+id+`",`+c.body+`}`,
					append(place[1:], "Idempotency-Key", paymentbed.Key())...)
				if status != c.status || answer.Reason() != c.reason || !strings.Contains(answer.Text("raw"), c.field) {
					t.Errorf("%s: %d %s, want %d %s of %s", name, status, answer.Text("raw"), c.status, c.reason, c.field)
				}
			}
		}
		r := b.Get(checkout.Schema, id)
		if len(b.All(payment.Sessions)) != 0 || r.Text("status") != "open" || r.Group("paymentSlot").Bool("held") ||
			b.Level("mug").Reserved != 0 || j.begun.Load() != 0 || len(w.Requests) != 0 {
			t.Errorf("%v, %d calls, %v", r, j.begun.Load(), w.Requests)
		}
		if opened := b.open(standard(id)); opened.Text("action.payMethod") != "CARD" || j.begun.Load() != 1 || len(w.Requests) != 1 {
			t.Errorf("a card of a standard action is not restricted: %v", opened)
		}
	})
}

// A retry of exactly the action that holds the slot is answered with that session; any other action is refused.
func TestSlotIsReusedOnlyForTheSameAction(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		w := &paymentbed.Wire{}
		b.Instance = b.NewInstanceOver(w)
		more := b.Create(payment.Connections, `{"name":"Second","provider":"sandbox","accountKey":"second-`+b.Account+
			`","environment":"test","enabledMethods":["CARD_KR"],"credentials":{"secretKey":"`+
			bank.AccountSecret(paymentbed.BankSecret, "second-"+b.Account)+`"}}`)
		for kind, first := range map[string]func(string) payments.SessionInput{"hosted": hosted, "standard": standard} {
			id := b.Checkout("mug").Text("checkout.id")
			opened := b.open(first(id))
			before := w.Calls("POST")
			for range 2 {
				a, err := b.Payments.Aggregator.Open(t.Context(), b.Server(paymentbed.Key(), opening, ""), first(id))
				again := b.Must(a, err)
				if a.Result != ports.ReceiptOK || again.Text("paymentSession.id") != opened.Text("paymentSession.id") ||
					again.Text("checkoutUrl") != opened.Text("checkoutUrl") ||
					again.Text("action.paymentId") != opened.Text("action.paymentId") {
					t.Errorf("%s: %v", kind, again)
				}
			}
			if w.Calls("POST") != before {
				t.Errorf("%s: the provider was asked again", kind)
			}
			for name, change := range map[string]func(*payments.SessionInput){
				"a method":   func(in *payments.SessionInput) { in.Action = hosted(id).Action; in.Method = "KAKAO_PAY" },
				"an address": func(in *payments.SessionInput) { in.SuccessURL += "/elsewhere" },
				"a country":  func(in *payments.SessionInput) { in.Action = hosted(id).Action; in.Country = "KR" },
				"an account": func(in *payments.SessionInput) { in.Connection = more },
				"another kind": func(in *payments.SessionInput) {
					in.Action = map[string]payments.SessionInput{"hosted": standard(id), "standard": hosted(id)}[kind].Action
				},
				"a widget even": func(in *payments.SessionInput) { *in = paymentbed.WidgetSession(id) },
			} {
				other := first(id)
				change(&other)
				a, err := b.Payments.Sessions.Open(t.Context(), b.Server(paymentbed.Key(), opening, ""), other)
				paymentbed.Refused(t, kind+" with "+name, a, err, payment.ErrSlotHeld)
				if a.Fault != nil && a.Fault.Data["paymentSessionId"] != opened.Text("paymentSession.id") {
					t.Errorf("%s: %v", name, a.Fault.Data)
				}
			}
		}
	})
}

func TestConcurrentOpensMakeOnePayment(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		w := &paymentbed.Wire{}
		instances := []*paymentbed.Instance{b.NewInstanceOver(w), b.NewInstanceOver(w)}
		id := b.Checkout("mug").Text("checkout.id")
		pages := make([]string, 12)
		shops.Concurrently(len(pages), func(i int) {
			if a, err := instances[i%2].Payments.Aggregator.Open(t.Context(), b.Server(paymentbed.Key(), opening, ""), hosted(id)); err != nil ||
				a.Fault != nil {
				t.Errorf("%v %v", err, a.Fault)
			} else {
				pages[i] = b.Read(a.Body.Bytes()).Text("checkoutUrl")
			}
		})
		if slices.Sort(pages); pages[0] == "" || pages[0] != pages[len(pages)-1] || len(b.All(payment.Sessions)) != 1 {
			t.Errorf("%v", pages)
		}
		slices.Sort(w.Keys)
		if keys := slices.Compact(w.Keys); len(keys) != 1 {
			t.Errorf("the provider got the keys %v", keys)
		}
	})
}

func TestRetryRenewsTheReservationFirst(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.Checkout("9 lamp", "9 lamp", "9 lamp").Text("checkout.id")
		opened := b.open(standard(id))
		b.Advance(61 * time.Minute)
		b.Poller.PollOnce(t.Context(), ports.ForTenant(b.Shop.ID))
		other := b.open(hosted(b.Checkout("9 lamp").Text("checkout.id")))
		a, err := b.Payments.Aggregator.Open(t.Context(), b.Server(paymentbed.Key(), opening, ""), standard(id))
		paymentbed.Refused(t, "goods that are gone", a, err, ports.ErrOutOfStock)
		if a.Body != nil {
			t.Errorf("it hands out %s", a.Body)
		}
		b.Must(b.Payments.Aggregator.Cancel(t.Context(), b.Server(paymentbed.Key(), "cancel", ""), other.Text("paymentSession.id")))
		if again := b.open(standard(id)); again.Text("action.paymentId") != opened.Text("action.paymentId") ||
			b.Level("lamp").Reserved != 27 {
			t.Errorf("%v", again)
		}
	})
}

func TestFailedOpenIsRetriedUnderItsKey(t *testing.T) {
	for name, f := range map[string]string{"it fails": `{"failNext":1}`, "its answer is lost": `{"dropResponseNext":1}`} {
		t.Run(name, func(t *testing.T) {
			onBothDatabases(t, func(t *testing.T, b *bed) {
				w := &paymentbed.Wire{}
				b.Instance = b.NewInstanceOver(w)
				id, k := b.Checkout("mug").Text("checkout.id"), paymentbed.Key()
				b.BankFaults(f)
				if _, err := b.Payments.Aggregator.Open(t.Context(), b.Server(k, opening, ""), hosted(id)); !errors.Is(err,
					ports.ErrProviderUnavailable) {
					t.Fatal(err)
				}
				if held := b.All(payment.Sessions); len(held) != 1 || held[0].Text("status") != "created" || !held[0].Bool("slotHeld") {
					t.Fatalf("%v", held)
				}
				again := b.Must(b.Payments.Aggregator.Open(t.Context(), b.Server(k, opening, ""), hosted(id)))
				if again.Text("checkoutUrl") == "" || len(w.Keys) != 2 || w.Keys[0] != w.Keys[1] || len(b.All(payment.Sessions)) != 1 {
					t.Errorf("%v, keys %v", again, w.Keys)
				}
			})
		})
	}
}

func TestProviderMayRefuseAnEnabledMethod(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		w := &paymentbed.Wire{Instead: func(r *http.Request) (int, string) {
			if r.Method == http.MethodPost && r.URL.Path == "/v1/payments" {
				return http.StatusBadRequest, `{"code":"METHOD_NOT_SUPPORTED","message":"No."}`
			}
			return 0, ""
		}}
		b.Instance = b.NewInstanceOver(w)
		id := b.Checkout("mug").Text("checkout.id")
		_, err := b.Payments.Aggregator.Open(t.Context(), b.Server(paymentbed.Key(), opening, ""), hosted(id))
		if !errors.Is(err, ports.ErrProviderRejected) || fault.From(err).Kind != fault.ProviderFailed {
			t.Fatal(err)
		}
		s := b.All(payment.Sessions)[0]
		if s.Text("observation") != "failed" || !s.Bool("slotHeld") {
			t.Errorf("%v", s)
		}
		b.Must(b.Payments.Aggregator.Cancel(t.Context(), b.Server(paymentbed.Key(), "cancel", ""), s.ID()))
		w.Instead = nil
		if again := b.open(hosted(id)); again.Text("paymentSession.id") == s.ID() {
			t.Errorf("%v", again)
		}
	})
}

// Only the sandbox may serve its page over http, on this machine; every other page must use https.
func TestHostedPageMustUseHTTPS(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		page := ""
		w := &paymentbed.Wire{AfterAct: func(answer []byte) []byte {
			said := b.Read(answer)
			return []byte(strings.Replace(string(answer), said.Text("url"), page, 1))
		}}
		b.Instance = b.NewInstanceOver(w)
		id := b.Checkout("mug").Text("checkout.id")
		for _, page = range []string{
			"http://pay.example/p", "javascript:alert(1)", "//pay.example", "https://kim@pay.example/", "ftp://pay.example/",
		} {
			a, err := b.Payments.Aggregator.Open(t.Context(), b.Server(paymentbed.Key(), opening, ""), hosted(id))
			if !errors.Is(err, ports.ErrProviderUnavailable) || a.Body != nil {
				t.Errorf("%s: %s %v", page, a.Body, err)
			}
		}
		if s := b.All(payment.Sessions); len(s) != 1 || s[0].Text("status") != "created" || s[0]["prepared"] != nil {
			t.Errorf("%v", s)
		}
		page = "https://pay.example/p"
		if opened := b.open(hosted(id)); opened.Text("checkoutUrl") != page {
			t.Errorf("%v", opened)
		}
	})
}

// When an operator frees the slot while the provider opens a page, the page is not handed out, and closed.
func TestEndedSessionReturnsNoPage(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		other := b.NewInstance()
		w := &paymentbed.Wire{}
		w.AfterAct = func(answer []byte) []byte {
			w.AfterAct = nil
			if _, err := other.Payments.Sessions.Release(context.Background(), b.Server(paymentbed.Key(), "release", ""),
				b.All(payment.Sessions)[0].ID(), payments.ReleaseRequest{Note: "It hung."}); err != nil {
				t.Error(err)
			}
			return answer
		}
		b.Instance = b.NewInstanceOver(w)
		id := b.Checkout("mug").Text("checkout.id")
		a, err := b.Payments.Aggregator.Open(t.Context(), b.Server(paymentbed.Key(), opening, ""), hosted(id))
		paymentbed.Refused(t, "an ended session", a, err, payment.ErrSessionTerminal)
		s := b.All(payment.Sessions)[0]
		if s.Text("status") != "canceled" || s.Text("providerSessionId") == "" || b.Get(checkout.Schema, id).Text("status") != "open" {
			t.Errorf("%v", s)
		}
		if n := w.Calls("POST"); n != 2 {
			t.Errorf("the page is still open: %v", w.Requests)
		}
		if again := b.open(hosted(id)); again.Text("checkoutUrl") == "" || len(b.All(order.Schema)) != 0 {
			t.Errorf("%v", again)
		}
	})
}
