package steps

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"
)

const receivers = "/api/webhook-endpoints"

func (w *world) webhookSteps() []definition {
	return []definition{
		{`^the shop adds a receiver for "([^"]*)"$`, func(ctx context.Context, of string) error {
			return w.addReceiver(ctx, object{"url": "https://erp.example/hook", "collections": []any{of}})
		}},
		{`^the shop adds (\d+) receivers?$`, w.addReceivers},
		{`^the shop adds (\d+) receivers at once$`, w.crowdReceivers},
		{`^the shop adds a receiver whose address holds a password$`, func(ctx context.Context) error {
			return w.addReceiver(ctx, object{"url": "https://erp:password@erp.example/hook"})
		}},
		{`^the shop's test key adds a receiver for real orders$`, func(ctx context.Context) error {
			return w.addReceiver(ctx, object{"url": "https://erp.example/hook", "collections": []any{"orders"}, "environment": "live"})
		}},
		{`^the shop repeats the request for the receiver$`, w.repeat},
		{`^the answer shows a secret to sign with$`, w.wantSecret},
		{`^the secret is shown nowhere else$`, w.wantSecretHidden},
		{`^the shop has (\d+) receivers?$`, w.wantReceivers},
		{`^the shop replaces its secret$`, w.replaceSecret},
		{`^the answer shows another secret, beside which the old one holds for a day$`, w.wantRotated},
		{`^the receiver belongs to "([^"]*)"$`, func(environment string) error {
			return equal("the environment", dig(w.got.body, "doc", "environment"), environment)
		}},
		{`^the receiver is not seen among those of "live"$`, w.wantUnseen},
		{`^the shop tries the receiver$`, func(ctx context.Context) error { return w.onReceiver(ctx, "POST", "/test", nil) }},
		{`^the log shows (\d+) messages? to the receiver(, marked as a test)?$`, w.wantMessages},
		{`^the brands "([^"]*)" and "([^"]*)" were added$`, w.addBrands},
		{`^the shop has the receiver told again from the beginning$`, func(ctx context.Context) error {
			return w.onReceiver(ctx, "POST", "/replay", object{"from": "2020-01-01T00:00:00Z"})
		}},
		{`^the shop switches the receiver off$`, func(ctx context.Context) error { return w.onReceiver(ctx, "PATCH", "", object{"enabled": false}) }},
		{`^the shop takes the receiver away$`, func(ctx context.Context) error { return w.onReceiver(ctx, "DELETE", "", nil) }},
	}
}

func (w *world) addReceiver(ctx context.Context, body object) error {
	if err := w.try(ctx, request{"POST", receivers, body, keyed(w.asOwner())}); err != nil {
		return err
	}
	w.receiver, w.signing = text(w.got.body, "doc", "id"), text(w.got.body, "secret")
	return nil
}

func (w *world) addReceivers(ctx context.Context, n int) error {
	for range n {
		if err := w.addReceiver(ctx, object{"url": "https://erp.example/hook"}); err != nil {
			return err
		}
		if err := w.succeeded(); err != nil {
			return err
		}
	}
	return nil
}

func (w *world) crowdReceivers(ctx context.Context, n int) error {
	var all []request
	for range n {
		all = append(all, request{"POST", receivers, object{"url": "https://erp.example/hook"}, keyed(w.asOwner())})
	}
	return w.together(ctx, all)
}

// onReceiver does something to the receiver last added.
func (w *world) onReceiver(ctx context.Context, method, what string, body any) error {
	return w.try(ctx, request{method, receivers + "/" + w.receiver + what, body, keyed(w.asOwner())})
}

func (w *world) replaceSecret(ctx context.Context) error {
	err := w.onReceiver(ctx, "POST", "/rotate-secret", nil)
	w.resigning = text(w.got.body, "secret")
	return err
}

func (w *world) wantSecret() error {
	if !strings.HasPrefix(w.signing, "whsec_") || text(w.got.body, "doc", "secret") != w.signing {
		return fmt.Errorf("it %s", w.got)
	}
	return nil
}

// wantSecretHidden looks wherever a receiver is told of: its record, the log of events, GraphQL.
func (w *world) wantSecretHidden(ctx context.Context) error {
	for _, r := range []request{
		{"GET", receivers, nil, w.asOwner()},
		{"GET", receivers + "/" + w.receiver, nil, w.asOwner()},
		{"GET", "/api/events?collection=webhook-endpoints", nil, w.asOwner()},
		{"POST", "/api/graphql", object{"query": "{ WebhookEndpoints { docs { id secret } } }"}, w.asOwner()},
	} {
		if err := eventually(ctx, func(ctx context.Context) error { // what happened is in the log a moment later
			got, err := w.must(ctx, r)
			if err == nil && (bytes.Contains(got.raw, []byte("whsec_")) || !bytes.Contains(got.raw, []byte(w.receiver))) {
				err = fmt.Errorf("%s %s", r.path, got)
			}
			return err
		}); err != nil {
			return err
		}
	}
	return nil
}

func (w *world) wantReceivers(ctx context.Context, want string) error {
	got, err := w.must(ctx, request{"GET", receivers + "/count", nil, w.asOwner()})
	if err != nil {
		return err
	}
	return equal("the number of receivers", got.body["totalDocs"], want)
}

func (w *world) wantRotated() error {
	if !strings.HasPrefix(w.resigning, "whsec_") || w.resigning == w.signing {
		return fmt.Errorf("it %s", w.got)
	}
	if text(w.got.body, "doc", "previousSecretUntil") == "" {
		return errors.New("nothing says how long the old secret holds")
	}
	return nil
}

func (w *world) wantUnseen(ctx context.Context) error {
	got, err := w.must(ctx, request{"GET", receivers, nil, map[string]string{"X-API-Key": w.shop.SecretKey}})
	if err != nil {
		return err
	}
	return equal("the number of receivers of real business", got.body["totalDocs"], "0")
}

// wantMessages counts what the log says of the receiver. Events have their numbers a moment after they happened: until then
// there is less to be told again than there will be.
func (w *world) wantMessages(ctx context.Context, want, test string) error {
	ctx, cancel := context.WithTimeout(ctx, heardOf)
	defer cancel()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		err := w.messages(ctx, want, test)
		if err == nil || !strings.HasSuffix(w.sent.path, "/replay") {
			return err
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return err
		}
		again := w.sent
		again.header = w.asOwner()
		if _, bad := w.must(ctx, again); bad != nil {
			return bad
		}
	}
}

func (w *world) messages(ctx context.Context, want, test string) error {
	got, err := w.must(ctx, request{"GET", "/api/webhook-deliveries?where[endpoint][equals]=" + w.receiver, nil, w.asOwner()})
	if err != nil {
		return err
	}
	if err := equal("the number of messages", got.body["totalDocs"], want); err != nil {
		return err
	}
	for _, message := range list(got.body, "docs") {
		if marked := text(message, "test") == "true"; marked != (test != "") {
			return fmt.Errorf("it %s", got)
		}
	}
	return nil
}

func (w *world) addBrands(ctx context.Context, first, second string) error {
	for _, name := range []string{first, second} {
		if _, err := w.must(ctx, request{"POST", "/api/brands", object{"name": name}, w.asOwner()}); err != nil {
			return err
		}
	}
	return nil
}
