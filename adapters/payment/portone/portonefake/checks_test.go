package portonefake_test

import (
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/payment/portone/portonefake"
	"github.com/cartwright-dev/cartwright/adapters/payment/requestcheck"
)

// store is a PortOne, and what a request to it is made of.
type store struct {
	*portonefake.PortOne

	serial int // of requests
}

func open() *store { return &store{PortOne: portonefake.New()} }

// send sends a request with an idempotency key of its own, changed by how.
func (s *store) send(t *testing.T, method, path, body string, how ...func(*http.Request)) requestcheck.Answer {
	r := httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(body))
	r.Header.Set("Authorization", "PortOne "+portonefake.Secret)
	r.Header.Set("Content-Type", "application/json")
	s.serial++
	r.Header.Set("Idempotency-Key", `"key-of-request-`+strconv.Itoa(s.serial)+`"`)
	for _, change := range how {
		change(r)
	}
	return requestcheck.Send(t, s.PortOne, r, "type")
}

func header(name, value string) func(*http.Request) {
	return func(r *http.Request) { r.Header.Set(name, value) }
}

const (
	id     = "Payment12345"
	page   = `{"storeId":"` + portonefake.Store + `","paymentId":"` + id + `","profileKey":"p","country":"KR","currency":"KRW","totalAmount":15000,"orderName":"Tea","ttlSeconds":3600}`
	amount = `{"storeId":"` + portonefake.Store + `","totalAmount":15000,"currency":"KRW"}`
	cancel = `{"storeId":"` + portonefake.Store + `","reason":"r","amount":5000,"currentCancellableAmount":15000}`
)

// changed is a body with one thing replaced.
func changed(t *testing.T, body, old, by string) string {
	t.Helper()
	if !strings.Contains(body, old) {
		t.Fatalf("%s has no %s", body, old)
	}
	return strings.Replace(body, old, by, 1)
}

// paid is a store in which the buyer decided a payment of 15,000 won.
func paid(t *testing.T, status string) *store {
	t.Helper()
	s := open()
	if got := s.send(t, "POST", "/payment-sessions", page); got.Status != http.StatusOK || !s.Buy(id, "session-1", nil, status) {
		t.Fatalf("the page is %v", got)
	}
	return s
}

// pages, amounts and cancels are cases of a request with one thing replaced.
func pages(old, by string, how ...func(*http.Request)) requestcheck.Case {
	return func(t *testing.T) requestcheck.Answer {
		return open().send(t, "POST", "/payment-sessions", changed(t, page, old, by), how...)
	}
}

func amounts(old, by string) requestcheck.Case {
	return func(t *testing.T) requestcheck.Answer {
		return open().send(t, "POST", "/payments/"+id+"/pre-register", changed(t, amount, old, by))
	}
}

func cancels(old, by string) requestcheck.Case {
	return func(t *testing.T) requestcheck.Answer {
		return paid(t, "PAID").send(t, "POST", "/payments/"+id+"/cancel", changed(t, cancel, old, by))
	}
}

// reads are cases of a look-up of a paid payment.
func reads(path string, how ...func(*http.Request)) requestcheck.Case {
	return func(t *testing.T) requestcheck.Answer { return paid(t, "PAID").send(t, "GET", path, "", how...) }
}

func TestChecksOfPortOne(t *testing.T) {
	t.Parallel()
	all := map[string]requestcheck.Case{
		"no authentication":                    reads("/payments/"+id, func(r *http.Request) { r.Header.Del("Authorization") }),
		"another API secret":                   reads("/payments/"+id, header("Authorization", "PortOne secret")),
		"the secret as a bearer token":         reads("/payments/"+id, header("Authorization", "Bearer "+portonefake.Secret)),
		"an address that there is not":         reads("/payment/" + id),
		"a GET where there is a POST":          reads("/payments/" + id + "/cancel"),
		"a payment that there is not":          reads("/payments/Nobody12345?storeId=" + portonefake.Store),
		"a payment of another store":           reads("/payments/" + id + "?storeId=another"),
		"an idempotency key without quotes":    pages("{", "{", header("Idempotency-Key", strings.Repeat("k", 20))),
		"an idempotency key of 15 characters":  pages("{", "{", header("Idempotency-Key", `"`+strings.Repeat("k", 15)+`"`)),
		"an idempotency key of 257 characters": pages("{", "{", header("Idempotency-Key", `"`+strings.Repeat("k", 257)+`"`)),
		"a request while another one of its key runs": func(t *testing.T) requestcheck.Answer {
			s := open()
			s.Replies[`"key-of-request-1"`] = &portonefake.Reply{At: s.Now}
			return s.send(t, "POST", "/payment-sessions", page)
		},
	}
	for _, more := range []map[string]requestcheck.Case{checksOfPages(), checksOfAmounts(), checksOfCancels()} {
		maps.Copy(all, more)
	}
	requestcheck.CompareList(t, "CHECKS.md", all)
}

