package tossfake_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/payment/requestcheck"
	"github.com/cartwright-dev/cartwright/adapters/payment/toss/tossfake"
)

const (
	secret = "test_gsk_docs"
	order  = "Payment12345"
)

// shop is a Toss with one approved payment of 15,000 won, in dollars if so, and what a request to it is made of.
type shop struct {
	*tossfake.Toss

	payment *tossfake.Payment
	serial  int // of requests
}

func open(currency string) *shop { return openMixed("0", currency) }

// openMixed is a shop whose payment has a tax-free part.
func openMixed(taxFree, currency string) *shop {
	f := tossfake.New(map[string]string{secret: "shop-1", "test_gsk_other": "shop-2"})
	return &shop{Toss: f, payment: f.ApproveMixed("shop-1", order, "15000", taxFree, currency)}
}

// send sends a request with an idempotency key of its own, changed by how.
func (s *shop) send(t *testing.T, method, path, body string, how ...func(*http.Request)) requestcheck.Answer {
	r := httptest.NewRequestWithContext(t.Context(), method, "/v1/payments"+path, strings.NewReader(body))
	r.SetBasicAuth(secret, "")
	r.Header.Set("Content-Type", "application/json")
	s.serial++
	r.Header.Set("Idempotency-Key", strconv.Itoa(s.serial))
	for _, change := range how {
		change(r)
	}
	return requestcheck.Send(t, s.Toss, r, "code")
}

func (s *shop) confirm(t *testing.T) requestcheck.Answer {
	return s.send(t, "POST", "/confirm", strings.ReplaceAll(good, "$key", s.payment.PaymentKey))
}

func (s *shop) cancel(t *testing.T, body string) requestcheck.Answer {
	return s.send(t, "POST", "/"+s.payment.PaymentKey+"/cancel", body)
}

// header sets a header.
func header(name, value string) func(*http.Request) {
	return func(r *http.Request) { r.Header.Set(name, value) }
}

// read, confirms and cancels are cases of one request to a fresh Toss; what is canceled is paid in won.
func read(path string, how ...func(*http.Request)) requestcheck.Case {
	return func(t *testing.T) requestcheck.Answer { return open("KRW").send(t, "GET", path, "", how...) }
}

func confirms(body string, how ...func(*http.Request)) requestcheck.Case {
	return func(t *testing.T) requestcheck.Answer {
		s := open("KRW")
		return s.send(t, "POST", "/confirm", strings.ReplaceAll(body, "$key", s.payment.PaymentKey), how...)
	}
}

func cancels(body string) requestcheck.Case {
	return func(t *testing.T) requestcheck.Answer { return paid(t, "KRW").cancel(t, body) }
}

// cancelsMixed is the case of a cancel of a payment of which 4,000 won are tax-free.
func cancelsMixed(body string) requestcheck.Case {
	return func(t *testing.T) requestcheck.Answer {
		s := openMixed("4000", "KRW")
		if got := s.confirm(t); got.Status != http.StatusOK {
			t.Fatalf("confirm: %v", got)
		}
		return s.cancel(t, body)
	}
}

// cancelsDeposit is the case of a cancel of a payment by virtual account after its deposit.
func cancelsDeposit(body string) requestcheck.Case {
	return func(t *testing.T) requestcheck.Answer {
		s := open("KRW")
		s.payment.Secret = "ps_secret_of_the_account"
		if got := s.confirm(t); got.Status != http.StatusOK {
			t.Fatalf("confirm: %v", got)
		}
		s.SetStatus(s.payment, "DONE")
		return s.cancel(t, body)
	}
}

const good = `{"paymentKey":"$key","orderId":"` + order + `","amount":15000}`

func paid(t *testing.T, currency string) *shop {
	t.Helper()
	s := open(currency)
	if got := s.confirm(t); got.Status != http.StatusOK {
		t.Fatalf("confirm: %v", got)
	}
	return s
}

