package examplepayfake

// What people and banks do at ExamplePay, without the API.

// change changes a payment while no request is served. It reports whether there is one.
func (f *ExamplePay) change(reference string, how func(*Payment)) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	p := f.payments[reference]
	if p != nil {
		how(p)
	}
	return p != nil
}

// Pay is the buyer who pays on the page. It reports whether the page was there.
func (f *ExamplePay) Pay(reference string) bool { return f.decide(reference, "paid") }

// Decline is the buyer whose bank refuses; he may try again.
func (f *ExamplePay) Decline(reference string) bool { return f.decide(reference, "declined") }

func (f *ExamplePay) decide(reference, status string) (shown bool) {
	f.change(reference, func(p *Payment) {
		if shown = p.PageURL != ""; !shown {
			return
		}
		if p.Status = status; status == "paid" {
			p.PageURL, p.ReceiptURL = "", "https://pay.examplepay.example/receipts/"+p.ID
		}
	})
	return shown
}

// RefundInConsole refunds an amount without the API. FACTS.md, 9.
func (f *ExamplePay) RefundInConsole(reference string, amount int64) {
	f.change(reference, func(p *Payment) { p.addRefund("", amount, false) })
}

// DelayNextRefund leaves the next refund pending until FinishRefunds.
func (f *ExamplePay) DelayNextRefund() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.delay = true
}

// FinishRefunds ends the pending refunds of a payment, as the bank does.
func (f *ExamplePay) FinishRefunds(reference string, succeed bool) {
	f.change(reference, func(p *Payment) {
		for _, r := range p.Refunds {
			switch {
			case r.Status != "pending":
			case succeed:
				r.Status = "done"
			default:
				r.Status = "failed"
			}
		}
	})
}

// PaymentOf is a copy of the payment of a reference; false if there is none.
func (f *ExamplePay) PaymentOf(reference string) (copied Payment, found bool) {
	found = f.change(reference, func(p *Payment) {
		copied = *p
		copied.Refunds = nil
		for _, r := range p.Refunds {
			one := *r
			copied.Refunds = append(copied.Refunds, &one)
		}
	})
	return copied, found
}
