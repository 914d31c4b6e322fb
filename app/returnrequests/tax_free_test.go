package returnrequests_test

import (
	"slices"
	"testing"
)

// A return refunds the tax-free part of what comes back, whatever part the rest of the payment has, and the last refund
// takes what is left of both parts.
func TestReturnRefundsTheTaxFreePartOfItsLines(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		b.SellTaxFree("lamp", true)
		id := b.DeliveredOrder("lamp", "2 mug") // 50000 tax-free + 24000, and 3000 for shipping
		b.SellTaxFree("lamp", false)
		mug := b.ReturnInput(id, 0, 1)
		b.Must(b.PayOut(b.Instance, b.ApprovedReturn(mug)))
		both := b.ReturnInput(id, 1, 1)
		both.ReturnShippingFee, both.Lines[0].RestockingFee = "6000", "2000" // 48000 and 12000, of which 6000 are kept
		b.Must(b.PayOut(b.Instance, b.ApprovedReturn(both)))
		if _, err := b.Refund(b.Instance, id, "the rest", 0); err != nil {
			t.Fatal(err)
		}
		if got := b.BankTaxFree(id); !slices.Equal(got, []int64{50000, 0, 43200, 6800}) {
			t.Errorf("%v", got)
		}
		b.WantSums("after all of it", 0, 0)
	})
}
