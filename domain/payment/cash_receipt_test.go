package payment

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/money"
)

func TestCashReceiptIsAskedForUnderANumberOfItsType(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		kind          CashReceiptType
		number, store string
		wrong         bool
	}{
		"a mobile phone":            {CashReceiptPersonal, "010-1234-5678", "01012345678", false},
		"an old mobile phone":       {CashReceiptPersonal, "016 123 4567", "0161234567", false},
		"a card for cash receipts":  {CashReceiptPersonal, "1234 5678 9012 3456 78", "123456789012345678", false},
		"a telephone at home":       {CashReceiptPersonal, "02-123-4567", "021234567", true},
		"a resident registration":   {CashReceiptPersonal, "900101-1234567", "9001011234567", true},
		"a business as a person":    {CashReceiptPersonal, "120-88-00767", "1208800767", true},
		"letters":                   {CashReceiptPersonal, "01O-1234-5678", "01O12345678", true},
		"digits of others":          {CashReceiptPersonal, "٠١٠١٢٣٤٥٦٧٨", "٠١٠١٢٣٤٥٦٧٨", true},
		"nothing but dashes":        {CashReceiptPersonal, " - ", "", true},
		"a business":                {CashReceiptCorporate, "120-88-00767", "1208800767", false},
		"a card of a business":      {CashReceiptCorporate, "1234-5678-9012-3456", "1234567890123456", false},
		"a business with a typo":    {CashReceiptCorporate, "120-88-00768", "1208800768", true},
		"a mobile phone of nobody":  {CashReceiptCorporate, "010-1234-5678", "01012345678", true},
		"a number that is too long": {CashReceiptCorporate, strings.Repeat("1", 20), strings.Repeat("1", 20), true},
	} {
		got := CashReceiptRequest{c.kind, c.number}.Normalize()
		problems := got.Problems()
		if got.Number != c.store || (len(problems) > 0) != c.wrong {
			t.Errorf("%s: %q %v", name, got.Number, problems)
		}
		for _, p := range problems {
			if p.Field != "number" || c.store != "" && strings.Contains(p.Message, c.store) {
				t.Errorf("%s: %+v", name, p)
			}
		}
	}
}

func TestCashReceiptHasATypeAndANumber(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		asked CashReceiptRequest
		wrong []string
	}{
		"no type":   {CashReceiptRequest{Number: "01012345678"}, []string{"type"}},
		"no number": {CashReceiptRequest{Type: CashReceiptPersonal}, []string{"number"}},
		"nothing":   {CashReceiptRequest{}, []string{"number", "type"}},
	} {
		var wrong []string
		for _, p := range c.asked.Problems() {
			wrong = append(wrong, p.Field)
		}
		if slices.Sort(wrong); !slices.Equal(wrong, c.wrong) {
			t.Errorf("%s: %v", name, wrong)
		}
	}
}

func TestCashReceiptIsRefusedWhereNobodyIsTold(t *testing.T) {
	t.Parallel()
	asked := CashReceiptRequest{CashReceiptPersonal, "01012345678"}
	told := Provider{CashReceipts: []Kind{Standard}}
	for name, c := range map[string]struct {
		action   Action
		provider Provider
		currency money.Currency
		ok       bool
	}{
		"told":           {Action{Kind: Standard, CashReceipt: asked}, told, "KRW", true},
		"none, anywhere": {Action{Kind: Hosted}, Provider{}, "USD", true},
		"another kind":   {Action{Kind: Hosted, CashReceipt: asked}, told, "KRW", false},
		"not told":       {Action{Kind: Standard, CashReceipt: asked}, Provider{}, "KRW", false},
		"in dollars":     {Action{Kind: Standard, CashReceipt: asked}, told, "USD", false},
	} {
		if err := c.action.CheckCashReceipt(c.provider, c.currency); (err == nil) != c.ok || err != nil && !errors.Is(err, ErrCashReceiptUnsupported) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
