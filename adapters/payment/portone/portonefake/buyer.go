package portonefake

import (
	"fmt"
	"strconv"
	"strings"
)

// Buy lets the buyer pay, or try to, in the browser: on an available page, or with an action of the amount.
// Fact portone-7: an amount other than the registered one is refused, and so is another tax-free part. It reports whether
// there was anything to decide.
func (f *PortOne) Buy(paymentID, session string, action map[string]any, status string) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	var t Terms
	vat := int64(-1) // not said
	if session != "" {
		if _, gone := f.page(session); gone.status != 0 {
			return false
		}
		t = f.pages[session].Terms
	} else {
		currency, sdk := strings.CutPrefix(action["currency"].(string), "CURRENCY_") // Fact portone-6
		t = Terms{Amount: number(action, "totalAmount", 0), Currency: currency, TaxFree: number(action, "taxFreeAmount", 0)}
		vat = number(action, "vatAmount", vat)
		known, ok := f.amounts[paymentID]
		if !sdk || ok && known != t || t.TaxFree < 0 || t.TaxFree+max(0, vat) > t.Amount || f.refusesBuyer(action) {
			return false
		}
	}
	p := f.payments[paymentID]
	if p != nil && p.status == "PAID" { // Fact portone-7: at most one attempt can succeed
		return false
	}
	if vat < 0 {
		vat = automaticVAT(t.Amount - t.TaxFree)
	}
	f.payments[paymentID] = &payment{
		Terms: t, vat: vat, status: status, byAccount: status == statusAwaitingDeposit || p != nil && p.byAccount && p.status == statusAwaitingDeposit,
	}
	return true
}

// number is a member of an action, or missing.
func number(action map[string]any, name string, missing int64) int64 {
	if action[name] == nil {
		return missing
	}
	n, _ := strconv.ParseInt(fmt.Sprint(action[name]), 10, 64)
	return n
}