func checksOfPages() map[string]requestcheck.Case {
	look := func(before func(*testing.T, *store)) requestcheck.Case {
		return func(t *testing.T) requestcheck.Answer {
			s := open()
			s.send(t, "POST", "/payment-sessions", page)
			before(t, s)
			return s.send(t, "GET", "/payment-sessions/session-1", "")
		}
	}
	closing := func(session string, before int) requestcheck.Case {
		return func(t *testing.T) requestcheck.Answer {
			s := open()
			s.send(t, "POST", "/payment-sessions", page)
			for range before {
				s.send(t, "POST", "/payment-sessions/"+session+"/close", "")
			}
			return s.send(t, "POST", "/payment-sessions/"+session+"/close", "")
		}
	}
	return map[string]requestcheck.Case{
		"page: no JSON":                                 pages("{", ""),
		"page: no store":                                pages(`"storeId":"`+portonefake.Store+`",`, ""),
		"page: no payment id":                           pages(`"paymentId":"`+id+`",`, ""),
		"page: no profile":                              pages(`"profileKey":"p",`, ""),
		"page: no country":                              pages(`"country":"KR",`, ""),
		"page: no currency":                             pages(`"currency":"KRW",`, ""),
		"page: no amount":                               pages(`"totalAmount":15000,`, ""),
		"page: no name":                                 pages(`"orderName":"Tea",`, ""),
		"page: an amount as text":                       pages("15000", `"15000"`),
		"page: an amount with a fraction":               pages("15000", "15000.5"),
		"page: an amount of zero":                       pages("15000", "0"),
		"page: a currency as the browser SDK spells it": pages(`"KRW"`, `"CURRENCY_KRW"`),
		"page: a country of three letters":              pages(`"KR"`, `"KOR"`),
		"page: a method that there is not":              pages("{", `{"paymentMethod":"SHELLS",`),
		"page: a product without a price":               pages("{", `{"products":[{"name":"Tea","quantity":1}],`),
		"page: a payment id of 41 characters":           pages(id, strings.Repeat("p", 41)),
		"page: a payment id with a dash":                pages(id, "Payment-12345"),
		"page: a member that PortOne does not know":     pages("{", `{"amount":15000,`),
		"page: another store":                           pages(portonefake.Store, "another"),
		"page: a life of four hours":                    pages("3600", "14400"),
		"page: a look at one that there is not": func(t *testing.T) requestcheck.Answer {
			return open().send(t, "GET", "/payment-sessions/session-1", "")
		},
		"page: a look at one that was closed":    look(func(t *testing.T, s *store) { s.send(t, "POST", "/payment-sessions/session-1/close", "") }),
		"page: a look at one that expired":       look(func(_ *testing.T, s *store) { s.Now = s.Now.Add(2 * time.Hour) }),
		"page: a close of one that there is not": closing("session-2", 0),
		"page: a second close":                   closing("session-1", 1),
	}
}

func checksOfAmounts() map[string]requestcheck.Case {
	return map[string]requestcheck.Case{
		"amount: as text":                                 amounts("15000", `"15000"`),
		"amount: a tax-free one as text":                  amounts("{", `{"taxFreeAmount":"0",`),
		"amount: a tax-free one above the total":          amounts("{", `{"taxFreeAmount":15001,`),
		"amount: a currency as the browser SDK spells it": amounts(`"KRW"`, `"CURRENCY_KRW"`),
		"amount: of another store":                        amounts(portonefake.Store, "another"),
		"amount: of a payment that is paid": func(t *testing.T) requestcheck.Answer {
			return paid(t, "PAID").send(t, "POST", "/payments/"+id+"/pre-register", amount)
		},
	}
}

