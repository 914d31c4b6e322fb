package payment_test

import (
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
	. "github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

func full() Session {
	return Session{
		ID: "s1", Tenant: "t1", Environment: tenant.Test, State: State{StatusPending, ObservedFailed, true, "", ResolutionDismissed, true}, Cart: "b1",
		Action: Action{
			Kind: Hosted, Connection: "c1", Method: "CARD_KR", Channel: "card", Country: "KR", SuccessURL: "https://a",
			FailURL: "https://b", ProviderSession: "x", ProviderName: "y",
		},
		Amount: money.Of(15000, "KRW"), TaxFree: money.Of(4000, "KRW"), VAT: money.Of(1000, "KRW"),
		Provider: "sandbox", AccountKey: "mid-7", PaymentID: "p1", ProviderSessionID: "ps",
		ProviderPaymentID: "pp", MethodUsed: "CARD", Checkout: "k1", Order: "o1", OrderName: "Mug", CustomerName: "Kim",
		Email: "kim@example.com", Phone: "010-1234-5678", PhoneE164: "+821012345678", Note: "n", Disputed: true, Digital: true,
		Capture: checkout.CaptureOnShipping,
		Instructions: &Instructions{
			"우리은행", "20", "X6505636518308", "Kim", money.Of(15000, "KRW"), time.Date(2026, 2, 7, 14, 59, 59, 0, time.UTC),
		}, Prepared: &Prepared{"ps", "https://pay.example/1", time.Date(2026, 1, 31, 9, 31, 0, 0, time.UTC)},
		ExpiresAt: time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC),
	}
}

func TestSessionRecordRoundTrip(t *testing.T) {
	t.Parallel()
	v := reflect.ValueOf(full())
	for i := range v.NumField() {
		if name := v.Type().Field(i).Name; v.Field(i).IsZero() {
			t.Errorf("the test leaves %s empty", name)
		}
	}
	if got := SessionFrom(full().Record()); !reflect.DeepEqual(got, full()) {
		t.Errorf("got %+v\nwant %+v", got, full())
	}
}

func TestEveryRecordFieldIsDeclared(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		s *collection.Schema
		r collection.Record
	}{"session": {Sessions, full().Record()}, "transaction": {
		Transactions,
		Transaction{
			ID: "x", Session: full(), Amount: full().Amount, Method: "m", Note: "n", Order: "o", ReceiptURL: "u",
			CashReceipt: &CashReceipt{CashReceiptPersonal, "1", "u"}, Escrow: true,
		}.Record(),
	}} {
		for f := range c.r {
			if _, ok := c.s.Field(f); !ok {
				t.Errorf("%s.%s is not declared", name, f)
			}
		}
	}
}

func TestBuyerInputIsNotReadable(t *testing.T) {
	t.Parallel()
	body := string(collection.AppendJSON(nil, Sessions, full().Record(), collection.View{}))
	for _, hidden := range []string{"https://a", "kim@example.com", "010-1234", "paymentId\":\"p1", "mid-7", "slot\":"} {
		if strings.Contains(body, hidden) {
			t.Errorf("%s shows in %s", hidden, body)
		}
	}
	if !strings.Contains(body, `"amount":{"amount":15000,"currency":"KRW"},"taxFreeAmount":4000,`) {
		t.Error(body)
	}
}

func TestOnlyMatchingPaymentIsAccepted(t *testing.T) {
	t.Parallel()
	ours := CapturedPayment{PaymentID: "p1", AccountKey: "mid-7", Environment: tenant.Test, Amount: money.Of(15000, "KRW")}
	for name, c := range map[string]struct {
		change func(*CapturedPayment)
		want   bool
	}{
		"the same":            {func(*CapturedPayment) {}, true},
		"another payment":     {func(c *CapturedPayment) { c.PaymentID = "p2" }, false},
		"another account":     {func(c *CapturedPayment) { c.AccountKey = "other" }, false},
		"another environment": {func(c *CapturedPayment) { c.Environment = tenant.Live }, false},
		"less":                {func(c *CapturedPayment) { c.Amount.Minor-- }, false},
		"more":                {func(c *CapturedPayment) { c.Amount.Minor++ }, false},
		"another currency":    {func(c *CapturedPayment) { c.Amount.Currency = "USD" }, false},
	} {
		got := ours
		c.change(&got)
		if full().Matches(got) != c.want {
			t.Errorf("%s: accepted %v", name, !c.want)
		}
	}
}

