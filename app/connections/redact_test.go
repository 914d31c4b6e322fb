package connections_test

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers/paymentbed"

	"github.com/cartwright-dev/cartwright/adapters/payment/sandbox/bank"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/ports"
)

// echoingProvider refuses every prepare, and repeats something in its refusal.
type echoingProvider struct {
	ports.Provider

	code  string
	cause error
}

func (p echoingProvider) Do(context.Context, ports.Connection, ports.ProviderCall) (ports.Outcome, error) {
	return ports.Outcome{}, ports.ErrProviderRejected.WithData("providerCode", p.code).WithCause(p.cause)
}

func TestProviderErrorsAreRedacted(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		secret := bank.AccountSecret(paymentbed.BankSecret, b.Account)
		basic := base64.StdEncoding.EncodeToString([]byte(secret + ":"))
		sandbox := b.Providers["sandbox"]
		for name, c := range map[string]struct {
			p    echoingProvider
			code string
		}{
			"a code":                 {echoingProvider{code: "CARD_DECLINED", cause: errors.New("answered 400")}, "CARD_DECLINED"},
			"a key as the code":      {echoingProvider{code: secret, cause: errors.New("answered 400")}, ""},
			"a header as the code":   {echoingProvider{code: "Basic " + basic, cause: errors.New("answered 400")}, ""},
			"a sentence as the code": {echoingProvider{code: "No such <b>card</b>!", cause: errors.New("answered 400")}, ""},
			"a key in the cause":     {echoingProvider{code: "CARD_DECLINED", cause: fmt.Errorf("answered 400 %s", secret)}, ""},
			"a header in the cause":  {echoingProvider{code: "CARD_DECLINED", cause: fmt.Errorf("answered 400 %s", basic)}, ""},
			"a form in the cause": {
				echoingProvider{code: "CARD_DECLINED", cause: fmt.Errorf("answered 400 key=%s", url.QueryEscape(secret))}, "",
			},
		} {
			c.p.Provider = sandbox
			b.Providers["sandbox"] = c.p
			id := b.Checkout("course").Text("checkout.id")
			_, err := b.Payments.Sessions.Open(t.Context(), b.Server(paymentbed.Key(), "paymentSessions.create", ""),
				paymentbed.WidgetSession(id))
			paymentbed.Refused(t, name, idempotency.Response{}, err, ports.ErrProviderRejected)
			if got := fmt.Sprint(fault.From(err).Data["providerCode"]); got != c.code && (c.code != "" || got != "<nil>") {
				t.Errorf("%s: the code is %s", name, got)
			}
			if text := err.Error(); strings.Contains(text, secret) || strings.Contains(text, strings.TrimRight(basic, "=")) {
				t.Errorf("%s: %s", name, text)
			}
		}
	})
}
