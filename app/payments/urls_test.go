package payments_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers/paymentbed"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/payments"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

func TestReturnURLOrigins(t *testing.T) {
	t.Parallel()
	b := newBed(t, shops.SQLite())
	const test, live = tenant.Test, tenant.Live
	listed := []string{
		"https://shop.example", "https://Pay.Shop.example:8443/", "http://shop.example:3000", "https://shop.example:9443", "app://shop",
	}
	for raw, allowed := range map[string]struct {
		any  map[tenant.Environment]bool // without a list
		list bool                        // with the one above
	}{
		"https://shop.example":                                  {map[tenant.Environment]bool{test: true, live: true}, true},
		"https://shop.example/thanks?a=1&b=%20#done":            {map[tenant.Environment]bool{test: true, live: true}, true},
		"HTTPS://SHOP.example/":                                 {map[tenant.Environment]bool{test: true, live: true}, true},
		"https://shop.example:443/":                             {map[tenant.Environment]bool{test: true, live: true}, true},
		"https://shop.example/감사":                               {map[tenant.Environment]bool{test: true, live: true}, true},
		"https://shop.example:9443":                             {map[tenant.Environment]bool{test: true, live: true}, true},
		"https://pay.shop.example:8443/x":                       {map[tenant.Environment]bool{test: true, live: true}, true},
		"https://pay.shop.example/x":                            {map[tenant.Environment]bool{test: true, live: true}, false},
		"https://evil.example/shop.example":                     {map[tenant.Environment]bool{test: true, live: true}, false},
		"https://shop.example.evil.example":                     {map[tenant.Environment]bool{test: true, live: true}, false},
		"https://127.0.0.1/":                                    {map[tenant.Environment]bool{test: true, live: true}, false},
		"https://[2001:db8::1]:8443/":                           {map[tenant.Environment]bool{test: true, live: true}, false},
		"http://localhost:3000/x":                               {map[tenant.Environment]bool{test: true}, false},
		"http://LOCALHOST/x":                                    {map[tenant.Environment]bool{test: true}, false},
		"http://127.0.0.1:8080":                                 {map[tenant.Environment]bool{test: true}, false},
		"http://[::1]:8080/":                                    {map[tenant.Environment]bool{test: true}, false},
		"http://shop.example:3000/":                             {nil, true},
		"http://shop.example/":                                  {nil, false},
		"http://127.0.0.1.evil.example":                         {nil, false},
		"http://localhost.evil.example":                         {nil, false},
		"http://127.1/":                                         {nil, false},
		"":                                                      {},
		" ":                                                     {},
		" https://shop.example":                                 {},
		"https://shop.example/ x":                               {},
		"https://shop.example\t/":                               {},
		"https://shop.example/\r\nSet-Cookie: a=b":              {},
		"https://shop.example/\x00":                             {},
		"https://shop.example/\x7f":                             {},
		"https://shop.example/\u0085":                           {},
		"https://shop.example/\u200bx":                          {},
		"https://shop.example/\u202ex":                          {},
		"https://shop.example/\ufeff":                           {},
		"https://shop.example/\xff":                             {},
		"https://user@shop.example/":                            {},
		"https://user:secret@shop.example/":                     {},
		"https://@shop.example/":                                {},
		"https://evil.example\\@shop.example/":                  {},
		"https:\\\\shop.example/":                               {},
		"https:shop.example":                                    {},
		"https:///shop.example":                                 {},
		"https://":                                              {},
		"https://:443/":                                         {},
		"https://shop.example:0/":                               {},
		"https://shop.example:65536/":                           {},
		"https://shop.example:x/":                               {},
		"https://[::1/":                                         {},
		"https://[fe80::1%25eth0]/":                             {},
		"https://shop.example%2eevil.example/":                  {},
		"https://\u017fhop.example/":                            {}, // folds to shop.example
		"https://sho\uff50.example/":                            {},
		"//shop.example/":                                       {},
		"/thanks":                                               {},
		"shop.example":                                          {},
		"app://shop":                                            {},
		"javascript:alert(1)":                                   {},
		"javascript://shop.example/%0aalert(1)":                 {},
		"data:text/html,x":                                      {},
		"ftp://shop.example/":                                   {},
		"https://shop.example/" + strings.Repeat("a", 2048-21):  {map[tenant.Environment]bool{test: true, live: true}, true},
		"https://shop.example/" + strings.Repeat("a", 2049-21):  {},
		"https://shop.example/" + strings.Repeat("a", 100_000):  {},
		"https://shop.example/?checkoutToken=co_of_the_shopper": {},
	} {
		for env, origins := range map[tenant.Environment][][]string{test: {nil, listed}, live: {nil, listed}} {
			for _, list := range origins {
				want := allowed.any[env]
				if list != nil {
					want = allowed.list
				}
				c := b.Guest(paymentbed.Key(), opening, "co_of_the_shopper")
				c.Principal.Environment, c.Principal.Tenant.AllowedOrigins = env, list
				for _, in := range []payments.SessionInput{hosted(shops.NewID()), standard(shops.NewID())} {
					in.SuccessURL = raw
					a, err := b.Payments.Aggregator.Open(t.Context(), c, in)
					if err == nil && a.Fault != nil {
						err = a.Fault
					}
					c.Key = paymentbed.Key()
					// Nobody has the checkout, which is found out after the look at the address.
					switch {
					case want && !errors.Is(err, ports.ErrNotFound):
						t.Errorf("%.90q is refused in %s with the list %v: %v", raw, env, list, err)
					case !want && (!errors.Is(err, fault.ErrValidation) || fault.From(err).Fields[0].Field != "redirectUrl"):
						t.Errorf("%.90q is taken in %s with the list %v: %v", raw, env, list, err)
					}
				}
			}
		}
	}
}

func TestWidgetTakesTwoURLs(t *testing.T) {
	t.Parallel()
	b := newBed(t, shops.SQLite())
	in := paymentbed.WidgetSession(shops.NewID())
	in.SuccessURL, in.FailURL = "javascript:1", "http://shop.example"
	_, err := b.Payments.Sessions.Open(t.Context(), b.Server(paymentbed.Key(), opening, ""), in)
	if f := fault.From(err).Fields; len(f) != 1 || f[0].Field != "successUrl" {
		t.Errorf("an invalid URL is reported first: %v", f)
	}
	in.SuccessURL = "http://shop.example"
	a, err := b.Payments.Sessions.Open(t.Context(), b.Server(paymentbed.Key(), opening, ""), in)
	if err != nil || a.Fault == nil || len(a.Fault.Fields) != 2 {
		t.Errorf("both are reported: %v %v", a.Fault, err)
	}
}