func TestChecksOfToss(t *testing.T) {
	t.Parallel()
	account := func(bank, number, holder string) string {
		return `{"cancelReason":"r","refundReceiveAccount":{` + bank + `"accountNumber":"` + number + `"` + holder + `}}`
	}
	const bank, holder = `"bank":"20",`, `,"holderName":"Kim"`
	requestcheck.CompareList(t, "CHECKS.md", map[string]requestcheck.Case{
		"no authentication":                    read("/orders/"+order, func(r *http.Request) { r.Header.Del("Authorization") }),
		"an unknown secret key":                read("/orders/"+order, func(r *http.Request) { r.SetBasicAuth("test_gsk_nobody", "") }),
		"a password beside the secret key":     read("/orders/"+order, func(r *http.Request) { r.SetBasicAuth(secret, "password") }),
		"a secret key without its colon":       read("/orders/"+order, header("Authorization", "Basic dGVzdF9nc2tfZG9jcw==")),
		"a payment that there is not":          read("/orders/Nobody12345"),
		"a payment of another shop":            read("/orders/"+order, func(r *http.Request) { r.SetBasicAuth("test_gsk_other", "") }),
		"an idempotency key of 301 characters": confirms(good, header("Idempotency-Key", strings.Repeat("k", 301))),
		"another method than GET and POST": func(t *testing.T) requestcheck.Answer {
			return open("KRW").send(t, "PUT", "/confirm", good)
		},
		"a POST to no address": func(t *testing.T) requestcheck.Answer { return open("KRW").send(t, "POST", "/approve", good) },

		"confirm: a form instead of JSON":             confirms(good, header("Content-Type", "application/x-www-form-urlencoded")),
		"confirm: no JSON":                            confirms(`paymentKey=$key`),
		"confirm: no payment key":                     confirms(`{"orderId":"` + order + `","amount":15000}`),
		"confirm: no order":                           confirms(`{"paymentKey":"$key","amount":15000}`),
		"confirm: no amount":                          confirms(`{"paymentKey":"$key","orderId":"` + order + `"}`),
		"confirm: a payment key of 201 characters":    confirms(strings.Replace(good, "$key", strings.Repeat("k", 201), 1)),
		"confirm: an order of five characters":        confirms(strings.Replace(good, order, "Order", 1)),
		"confirm: an order of 65 characters":          confirms(strings.Replace(good, order, strings.Repeat("o", 65), 1)),
		"confirm: an order with a space":              confirms(strings.Replace(good, order, "Payment 12345", 1)),
		"confirm: an amount as text":                  confirms(strings.Replace(good, "15000", `"15000"`, 1)),
		"confirm: an amount of zero":                  confirms(strings.Replace(good, "15000", "0", 1)),
		"confirm: a tax-free amount":                  confirms(strings.Replace(good, "{", `{"taxFreeAmount":4000,`, 1)),
		"confirm: a member that Toss does not know":   confirms(strings.Replace(good, "{", `{"amout":15000,`, 1)),
		"confirm: an approval that there is not":      confirms(strings.Replace(good, "$key", "tgen_nobody", 1)),
		"confirm: another amount than approved":       confirms(strings.Replace(good, "15000", "15001", 1)),
		"confirm: another order than approved":        confirms(strings.Replace(good, order, "Payment12346", 1)),
		"confirm: a payment that was confirmed":       func(t *testing.T) requestcheck.Answer { return paid(t, "KRW").confirm(t) },
		"confirm: an approval that was left too long": expired,
		"confirm: a second payment of an order":       duplicate,

		"cancel: no reason":                                 cancels(`{"cancelAmount":5000}`),
		"cancel: a reason of 201 characters":                cancels(`{"cancelReason":"` + strings.Repeat("긴", 201) + `"}`),
		"cancel: an amount as text":                         cancels(`{"cancelReason":"r","cancelAmount":"5000"}`),
		"cancel: a tax-free amount as text":                 cancels(`{"cancelReason":"r","taxFreeAmount":"0"}`),
		"cancel: a tax-free amount below zero":              cancelsMixed(`{"cancelReason":"r","cancelAmount":5000,"taxFreeAmount":-1}`),
		"cancel: a tax-free amount above the amount":        cancelsMixed(`{"cancelReason":"r","cancelAmount":3000,"taxFreeAmount":3001}`),
		"cancel: more tax-free than is left":                cancelsMixed(`{"cancelReason":"r","cancelAmount":5000,"taxFreeAmount":4001}`),
		"cancel: more taxed than is left":                   cancelsMixed(`{"cancelReason":"r","cancelAmount":11001}`),
		"cancel: a member that Toss does not know":          cancels(`{"cancelReason":"r","amount":5000}`),
		"cancel: an amount of zero":                         cancels(`{"cancelReason":"r","cancelAmount":0}`),
		"cancel: more than what is left":                    cancels(`{"cancelReason":"r","cancelAmount":15001}`),
		"cancel: a currency other than dollars":             cancels(`{"cancelReason":"r","cancelAmount":5000,"currency":"JPY"}`),
		"cancel: an account without its bank":               cancels(account("", "1000123456", holder)),
		"cancel: an account without its holder":             cancels(account(bank, "1000123456", "")),
		"cancel: an account number with dashes":             cancels(account(bank, "1000-123-456", holder)),
		"cancel: an account number of 21 digits":            cancels(account(bank, strings.Repeat("1", 21), holder)),
		"cancel: a holder of 61 characters":                 cancels(account(bank, "1000123456", `,"holderName":"`+strings.Repeat("김", 61)+`"`)),
		"cancel: a deposit without an account":              cancelsDeposit(`{"cancelReason":"r"}`),
		"cancel: a deposit to a bank that there is not":     cancelsDeposit(account(`"bank":"Woori",`, "1000123456", holder)),
		"cancel: a deposit to an account that there is not": cancelsDeposit(account(bank, "1000000000", holder)),
		"cancel: a payment that there is not": func(t *testing.T) requestcheck.Answer {
			return open("KRW").send(t, "POST", "/tgen_nobody/cancel", `{"cancelReason":"r"}`)
		},
		"cancel: a payment that is not paid": func(t *testing.T) requestcheck.Answer { return open("KRW").cancel(t, `{"cancelReason":"r"}`) },
		"cancel: a payment that was canceled": func(t *testing.T) requestcheck.Answer {
			s := paid(t, "KRW")
			s.cancel(t, `{"cancelReason":"r"}`)
			return s.cancel(t, `{"cancelReason":"again"}`)
		},
		"cancel: a part of a payment that is canceled in full only": func(t *testing.T) requestcheck.Answer {
			s := paid(t, "KRW")
			s.Locked(func() { s.payment.FullCancelOnly = true })
			return s.cancel(t, `{"cancelReason":"r","cancelAmount":5000}`)
		},
		"cancel: a part of dollars without their currency": func(t *testing.T) requestcheck.Answer {
			return paid(t, "USD").cancel(t, `{"cancelReason":"r","cancelAmount":5000}`)
		},
	})
}

