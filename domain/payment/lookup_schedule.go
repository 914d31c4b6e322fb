package payment

import "time"

// LookupsEndAfter is how long after it was opened or last renewed a payment is looked up on our own account.
// Webhooks, reads, confirms and reconcile look it up at any age. Rule payments-39.
const LookupsEndAfter = 30 * 24 * time.Hour

// Bounds of the time between two look-ups.
const (
	lookupShare       = 12 // it is this part of the age
	longestLookupWait = 12 * time.Hour
)

// LeastUrgent is the greatest urgency.
const LeastUrgent = 3

// urgentBelow are the ages below which look-ups have the urgency 0, 1, 2; all others are least urgent.
var urgentBelow = [LeastUrgent]time.Duration{5 * time.Minute, time.Hour, 24 * time.Hour}

// NextLookup says when a payment that was opened or last renewed at since is to be looked up after a look-up
// at now, and how urgent that is: buyers pay within minutes, banks within days, so that it is a twelfth of the
// age later, at least shortest and at most 12 hours. more is false when that would be later than
// LookupsEndAfter: then look-ups end. Rule payments-39.
func NextLookup(since, now time.Time, shortest time.Duration) (at time.Time, urgency int, more bool) {
	age := max(now.Sub(since), 0)
	at = now.Add(max(min(age/lookupShare, longestLookupWait), shortest))
	for urgency < LeastUrgent && age >= urgentBelow[urgency] {
		urgency++
	}
	return at, urgency, at.Sub(since) <= LookupsEndAfter
}
