package steps

import (
	"bytes"
	"context"
	"fmt"
)

func (w *world) apiKeySteps() []definition {
	return []definition{
		{`^the admin makes a key for "([^"]*)"$`, w.makeKey},
		{`^the admin repeats the request for it$`, w.repeat},
		{`^the admin lists the keys$`, func(ctx context.Context) error { return w.onKeys(ctx, "GET", "", nil) }},
		{`^the new key is listed by its last characters only$`, w.wantLastCharacters},
		{`^the admin revokes it$`, func(ctx context.Context) error { return w.onKeys(ctx, "POST", "/"+w.keyID+"/revoke", nil) }},
		{`^the admin rotates it$`, w.rotateKey},
		{`^a server with the new key adds a brand$`, func(ctx context.Context) error { return w.try(ctx, w.brandBy(w.newKey)) }},
		{`^the old key is unknown$`, w.wantOldUnknown},
		{`^a server tries to make a key$`, func(ctx context.Context) error {
			return w.try(ctx, request{"POST", "/api/api-keys", object{"name": "Mine", "kind": "secret", "environment": "test"}, w.asOwner()})
		}},
	}
}

func (w *world) onKeys(ctx context.Context, method, path string, body any) error {
	admin, err := w.adminOf(ctx, w.shop)
	if err != nil {
		return err
	}
	if method == "POST" {
		admin = keyed(admin)
	}
	return w.try(ctx, request{method, "/api/api-keys" + path, body, admin})
}

func (w *world) makeKey(ctx context.Context, use string) error {
	scopes := map[string][]string{"reading": {"read"}, "reading and writing": {"read", "write"}}[use]
	if err := w.onKeys(ctx, "POST", "", object{"name": "For the server", "kind": "secret", "environment": "test", "scopes": scopes}); err != nil {
		return err
	}
	w.newKey, w.keyID = text(w.got.body, "key"), text(w.got.body, "id")
	return w.succeeded()
}

func (w *world) rotateKey(ctx context.Context) error {
	if err := w.onKeys(ctx, "POST", "/"+w.keyID+"/rotate", nil); err != nil {
		return err
	}
	w.oldKey, w.newKey = w.newKey, text(w.got.body, "key")
	return w.succeeded()
}

func (w *world) brandBy(key string) request {
	return request{"POST", "/api/brands", object{"name": "Nord"}, map[string]string{"X-API-Key": key}}
}

func (w *world) wantOldUnknown(ctx context.Context) error {
	got, err := w.send(ctx, w.brandBy(w.oldKey))
	if err == nil && got.reason() != "key_unknown" {
		err = fmt.Errorf("it %s", got)
	}
	return err
}

func (w *world) wantLastCharacters() error {
	if bytes.Contains(w.got.raw, []byte(w.newKey)) {
		return fmt.Errorf("the key is shown again: it %s", w.got)
	}
	for _, key := range list(w.got.body, "docs") {
		if text(key, "id") == w.keyID {
			return equal("the last characters", dig(key, "last4"), w.newKey[len(w.newKey)-4:])
		}
	}
	return fmt.Errorf("it %s", w.got)
}
