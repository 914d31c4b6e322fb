package buying

import (
	"context"
	"encoding/base64"
	"net/url"
	"strings"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/ports"
)

// discreet is a provider whose refusals tell nothing of the account's keys. What a provider answers, or whoever answers in
// its place, may repeat what it was sent, and its codes are shown to shoppers, logged and kept in the journal.
type discreet struct {
	ports.Provider

	keys []string // in every form in which they are sent
}

// minKey is how long a credential is at least that could be a secret; shorter ones would be found in everything.
const minKey = 8

// discreetly is p for an account with these credentials.
func discreetly(p ports.Provider, credentials map[string]string) ports.Provider {
	d := discreet{Provider: p}
	for _, key := range credentials {
		if len(key) >= minKey {
			basic := base64.StdEncoding.EncodeToString([]byte(key + ":"))
			d.keys = append(d.keys, key, url.QueryEscape(key), strings.TrimRight(basic, "="))
		}
	}
	return d
}

// Send implements ports.Provider.
func (d discreet) Send(ctx context.Context, conn ports.Connection, call ports.ProviderCall) (map[string]string, error) {
	said, err := d.Provider.Send(ctx, conn, call)
	return said, d.hush(err)
}

// Lookup implements ports.Provider.
func (d discreet) Lookup(ctx context.Context, conn ports.Connection, ref ports.PaymentRef) (ports.ProviderPayment, error) {
	p, err := d.Provider.Lookup(ctx, conn, ref)
	return p, d.hush(err)
}

// LookupRefund implements ports.Provider.
func (d discreet) LookupRefund(ctx context.Context, conn ports.Connection, ref ports.RefundRef) (ports.ProviderRefund, error) {
	r, err := d.Provider.LookupRefund(ctx, conn, ref)
	return r, d.hush(err)
}

const maxCode = 100

// isCode reports whether text looks as the codes of providers do.
func isCode(text string) bool {
	return text != "" && len(text) <= maxCode && !strings.ContainsFunc(text, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("_.:- ", r)
	})
}

// hush is err, without code and cause when the code is none or a key stands in either.
func (d discreet) hush(err error) error {
	if err == nil {
		return nil
	}
	f := fault.From(err)
	code, coded := f.Data["providerCode"].(string)
	text := err.Error() + "\n" + code
	told := coded && !isCode(code)
	for _, key := range d.keys {
		told = told || strings.Contains(text, key)
	}
	if !told {
		return err
	}
	bare := f.Because(nil)
	bare.Data = nil
	return bare
}