func TestSameActionComparesEveryField(t *testing.T) {
	t.Parallel()
	s := BeginSession(full())
	if !s.SlotHeld || s.Status != StatusCreated || s.Observation != ObservedNothing {
		t.Errorf("%+v", s.State)
	}
	if !s.SameAction(full().Action) {
		t.Error("the same action must be a retry")
	}
	for i := range reflect.TypeFor[Action]().NumField() {
		a := full().Action
		switch f := reflect.ValueOf(&a).Elem().Field(i); f.Kind() {
		case reflect.String:
			f.SetString("other")
		default:
			f.Set(reflect.ValueOf(CashReceiptRequest{CashReceiptPersonal, "01012345678"}))
		}
		if s.SameAction(a) {
			t.Errorf("another %s is taken for a retry", reflect.TypeFor[Action]().Field(i).Name)
		}
	}
}

func TestPaymentIDsAreShortLettersAndDigits(t *testing.T) {
	t.Parallel()
	form := regexp.MustCompile(`^[0-9A-Za-z]{6,40}$`) // accepted by every provider, Rule payments-11
	seen := map[string]bool{}
	for i := range 256 {
		id := NewPaymentID([20]byte{0: byte(i), 19: byte(255 - i)})
		if !form.MatchString(id) || seen[id] || len(id) != 27 {
			t.Errorf("%q", id)
		}
		seen[id] = true
	}
	ones := [20]byte{}
	for i := range ones {
		ones[i] = 255
	}
	if id := NewPaymentID(ones); !form.MatchString(id) || len(id) != 27 {
		t.Errorf("%q", id)
	}
}

func TestThereAre28Methods(t *testing.T) {
	t.Parallel()
	distinct := map[string]bool{}
	for _, m := range Methods {
		distinct[m] = true
	}
	if len(distinct) != 28 || !distinct["CARD_KR"] || !distinct["CONVENIENCE_STORE_JP"] || distinct["CARD"] {
		t.Error(len(distinct))
	}
}

func TestTransactionOmitsUnknownFields(t *testing.T) {
	t.Parallel()
	s := full()
	s.ProviderPaymentID = ""
	r := Transaction{ID: "x", Session: s, Amount: money.Of(1, "USD"), Order: "o1"}.Record()
	if _, there := r["method"]; there || r.Text("order") != "o1" || r.Text("currency") != "USD" || r.Text("status") != "paid" {
		t.Errorf("%v", r)
	}
	if _, there := r["providerPaymentId"]; there {
		t.Errorf("%v", r)
	}
}

func TestASessionIsPreparedOnceTheProviderSaidSo(t *testing.T) {
	t.Parallel()
	fresh := Session{State: State{Status: StatusCreated}}
	prepared, seen := fresh, fresh
	prepared.Prepared = &Prepared{}
	seen.Status = StatusPending
	if !fresh.NeverPrepared() || prepared.NeverPrepared() || seen.NeverPrepared() {
		t.Error("NeverPrepared must be true for the fresh session only")
	}
}

// The payment id of a custom session is stored in its record, so that it is unique among sessions; those of
// providers are not.
func TestOnlyCustomPaymentIsUnique(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		kind    Kind
		payment string
		want    any
	}{
		"taken outside": {Custom, "pay-1", "pay-1"}, "not taken yet": {Custom, "", nil}, "at a provider": {Widget, "pay-1", nil},
	} {
		s := full()
		s.Kind, s.ProviderPaymentID = c.kind, c.payment
		if got := s.Record()["customPayment"]; got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}
