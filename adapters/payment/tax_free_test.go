package payment_test

import (
	"errors"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/payment"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/ports"
)

func TestTaxFreePartIsCheckedBeforeItIsSent(t *testing.T) {
	t.Parallel()
	won := func(n int64) money.Money { return money.Of(n, "KRW") }
	for name, c := range map[string]struct {
		amount, taxFree money.Money
		ok              bool
	}{
		"none":             {won(1000), money.Money{}, true},
		"nothing":          {won(1000), won(0), true},
		"a part":           {won(1000), won(1), true},
		"all":              {won(1000), won(1000), true},
		"more than all":    {won(1000), won(1001), false},
		"less than none":   {won(1000), won(-1), false},
		"another currency": {won(1000), money.Of(10, "USD"), false},
	} {
		if err := payment.CheckTaxFree(ports.PaymentRequest{Amount: c.amount, TaxFree: c.taxFree}); (err == nil) != c.ok ||
			err != nil && !errors.Is(err, fault.ErrInternal) {
			t.Errorf("%s: %v", name, err)
		}
	}
	for name, c := range map[string]struct {
		amount, taxFree, left, leftTaxFree money.Money
		ok                                 bool
	}{
		"no such part, though above the balance": {won(1001), money.Money{}, won(1000), money.Money{}, true},
		"of taxed goods":                         {won(600), won(0), won(1000), won(400), true},
		"of tax-free goods":                      {won(400), won(400), won(1000), won(400), true},
		"the last of it":                         {won(1000), won(400), won(1000), won(400), true},
		"all tax-free went before":               {won(600), won(0), won(600), won(0), true},
		"more tax-free than the refund":          {won(300), won(301), won(1000), won(400), false},
		"more tax-free than is left":             {won(500), won(401), won(1000), won(400), false},
		"more taxed than is left":                {won(601), won(0), won(1000), won(400), false},
		"more than is left":                      {won(1001), won(400), won(1000), won(400), false},
		"more left tax-free than left":           {won(100), won(0), won(1000), won(1001), false},
		"negative":                               {won(100), won(-1), won(1000), won(400), false},
		"negative left":                          {won(100), won(0), won(1000), won(-1), false},
		"nothing left tax-free":                  {won(100), won(100), won(1000), money.Money{}, false},
		"another currency":                       {won(100), money.Of(1, "USD"), won(1000), won(400), false},
		"left in another currency":               {won(100), won(1), won(1000), money.Of(400, "USD"), false},
	} {
		err := payment.CheckRefundTaxFree(ports.RefundRequest{Amount: c.amount, TaxFree: c.taxFree, Remaining: c.left, RemainingTaxFree: c.leftTaxFree})
		if (err == nil) != c.ok || err != nil && !errors.Is(err, fault.ErrInternal) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
