package portonefake

import "maps"

// moment is when everything happened that the fake does not date.
const moment = "2026-01-31T09:00:00Z"

// complete adds to the answer of a payment the members that PortOne always gives and that mean nothing here.
// Source: B/PaidPayment/required and the other payments of CHECKS.md.
func complete(answer map[string]any, cancellations []map[string]any) map[string]any {
	all := map[string]any{
		"requestedAt": moment, "updatedAt": moment, "statusChangedAt": moment, "customer": map[string]any{},
		"origin": map[string]any{"platformType": "PC", "ipAddress": "192.0.2.1"},
	}
	switch answer["status"] {
	case "PAID":
		all["paidAt"] = moment
	case "CANCELLED", "PARTIAL_CANCELLED":
		all["cancelledAt"] = moment
	case "FAILED":
		all["failedAt"], all["failure"] = moment, map[string]any{"reason": "declined"}
	}
	maps.Copy(all, answer)
	if cancellations != nil {
		full := make([]map[string]any, 0, len(cancellations))
		for _, c := range cancellations {
			one := map[string]any{"requestedAt": moment}
			maps.Copy(one, c)
			full = append(full, one)
		}
		all["cancellations"] = full
	}
	return all
}

// Dispute opens a dispute of a payment at its gateway, or resolves it. Fact portone-23.
func (f *PortOne) Dispute(paymentID string, resolved bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	p, status := f.payments[paymentID], "UNRESOLVED"
	if resolved {
		status = "RESOLVED"
	}
	p.disputes = []map[string]any{{"status": status, "reason": "never arrived", "createdAt": moment, "pgDisputeId": "dispute-" + paymentID}}
}

// TakeBack is the bank that takes the deposit of a payment back.
func (f *PortOne) TakeBack(paymentID string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.payments[paymentID].status = "VIRTUAL_ACCOUNT_ISSUED"
}