func checksOfCancels() map[string]requestcheck.Case {
	account := func(members string) requestcheck.Case { return cancels("{", `{"refundAccount":{`+members+`},`) }
	after := func(status, before string) requestcheck.Case {
		return func(t *testing.T) requestcheck.Answer {
			s := paid(t, status)
			if before != "" {
				s.send(t, "POST", "/payments/"+id+"/cancel", before)
			}
			return s.send(t, "POST", "/payments/"+id+"/cancel", cancel)
		}
	}
	// mixed cancels a payment of 15,000 won, of which 4,000 are tax-free and 1,000 are VAT.
	mixed := func(parts string) requestcheck.Case {
		return func(t *testing.T) requestcheck.Answer {
			s := open()
			action := map[string]any{"currency": "CURRENCY_KRW", "totalAmount": "15000", "taxFreeAmount": "4000", "vatAmount": "1000"}
			if !s.Buy(id, "", action, "PAID") {
				t.Fatal("the buyer could not pay")
			}
			return s.send(t, "POST", "/payments/"+id+"/cancel", `{"reason":"r",`+parts+`}`)
		}
	}
	return map[string]requestcheck.Case{
		"cancel: a tax-free amount below zero":        cancels("{", `{"taxFreeAmount":-1,`),
		"cancel: more tax-free than is left":          mixed(`"amount":5000,"taxFreeAmount":4001,"vatAmount":0`),
		"cancel: more taxed than is left":             mixed(`"amount":11001,"taxFreeAmount":0,"vatAmount":1000`),
		"cancel: more taxed, as nothing else is said": mixed(`"amount":11001`),
		"cancel: more VAT than is left":               mixed(`"amount":5000,"taxFreeAmount":0,"vatAmount":1001`),
		"cancel: no reason":                           cancels(`"reason":"r",`, ""),
		"cancel: an amount as text":                   cancels("5000", `"5000"`),
		"cancel: an amount of zero":                   cancels("5000", "0"),
		"cancel: a tax-free amount as text":           cancels("{", `{"taxFreeAmount":"1000",`),
		"cancel: parts above the amount":              cancels("{", `{"taxFreeAmount":4600,"vatAmount":500,`),
		"cancel: a requester that there is not":       cancels("{", `{"requester":"SHOP",`),
		"cancel: an account without its bank":         account(`"number":"1","holderName":"Kim"`),
		"cancel: an account without its number":       account(`"bank":"SHINHAN","holderName":"Kim"`),
		"cancel: an account without its holder":       account(`"bank":"SHINHAN","number":"1"`),
		"cancel: a bank that there is not":            account(`"bank":"88","number":"1","holderName":"Kim"`),
		"cancel: a member that PortOne does not know": cancels("{", `{"cancelAmount":5000,`),
		"cancel: a payment that is not paid":          after("FAILED", ""),
		"cancel: a payment that was canceled":         after("PAID", `{"storeId":"`+portonefake.Store+`","reason":"all of it"}`),
		"cancel: another balance than there is":       cancels("15000", "14000"),
		"cancel: more than what is left":              cancels("5000", "15001"),
		"cancel: a payment that there is not": func(t *testing.T) requestcheck.Answer {
			return open().send(t, "POST", "/payments/"+id+"/cancel", cancel)
		},
		"cancel: a deposit without an account": func(t *testing.T) requestcheck.Answer {
			s := paid(t, "VIRTUAL_ACCOUNT_ISSUED")
			s.Buy(id, "session-1", nil, "PAID")
			return s.send(t, "POST", "/payments/"+id+"/cancel", cancel)
		},
		"cancel: a bank that fails": func(t *testing.T) requestcheck.Answer {
			s := paid(t, "PAID")
			s.NextBankError = "BANK-77"
			return s.send(t, "POST", "/payments/"+id+"/cancel", cancel)
		},
	}
}

