package bank

import "time"

// The delivery plans of webhooks that a scripted buyer can choose. Contract 8, "Sandbox provider".
const (
	planOnce     = "once"
	planTwice    = "twice"
	planLate     = "late"
	planNever    = "never"
	planReversed = "reversed"
)

const lateBy = 5 * time.Second

// webhook is one delivery that is due: an event may be delivered several times under one id, or before an earlier one.
type webhook struct {
	Event string    `json:"id"`
	Type  string    `json:"type"`
	URL   string    `json:"url"`
	DueAt time.Time `json:"dueAt"`
}

// deliveries plans what the shop will be told after p got from READY to where it is now. URL "" is the one the account
// registers.
func (p payment) deliveries(now time.Time) []webhook {
	if p.Webhooks == planNever {
		return nil
	}
	types := []string{"Transaction.Ready", "Transaction.Paid"}
	if p.Status == statusFailed {
		types[1] = "Transaction.Failed"
	}
	if p.Webhooks == planReversed {
		types[0], types[1] = types[1], types[0]
	}
	due := now
	if p.Webhooks == planLate {
		due = now.Add(lateBy)
	}
	var all []webhook
	for i, t := range types {
		hook := webhook{Event: token("evt_"), Type: t, URL: p.WebhookURL, DueAt: due.Add(time.Duration(i) * time.Millisecond)}
		all = append(all, hook)
		if p.Webhooks == planTwice {
			all = append(all, hook)
		}
	}
	return all
}
