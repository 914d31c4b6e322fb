package deliveries_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/domain/webhook"
	"github.com/cartwright-dev/cartwright/ports"
)

// userToken seals a password reset token into an event of a user.
func (b *bed) userToken() {
	b.t.Helper()
	event := shops.NewID()
	sealed, err := b.vault.Seal("email-token/"+event, []byte(`{"resetToken":"rst_taken"}`))
	if err != nil {
		b.t.Fatal(err)
	}
	id := shops.NewID()
	user := collection.Record{"id": id, "tenant": string(b.shop), "email": id + "@shop.example", "role": "tenant-admin"}
	b.view().Atomically(func(ctx context.Context, tx ports.Tx) error {
		if err := tx.Records.Write(ctx, collection.NewChange(identity.Users, nil, user, event, b.now())); err != nil {
			return err
		}
		return tx.SealedTokens.Add(ctx, ports.SealedToken{
			Tenant: b.shop, Event: event, Collection: identity.Users.Slug, Ciphertext: sealed, Expires: b.now().Add(time.Hour),
		})
	})
}

// tag creates a record that admins read and secret keys do not.
func (b *bed) tag() {
	b.t.Helper()
	id := shops.NewID()
	b.write(catalog.Tags, nil, collection.Record{"id": id, "tenant": string(b.shop), "name": "Sale", "slug": id})
}

// Rules access-9, webhooks-10: an endpoint of a key is told of users, and never their tokens; of what the key may not
// read it is told nothing.
func TestUserTokensGoOnlyToLiveStaffEndpoints(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		b.endpointFor(webhook.Servers, tenant.Live, "server", "users")
		b.endpointFor(webhook.Servers, tenant.Live, "intruder", closed) // package webhooks would refuse to create it
		b.endpointFor(webhook.Servers, tenant.Live, "everything")
		b.endpointFor(webhook.Servers, tenant.Test, "trial", "users", "customers")
		b.endpointFor(webhook.Admins, tenant.Test, "staging", "users")
		b.endpointFor(webhook.Admins, tenant.Live, "mailer", "users", closed)
		b.userToken()
		b.customer()
		b.tag()
		b.round()
		want := map[string]struct{ users, resets, verifications, closed int }{
			"server": {1, 0, 0, 0}, "everything": {1, 0, 0, 0}, "intruder": {}, "trial": {1, 0, 1, 0}, "staging": {1, 0, 0, 0},
			"mailer": {1, 1, 0, 1},
		}
		for name, want := range want {
			got := want
			got.users, got.resets, got.verifications, got.closed = 0, 0, 0, 0
			for _, a := range b.net.receivedAt(url(name)) {
				switch a.Collection {
				case "users":
					got.users++
				case closed:
					got.closed++
				}
				got.resets += strings.Count(a.raw, "rst_taken")
				got.verifications += strings.Count(a.raw, `"verificationToken":"vfy_`)
			}
			if got != want {
				t.Errorf("%s is told %+v, want %+v", name, got, want)
			}
		}
	})
}

func TestPendingDeliveryRechecksEndpointAccess(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.endpoint("admin", closed, "brands")
		b.net.answer(url("admin"), status(500))
		b.tag()
		b.round()
		b.net.receivedAt(url("admin"))
		b.net.answer(url("admin"), nil)
		before := b.view().Get(webhook.Endpoints, id)
		after := before.Clone()
		after["url"], after["collections"], after["audience"] = url("evil"), []string{"brands"}, "server"
		b.write(webhook.Endpoints, before, after)
		b.advance(time.Minute)
		b.round()
		if d := b.deliveries(id)[0]; d.Status != webhook.Discarded || d.Reason != webhook.NotReadable ||
			len(b.net.receivedAt(url("evil"))) != 0 {
			t.Errorf("a key that took an endpoint over: %+v", d)
		}
	})
}

func TestAnswerToATokenDeliveryIsRedacted(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		id := b.endpoint("echo", "users", "brands")
		code := 500
		b.net.answer(url("echo"), func(r ports.WebhookRequest) ports.WebhookResponse {
			return ports.WebhookResponse{Status: code, Excerpt: string(r.Body)}
		})
		b.userToken()
		b.create("nord")
		b.round()
		code = 200
		b.advance(time.Minute)
		b.round()
		for _, d := range b.deliveries(id) {
			if len(d.Attempts) != 2 || d.Status != webhook.Succeeded {
				t.Fatalf("delivery %+v", d)
			}
			for _, a := range d.Attempts {
				if told := strings.Contains(a.Response, "rst_") ||
					!strings.Contains(a.Response, "not stored"); told != (d.Collection == "brands") ||
					strings.Contains(a.Response, "rst_") {
					t.Errorf("the log of %s keeps %q", d.Collection, a.Response)
				}
			}
		}
	})
}
