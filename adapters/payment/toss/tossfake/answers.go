package tossfake

import "maps"

// moment is when everything happened that the fake does not date.
const moment = "2026-01-31T18:00:00+09:00"

// complete adds to a payment the members that Toss always gives and that mean nothing here. Source:
// `#/components/schemas/Payment/required` of CHECKS.md, and that of its cancels.
func complete(payment map[string]any, cancels []map[string]any) map[string]any {
	all := map[string]any{
		"requestedAt": moment, "approvedAt": nil, "cultureExpense": false,
		"isPartialCancelable": true, "cancels": nil,
	}
	if payment["status"] != "READY" && payment["status"] != "IN_PROGRESS" {
		all["approvedAt"] = moment
	}
	maps.Copy(all, payment)
	full := make([]map[string]any, 0, len(cancels))
	for _, c := range cancels {
		one := map[string]any{"taxExemptionAmount": 0, "easyPayDiscountAmount": 0}
		maps.Copy(one, c)
		full = append(full, one)
	}
	if len(full) > 0 {
		all["cancels"] = full
	}
	return all
}
