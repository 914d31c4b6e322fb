package payment

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/fault"
)

var kims = RefundAccount{Bank: "88", Account: "110123456789", Holder: "김지우"}

func TestRefundAccountIsWrittenAsItsProviderTakesIt(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		given, want RefundAccount
		wrong       []string
	}{
		"as it is":            {kims, kims, nil},
		"dashes and spaces":   {RefundAccount{" 88 ", "110-123 456–789", " 김지우 "}, kims, nil},
		"an enumerated bank":  {RefundAccount{"K_BANK", "1", "Kim"}, RefundAccount{"K_BANK", "1", "Kim"}, nil},
		"nothing":             {RefundAccount{" ", "- -", "\t"}, RefundAccount{}, []string{"bank", "account", "holder"}},
		"letters":             {RefundAccount{"88", "11O123", "Kim"}, RefundAccount{"88", "11O123", "Kim"}, []string{"account"}},
		"digits of others":    {RefundAccount{"88", "١٢٣", "Kim"}, RefundAccount{"88", "١٢٣", "Kim"}, []string{"account"}},
		"too many digits":     {RefundAccount{"88", strings.Repeat("1", 21), "Kim"}, RefundAccount{"88", strings.Repeat("1", 21), "Kim"}, []string{"account"}},
		"a name of the bank":  {RefundAccount{"신한은행", "1", "Kim"}, RefundAccount{"신한은행", "1", "Kim"}, []string{"bank"}},
		"a long code":         {RefundAccount{strings.Repeat("A", 41), "1", "Kim"}, RefundAccount{strings.Repeat("A", 41), "1", "Kim"}, []string{"bank"}},
		"a holder of 60":      {RefundAccount{"88", "1", strings.Repeat("김", 60)}, RefundAccount{"88", "1", strings.Repeat("김", 60)}, nil},
		"a holder of 61":      {RefundAccount{"88", "1", strings.Repeat("김", 61)}, RefundAccount{"88", "1", strings.Repeat("김", 61)}, []string{"holder"}},
		"a holder on 2 lines": {RefundAccount{"88", "1", "Kim\nLee"}, RefundAccount{"88", "1", "Kim\nLee"}, []string{"holder"}},
	} {
		got := c.given.Normalize()
		var wrong []string
		for _, f := range got.Problems() {
			wrong = append(wrong, f.Field)
			if f.Message == "" || strings.Contains(f.Message, c.given.Account) {
				t.Errorf("%s: %s", name, f.Message)
			}
		}
		if got != c.want || !slices.Equal(wrong, c.wrong) {
			t.Errorf("%s: %q %q %q, wrong are %v", name, got.Bank, got.Account, got.Holder, wrong)
		}
	}
}

func TestRefundAccountIsNotPrinted(t *testing.T) {
	t.Parallel()
	request := struct{ Account RefundAccount }{kims}
	for _, text := range []string{
		fmt.Sprint(kims), fmt.Sprintf("%v %+v %#v %s", kims, kims, kims, kims), fmt.Sprintf("%v %+v %#v", request, request, request),
	} {
		if strings.Contains(text, kims.Account) || strings.Contains(text, kims.Holder) || !strings.Contains(text, "6789") {
			t.Error(text)
		}
	}
	for account, want := range map[string]string{"": "", "123456": "", "1234567": "4567"} {
		if got := (RefundAccount{Account: account}).Ending(); got != want {
			t.Errorf("%s ends in %q", account, got)
		}
	}
}

func TestRefundsNeedAnAccountWhereTheProviderSaysSo(t *testing.T) {
	t.Parallel()
	acme := Provider{Title: "Acme Pay", RefundAccounts: RefundAccounts{
		Required: []string{"transfer"}, Accepted: []string{"mobile"}, Banks: []string{"88", "20"},
	}}
	told := &Instructions{Account: "1"}
	for name, c := range map[string]struct {
		p     Provider
		s     Session
		given *RefundAccount
		sent  bool
		want  error
	}{
		"by card":                                  {acme, Session{MethodUsed: "card"}, nil, false, nil},
		"by card, with an account":                 {acme, Session{MethodUsed: "card"}, &kims, false, nil},
		"by transfer":                              {acme, Session{MethodUsed: "transfer"}, nil, false, ErrRefundAccountRequired},
		"by transfer, with an account":             {acme, Session{MethodUsed: "transfer"}, &kims, true, nil},
		"by a method of which the buyer was told":  {acme, Session{MethodUsed: "new", Instructions: told}, nil, false, ErrRefundAccountRequired},
		"by mobile":                                {acme, Session{MethodUsed: "mobile"}, nil, false, nil},
		"by mobile, with an account":               {acme, Session{MethodUsed: "mobile"}, &kims, true, nil},
		"to a bank that there is not":              {acme, Session{MethodUsed: "transfer"}, &RefundAccount{"77", "1", "Kim"}, false, fault.ErrValidation},
		"of a provider that asks the buyer itself": {Provider{}, Session{MethodUsed: "konbini", Instructions: told}, nil, false, nil},
		"asked for, but not reported":              {acme, Session{Action: Action{Method: "transfer"}}, nil, false, ErrRefundAccountRequired},
	} {
		got, err := c.p.RefundAccountOf(c.s, c.given)
		if !errors.Is(err, c.want) || (got != nil) != c.sent {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}
