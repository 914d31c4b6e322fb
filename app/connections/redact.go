package connections

import (
	"context"
	"encoding/base64"
	"net/url"
	"strconv"
	"strings"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/ports"
)

// redactingProvider removes secrets from provider errors: those of the account, or of one request. An answer may repeat what was sent,
// and its codes are shown to shoppers, logged and stored in the provider call log.
type redactingProvider struct {
	ports.Provider

	secrets []string // in every form in which they are sent
}

// minSecretLength is the least length of a credential that is treated as a secret; shorter ones would match
// ordinary text.
const minSecretLength = 8

// redacting wraps p for an account with these credentials.
func redacting(p ports.Provider, credentials map[string]string) ports.Provider {
	d := redactingProvider{Provider: p}
	for _, key := range credentials {
		if len(key) >= minSecretLength {
			basic := base64.StdEncoding.EncodeToString([]byte(key + ":"))
			d.secrets = append(d.secrets, key, url.QueryEscape(key), strings.TrimRight(basic, "="))
		}
	}
	return d
}

// hiding wraps p for a call whose request has these texts.
func hiding(p ports.Provider, texts []string) ports.Provider {
	if len(texts) == 0 {
		return p
	}
	d := redactingProvider{Provider: p}
	for _, text := range texts {
		d.secrets = append(d.secrets, text, url.QueryEscape(text), strings.Trim(strconv.QuoteToASCII(text), `"`))
	}
	return d
}

// Do implements ports.Provider.
func (d redactingProvider) Do(ctx context.Context, conn ports.Connection, call ports.ProviderCall) (ports.Outcome, error) {
	result, err := d.Provider.Do(ctx, conn, call)
	return result, d.redact(err)
}

// Lookup implements ports.Provider.
func (d redactingProvider) Lookup(ctx context.Context, conn ports.Connection, ref ports.PaymentRef) (ports.ProviderPayment, error) {
	p, err := d.Provider.Lookup(ctx, conn, ref)
	return p, d.redact(err)
}

// LookupRefund implements ports.Provider.
func (d redactingProvider) LookupRefund(ctx context.Context, conn ports.Connection, ref ports.RefundRef) (ports.ProviderRefund, error) {
	r, err := d.Provider.LookupRefund(ctx, conn, ref)
	return r, d.redact(err)
}

const maxCodeLength = 100

// looksLikeCode reports whether text looks like a provider's error code.
func looksLikeCode(text string) bool {
	return text != "" && len(text) <= maxCodeLength && !strings.ContainsFunc(text, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("_.:- ", r)
	})
}

// redact returns err, without its code and cause when the code does not look like one or either contains a secret.
func (d redactingProvider) redact(err error) error {
	if err == nil {
		return nil
	}
	f := fault.From(err)
	code, coded := f.Data["providerCode"].(string)
	text := err.Error() + "\n" + code
	leaks := coded && !looksLikeCode(code)
	for _, key := range d.secrets {
		leaks = leaks || strings.Contains(text, key)
	}
	if !leaks {
		return err
	}
	bare := f.WithCause(nil)
	bare.Data = nil
	return bare
}