// Answers have the members that Toss always gives.
func TestAnswersOfTossAreComplete(t *testing.T) {
	t.Parallel()
	s := paid(t, "KRW")
	s.cancel(t, `{"cancelReason":"r","cancelAmount":5000}`)
	var webhook struct {
		Data map[string]any
	}
	if err := json.Unmarshal([]byte(s.payment.StatusChangedWebhook()), &webhook); err != nil {
		t.Fatal(err)
	}
	const always = "approvedAt balanceAmount country cultureExpense currency isPartialCancelable mId method orderId orderName paymentKey " +
		"requestedAt status suppliedAmount taxFreeAmount totalAmount type useEscrow vat version"
	for name := range strings.FieldsSeq(always) {
		if webhook.Data[name] == nil {
			t.Errorf("a payment lacks %s", name)
		}
	}
	cancel, _ := webhook.Data["cancels"].([]any)[0].(map[string]any)
	for name := range strings.FieldsSeq("cancelAmount cancelReason taxFreeAmount taxExemptionAmount refundableAmount easyPayDiscountAmount canceledAt transactionKey") {
		if cancel[name] == nil {
			t.Errorf("a cancel lacks %s", name)
		}
	}
}

// What is left of a payment says its tax as Toss does; a widget takes no part that is none. Facts toss-23, toss-24.
func TestTossTellsTheTaxOfWhatIsLeft(t *testing.T) {
	t.Parallel()
	s := openMixed("0", "KRW")
	for _, part := range []string{"-1", "15001"} {
		if s.ApproveMixed("shop-1", order, "15000", part, "KRW") != nil {
			t.Errorf("the widget takes a tax-free part of %s", part)
		}
	}
	s.payment = s.ApproveMixed("shop-1", "Payment00001", "13026", "4000", "KRW")
	if got := s.send(t, "POST", "/confirm", `{"paymentKey":"`+s.payment.PaymentKey+`","orderId":"Payment00001","amount":13026}`); got.Status != 200 {
		t.Fatalf("confirm: %v", got)
	}
	for _, step := range []struct {
		cancel             string
		left               string // taxFreeAmount, vat and suppliedAmount
		canceledTaxFree, n int
	}{
		{"", `{"taxFreeAmount":4000,"vat":821,"suppliedAmount":8205}`, 0, 0},
		{`{"cancelReason":"r","cancelAmount":3000,"taxFreeAmount":2999}`, `{"taxFreeAmount":1001,"vat":820,"suppliedAmount":8205}`, 2999, 1},
		{`{"cancelReason":"r"}`, `{"taxFreeAmount":0,"vat":0,"suppliedAmount":0}`, 1001, 2},
	} {
		if step.cancel != "" {
			if got := s.cancel(t, step.cancel); got.Status != http.StatusOK {
				t.Fatalf("%s: %v", step.cancel, got)
			}
		}
		var told struct {
			Data struct {
				Tax

				Cancels []struct{ TaxFreeAmount int }
			}
		}
		if err := json.Unmarshal([]byte(s.payment.StatusChangedWebhook()), &told); err != nil {
			t.Fatal(err)
		}
		left, err := json.Marshal(told.Data.Tax)
		if err != nil || string(left) != step.left || len(told.Data.Cancels) != step.n ||
			step.n > 0 && told.Data.Cancels[step.n-1].TaxFreeAmount != step.canceledTaxFree {
			t.Errorf("after %s: %s %v %v, want %s", step.cancel, left, told.Data.Cancels, err, step.left)
		}
	}
}

// Tax is the members of a payment that say its tax.
type Tax struct {
	TaxFree  json.Number `json:"taxFreeAmount"`
	VAT      json.Number `json:"vat"`
	Supplied json.Number `json:"suppliedAmount"`
}

func expired(t *testing.T) requestcheck.Answer {
	s := open("KRW")
	s.SetStatus(s.payment, "EXPIRED")
	return s.confirm(t)
}

func duplicate(t *testing.T) requestcheck.Answer {
	s := paid(t, "KRW")
	s.payment = s.Approve("shop-1", order, "15000", "KRW")
	return s.confirm(t)
}
