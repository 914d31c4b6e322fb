package bank

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"slices"
	"strings"
	"time"
)

// The delivery plans of webhooks that a scripted buyer can choose. Rule payments-34.
const (
	planOnce     = "once"
	planTwice    = "twice"
	planLate     = "late"
	planNever    = "never"
	planReversed = "reversed"
)

func knownPlan(plan string) bool {
	return plan == planOnce || plan == planTwice || plan == planLate || plan == planNever || plan == planReversed
}

const lateDelay = 5 * time.Second

// webhook is one delivery: an event may be delivered several times under one id, or before an earlier one.
type webhook struct {
	Event   string    `json:"id"`
	Type    string    `json:"type"`
	Payment string    `json:"paymentId"`
	URL     string    `json:"url"` // "" is not sent
	DueAt   time.Time `json:"dueAt"`
}

// plannedWebhooks plans the webhooks about the change of p from READY to its current state.
func (p payment) plannedWebhooks(now time.Time) []webhook {
	switch p.Status {
	case statusFailed:
		return p.webhooksOf(now, "Transaction.Ready", "Transaction.Failed")
	case statusWaiting:
		return p.webhooksOf(now, "Transaction.Ready", "Transaction.VirtualAccountIssued")
	case statusAuthorized:
		return p.webhooksOf(now, "Transaction.Ready", "Transaction.Authorized")
	}
	return p.webhooksOf(now, "Transaction.Ready", "Transaction.Paid")
}

// webhooksOf plans webhooks of these types, in this order, by the plan that the buyer chose.
func (p payment) webhooksOf(now time.Time, types ...string) []webhook {
	if p.Webhooks == planNever {
		return nil
	}
	if p.Webhooks == planReversed {
		slices.Reverse(types)
	}
	due := now
	if p.Webhooks == planLate {
		due = now.Add(lateDelay)
	}
	var all []webhook
	for _, t := range types {
		hook := webhook{Event: randomID("evt_"), Type: t, Payment: p.ID, URL: p.WebhookURL, DueAt: due}
		all = append(all, hook)
		if p.Webhooks == planTwice {
			all = append(all, hook)
		}
	}
	return all
}

// refundWebhooks plans the webhooks about refunds of p that its bank finished or failed.
func (p payment) refundWebhooks(now time.Time) []webhook {
	if p.Webhooks == planNever {
		return nil
	}
	kind := map[string]string{
		statusRefunded: "Transaction.Cancelled", statusPartial: "Transaction.PartialCancelled", statusPaid: "Transaction.CancelFailed",
	}[p.Status]
	return []webhook{{Event: randomID("evt_"), Type: kind, Payment: p.ID, URL: p.WebhookURL, DueAt: now}}
}

// WebhookSecret is the secret that signs an account's webhooks, in the form of the Standard Webhooks
// specification. It is derived like AccountSecret. Shops store it in their connection's webhook secrets.
func WebhookSecret(shared, account string) string {
	return "whsec_" + base64.StdEncoding.EncodeToString(webhookKey(shared, account))
}

func webhookKey(shared, account string) []byte {
	mac := hmac.New(sha256.New, []byte(shared))
	mac.Write([]byte("cartwright sandbox webhooks\x00" + account))
	return mac.Sum(nil)
}

// body is the body of a delivery: the same bytes for each attempt.
func (w webhook) body() []byte {
	type data struct {
		PaymentID string `json:"paymentId"`
	}
	body, _ := json.Marshal(struct { //nolint:errchkjson // texts and a time
		Type      string    `json:"type"`
		Timestamp time.Time `json:"timestamp"`
		Data      data      `json:"data"`
	}{w.Type, w.DueAt, data{w.Payment}})
	return body
}

// signatures sign a body with each of an account's secrets, so that the shop may know any of them.
func (b *Server) signatures(account, id, timestamp string, body []byte) string {
	var all []string
	for _, shared := range b.secrets() {
		all = append(all, signature(webhookKey(shared, account), id, timestamp, body))
	}
	return strings.Join(all, " ")
}

// signature signs a body as in the Standard Webhooks specification.
func signature(key []byte, id, timestamp string, body []byte) string {
	mac := hmac.New(sha256.New, key)
	mac.Write([]byte(id + "." + timestamp + "."))
	mac.Write(body)
	return "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
}
