package portonefake

// Ledger is the record of one payment. Amounts are minor units.
type Ledger struct {
	Created            int   // how many pages and registered amounts it has
	Requested          Terms // amount of the last of them
	Captured, Refunded Terms
	VAT                int64   // of what was captured
	RefundedVAT        []int64 // of each cancellation, oldest first
	NamedParts         int     // cancels by the API that named a tax-free part or VAT
}

// LedgerOf is the record of a payment.
func (f *PortOne) LedgerOf(id string) (b Ledger) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if t, ok := f.amounts[id]; ok {
		b.Created, b.Requested = 1, t
	}
	for _, p := range f.pages {
		if p.payment == id {
			b.Created, b.Requested = b.Created+1, p.Terms
		}
	}
	if p := f.payments[id]; p != nil && p.status != "FAILED" {
		b.Captured, b.Refunded, b.VAT = p.Terms, Terms{p.cancelled, p.Currency, p.cancelledTax.taxFree}, p.vat
		b.NamedParts = p.namedParts
		for _, c := range p.cancellations {
			b.RefundedVAT = append(b.RefundedVAT, c["vatAmount"].(int64))
		}
	}
	return b
}

// CallCount is the number of calls.
func (f *PortOne) CallCount() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.Calls)
}