// Answers have the members that PortOne always gives, of each status.
func TestAnswersOfPortOneAreComplete(t *testing.T) {
	t.Parallel()
	const always = "status id transactionId merchantId storeId version requestedAt updatedAt statusChangedAt orderName amount " +
		"currency customer origin"
	for status, more := range map[string]string{
		"READY": "", "PAY_PENDING": "channel", "VIRTUAL_ACCOUNT_ISSUED": "channel", "FAILED": "failedAt failure",
		"PAID": "channel paidAt disputes", "PARTIAL_CANCELLED": "channel cancellations cancelledAt",
	} {
		s := paid(t, strings.Replace(status, "PARTIAL_CANCELLED", "PAID", 1))
		if status == "PARTIAL_CANCELLED" {
			s.ConsoleCancel(id, 5000)
		}
		r := httptest.NewRequestWithContext(t.Context(), "GET", "/payments/"+id+"?storeId="+portonefake.Store, nil)
		r.Header.Set("Authorization", "PortOne "+portonefake.Secret)
		recorded := httptest.NewRecorder()
		s.ServeHTTP(recorded, r)
		var answer struct {
			Cancellations []map[string]any
			Amount        map[string]any
			all           map[string]any
		}
		if err := errors.Join(json.Unmarshal(recorded.Body.Bytes(), &answer), json.Unmarshal(recorded.Body.Bytes(), &answer.all)); err != nil {
			t.Fatal(err)
		}
		wantMembers(t, status, answer.all, always+" "+more)
		wantMembers(t, status, answer.Amount, "total taxFree vat supply discount paid cancelled cancelledTaxFree")
		for _, c := range answer.Cancellations {
			wantMembers(t, status, c, "status id totalAmount taxFreeAmount vatAmount reason requestedAt")
		}
	}
}

func wantMembers(t *testing.T, what string, answer map[string]any, names string) {
	t.Helper()
	for name := range strings.FieldsSeq(names) {
		if answer[name] == nil {
			t.Errorf("%s lacks %s", what, name)
		}
	}
}

func TestBrowserActionIsRefused(t *testing.T) {
	t.Parallel()
	full := map[string]any{"fullName": "Kim", "phoneNumber": "010-1234-5678", "email": "kim@shop.example"}
	without := func(name string) map[string]any {
		customer := maps.Clone(full)
		delete(customer, name)
		return customer
	}
	for name, c := range map[string]struct {
		gateway, currency, total string
		customer                 map[string]any
		taxFree, vat             string // "": not said
		paid                     bool
	}{
		"all that is needed":                 {"INICIS_V2", "CURRENCY_KRW", "15000", full, "", "", true},
		"another amount than registered":     {"INICIS_V2", "CURRENCY_KRW", "14000", full, "", "", false},
		"a currency as the REST API spells":  {"INICIS_V2", "KRW", "15000", full, "", "", false},
		"no name at KG Inicis":               {"INICIS_V2", "CURRENCY_KRW", "15000", without("fullName"), "", "", false},
		"no phone number at KG Inicis":       {"INICIS_V2", "CURRENCY_KRW", "15000", without("phoneNumber"), "", "", false},
		"no email at KG Inicis":              {"INICIS_V2", "CURRENCY_KRW", "15000", without("email"), "", "", false},
		"no phone number at Welcome":         {"WELCOME", "CURRENCY_KRW", "15000", without("phoneNumber"), "", "", false},
		"another tax-free part":              {"TOSSPAYMENTS", "CURRENCY_KRW", "15000", nil, "1000", "1273", false},
		"parts above the total":              {"TOSSPAYMENTS", "CURRENCY_KRW", "15000", nil, "", "15001", false},
		"nothing of the buyer, at no matter": {"TOSSPAYMENTS", "CURRENCY_KRW", "15000", nil, "", "", true},
	} {
		s := open()
		s.Gateway = c.gateway
		if got := s.send(t, "POST", "/payments/"+id+"/pre-register", amount); got.Status != http.StatusOK {
			t.Fatalf("register: %v", got)
		}
		action := map[string]any{"currency": c.currency, "totalAmount": c.total, "customer": c.customer}
		if c.taxFree != "" {
			action["taxFreeAmount"] = c.taxFree
		}
		if c.vat != "" {
			action["vatAmount"] = c.vat
		}
		if got := s.Buy(id, "", action, "PAID"); got != c.paid {
			t.Errorf("%s: paid %v", name, got)
		}
	}
}
