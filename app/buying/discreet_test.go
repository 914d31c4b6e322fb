package buying_test

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/payment/sandbox/bank"
	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/ports"
)

// parrot is a provider that refuses to prepare anything, and repeats something.
type parrot struct {
	ports.Provider

	code  string
	cause error
}

func (p parrot) Send(context.Context, ports.Connection, ports.ProviderCall) (map[string]string, error) {
	return nil, ports.ErrProviderRejected.With("providerCode", p.code).Because(p.cause)
}

func TestWhatAProviderRepeatsIsNotPassedOn(t *testing.T) {
	both(t, func(t *testing.T, b *bed) {
		secret := bank.AccountSecret(bankSecret, b.account)
		basic := base64.StdEncoding.EncodeToString([]byte(secret + ":"))
		sandbox := b.Providers["sandbox"]
		for name, c := range map[string]struct {
			p    parrot
			code string
		}{
			"a code":                 {parrot{code: "CARD_DECLINED", cause: errors.New("answered 400")}, "CARD_DECLINED"},
			"a key as the code":      {parrot{code: secret, cause: errors.New("answered 400")}, ""},
			"a header as the code":   {parrot{code: "Basic " + basic, cause: errors.New("answered 400")}, ""},
			"a sentence as the code": {parrot{code: "No such <b>card</b>!", cause: errors.New("answered 400")}, ""},
			"a key in the cause":     {parrot{code: "CARD_DECLINED", cause: fmt.Errorf("answered 400 %s", secret)}, ""},
			"a header in the cause":  {parrot{code: "CARD_DECLINED", cause: fmt.Errorf("answered 400 %s", basic)}, ""},
			"a form in the cause":    {parrot{code: "CARD_DECLINED", cause: fmt.Errorf("answered 400 key=%s", url.QueryEscape(secret))}, ""},
		} {
			c.p.Provider = sandbox
			b.Providers["sandbox"] = c.p
			id := b.checkout("course").text("checkout.id")
			_, err := b.OpenSession(t.Context(), b.server(key(), "paymentSessions.create", ""), session(id))
			refused(t, name, once.Answer{}, err, ports.ErrProviderRejected)
			if got := fmt.Sprint(fault.From(err).Data["providerCode"]); got != c.code && (c.code != "" || got != "<nil>") {
				t.Errorf("%s: the code is %s", name, got)
			}
			if text := err.Error(); strings.Contains(text, secret) || strings.Contains(text, strings.TrimRight(basic, "=")) {
				t.Errorf("%s: %s", name, text)
			}
		}
	})
}
