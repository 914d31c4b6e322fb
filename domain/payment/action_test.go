package payment_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
	. "github.com/cartwright-dev/cartwright/domain/payment"
)

func TestThereAreTwentyEightMethods(t *testing.T) {
	t.Parallel()
	sorted := slices.Clone(Methods)
	slices.Sort(sorted)
	if n := len(slices.Compact(sorted)); n != 28 {
		t.Errorf("there are %d", n)
	}
	for _, m := range []string{"CARD_KR", "CARD_INTERNATIONAL", "CONVENIENCE_STORE_JP"} { // some methods of Fact portone-12
		if !slices.Contains(Methods, m) {
			t.Errorf("%s is missing", m)
		}
	}
}

func TestActionCheck(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		action Action
		fields []string
	}{
		"a page":                       {Action{Kind: Hosted, Method: "CARD_KR"}, nil},
		"a page somewhere":             {Action{Kind: Hosted, Method: "PAY_PAL", Country: "JP"}, nil},
		"a page without method":        {Action{Kind: Hosted}, []string{"method"}},
		"a page of a wrong method":     {Action{Kind: Hosted, Method: "card_kr"}, []string{"method"}},
		"a page of a country's name":   {Action{Kind: Hosted, Method: "CARD_KR", Country: "KOR"}, []string{"country"}},
		"a page with a channel":        {Action{Kind: Hosted, Method: "CARD_KR", Channel: "card"}, []string{"channel"}},
		"all of it":                    {Action{Kind: Hosted, Country: "k", Channel: "c"}, []string{"method", "country", "channel"}},
		"a standard action":            {Action{Kind: Standard, Channel: "card"}, nil},
		"a standard action of no card": {Action{Kind: Standard, Channel: "TRANSFER"}, []string{"channel"}},
		"a standard action with method": {
			Action{Kind: Standard, Channel: "card", Method: "CARD_KR", Country: "KR"}, []string{"method", "country"},
		},
		"a widget":         {Action{Kind: Widget}, []string{"mode"}},
		"a custom session": {Action{Kind: Custom}, []string{"mode"}},
		"nothing":          {Action{}, []string{"mode"}},
	} {
		err := c.action.Check()
		var fields []string
		if err != nil {
			for _, f := range fault.From(err).Fields {
				fields = append(fields, f.Field)
			}
		}
		if !slices.Equal(fields, c.fields) || err != nil && !errors.Is(err, fault.ErrValidation) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestActionCheckEnabled(t *testing.T) {
	t.Parallel()
	enabled := []string{"CARD_KR", "PAY_PAL"}
	for name, c := range map[string]struct {
		action   Action
		enabled  []string
		currency money.Currency
		want     error
	}{
		"an enabled method":      {Action{Kind: Hosted, Method: "PAY_PAL"}, enabled, "USD", nil},
		"another one":            {Action{Kind: Hosted, Method: "PAY_PAY"}, enabled, "KRW", ErrMethodDisabled},
		"none is enabled":        {Action{Kind: Hosted, Method: "CARD_KR"}, nil, "KRW", ErrMethodDisabled},
		"a card in the browser":  {Action{Kind: Standard, Channel: ChannelCard}, nil, "KRW", nil},
		"dollars in the browser": {Action{Kind: Standard, Channel: ChannelCard}, enabled, "USD", ErrNotConfigured},
		"a widget":               {Action{Kind: Widget}, nil, "USD", nil},
	} {
		if err := c.action.CheckEnabled(c.enabled, c.currency); !errors.Is(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestFirstPrepareAnswerIsKept(t *testing.T) {
	t.Parallel()
	s := BeginSession(Session{ID: "s1", PaymentID: "Payment1", Action: Action{Kind: Hosted, Method: "CARD_KR"}})
	first := s.Prepare(Prepared{SessionID: "one", CheckoutURL: "https://pay.example/1"})
	again := first.Prepare(Prepared{SessionID: "two", CheckoutURL: "https://pay.example/2"})
	if s.Prepared != nil || first.Status != StatusPending || first.ProviderSessionID != "one" || again.ProviderSessionID != "one" ||
		again.Prepared.CheckoutURL != "https://pay.example/1" {
		t.Errorf("%+v\n%+v", first, again)
	}
	s.State = s.Release()
	if late := s.Prepare(Prepared{SessionID: "late"}); late.Status != StatusCanceled || late.SlotHeld ||
		late.ProviderSessionID != "late" {
		t.Errorf("a canceled session must stay canceled: %+v", late)
	}
}

// The payment id of a session is the same after any facts in any order.
func TestPaymentIDIsImmutable(t *testing.T) {
	t.Parallel()
	s := BeginSession(Session{ID: "s1", PaymentID: "Payment1", Action: Action{Kind: Standard, Channel: ChannelCard}})
	for _, seen := range []Fact{
		FactOpen, FactAbsent, FactFailed, FactExpired, FactProcessing, FactUnknown, FactCanceled, FactMismatch, FactPaid,
	} {
		s.State = Join(s.State, seen)
		s = SessionFrom(s.Prepare(Prepared{SessionID: "Another1"}).Record())
		if s.PaymentID != "Payment1" {
			t.Errorf("after %s it is %q", seen, s.PaymentID)
		}
	}
}
