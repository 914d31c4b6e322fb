package messages_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/testservers/messageserver"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/adapters/token"
	"github.com/cartwright-dev/cartwright/adapters/webhook"
	"github.com/cartwright-dev/cartwright/app/messages"
	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/mail"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	hooks "github.com/cartwright-dev/cartwright/domain/webhook"
	"github.com/cartwright-dev/cartwright/ports"
)

func TestMain(m *testing.M) { shops.Main(m) }

var start = time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)

func now() time.Time { return start }

func newVault(t *testing.T) token.Vault {
	t.Helper()
	secrets, err := token.NewSecrets(map[int][]byte{1: []byte(strings.Repeat("secret of the test ", 3))})
	if err != nil {
		t.Fatal(err)
	}
	return token.NewVault(secrets)
}

func write(t *testing.T, v shops.View, c collection.Change) {
	t.Helper()
	v.Atomically(func(ctx context.Context, tx ports.Tx) error { return tx.Records.Write(ctx, c) })
}

// admin is an admin of a shop that writes in Korean.
func admin(t *testing.T, store *sqlstore.Store) (tenant.Principal, shops.View) {
	t.Helper()
	id := shops.NewID()
	view := shops.NewView(t, store, tenant.ID(id))
	write(t, view, collection.NewChange(identity.Tenants, nil, collection.Record{
		"id": id, "tenant": id, "name": "Mug House", "slug": "mug-" + id, "settings": collection.Record{"locale": "ko", "timeZone": "Asia/Seoul"},
	}, shops.NewID(), start))
	return tenant.Principal{
		Kind: tenant.User, Role: tenant.Admin, Tenant: tenant.Settings{ID: tenant.ID(id), Currency: "KRW", CommerceEnabled: true}, Environment: tenant.Live,
	}, view
}

// A secret is sealed, kept where a change says nothing of it, and leaves the server by no answer.
func TestMessageServicesKeepTheirSecret(t *testing.T) {
	shops.OnBothDatabases(t, func(t *testing.T, store *sqlstore.Store) {
		vault, server := newVault(t), messageserver.Start(t)
		p, view := admin(t, store)
		check := messages.ServiceHooks(vault, webhook.Signer{}, hooks.AddressPolicy{AllowHTTP: true, AllowAnyPort: true}).BeforeWrite
		id := shops.NewID()
		r := collection.Record{"id": id, "tenant": string(p.Tenant.ID), "environment": "live", "name": "Bridge", "url": server.URL, "enabled": true}
		save := func(create bool, input map[string]any) error {
			return check(t.Context(), ports.Tx{}, &records.Write{ID: id, Create: create, After: r, Input: input, Now: start})
		}
		for name, input := range map[string]map[string]any{
			"none": {}, "null": {"secret": nil}, "a short one": {"secret": "whsec_YQ=="}, "text": {"secret": "secret"},
		} {
			if err := save(true, input); !errors.Is(err, fault.ErrValidation) {
				t.Errorf("%s: %v", name, err)
			}
		}
		if err := save(true, map[string]any{"secret": messageserver.Secret}); err != nil || strings.Contains(r.Text("secret"), "whsec") {
			t.Fatal(err, r)
		}
		sealed := r.Text("secret")
		if err := save(false, map[string]any{"name": "Bridge 2"}); err != nil || r.Text("secret") != sealed {
			t.Error(err)
		}
		write(t, view, collection.NewChange(mail.MessageServices, nil, r, shops.NewID(), start))
		found, err := messages.Enabled(t.Context(), store.Read(ports.ForPrincipal(p)), tenant.Live)
		opened, err2 := messages.Open(vault, found)
		if err != nil || err2 != nil || opened.Secret != messageserver.Secret || opened.URL != server.URL {
			t.Errorf("%+v %v %v", opened, err, err2)
		}
		if none, err := messages.Enabled(t.Context(), store.Read(ports.ForPrincipal(p)), tenant.Test); none != nil || err != nil {
			t.Errorf("of the test environment: %v %v", none, err)
		}
		strict := messages.ServiceHooks(vault, webhook.Signer{}, hooks.AddressPolicy{}).BeforeWrite
		if err := strict(t.Context(), ports.Tx{}, &records.Write{ID: id, After: r, Input: map[string]any{}}); !errors.Is(err, fault.ErrValidation) {
			t.Errorf("an address without encryption: %v", err)
		}
		tester := messages.Tester{Store: store, Vault: vault, Messenger: webhook.NewMessenger(webhook.MessengerOptions{
			Sender: webhook.NewSender(webhook.Options{AllowPrivate: true}), Now: now,
		}), Now: now, NewID: shops.NewID}
		if got, err := tester.Test(t.Context(), p, id); err != nil || got.Problem != "" || len(server.Taken()) > 0 {
			t.Errorf("%+v %v", got, err)
		}
		server.Be(messageserver.Talks)
		if got, err := tester.Test(t.Context(), p, id); err != nil || got.Problem == "" {
			t.Errorf("of nonsense: %+v %v", got, err)
		}
		p.Environment = tenant.Test
		if _, err := tester.Test(t.Context(), p, id); !errors.Is(err, ports.ErrNotFound) {
			t.Errorf("of another environment: %v", err)
		}
		p.Role, p.Environment = tenant.Editor, tenant.Live
		if _, err := tester.Test(t.Context(), p, id); !errors.Is(err, fault.ErrForbidden) {
			t.Errorf("by an editor: %v", err)
		}
	})
}

// A preview is made by the code that writes the message, of the saved text or of one that need not be saved.
func TestMessagesAreShownAsTheyWillBe(t *testing.T) {
	shops.OnBothDatabases(t, func(t *testing.T, store *sqlstore.Store) {
		p, view := admin(t, store)
		s := messages.Service{Store: store, BaseURL: "https://server.example", Now: now}
		of := messages.Preview{MessageTemplate: mail.MessageTemplate{Kind: mail.OrderPlaced}}
		if _, err := s.Preview(t.Context(), p, of); !errors.Is(err, messages.ErrNoTemplate) {
			t.Errorf("without a template: %v", err)
		}
		write(t, view, collection.NewChange(mail.MessageTemplates, nil, collection.Record{
			"id": shops.NewID(), "tenant": string(p.Tenant.ID), "kind": "order_placed", "locale": "ko", "templateCode": "O", "text": "#{shopName} #{name}",
			"active": true,
		}, shops.NewID(), start))
		if got, err := s.Preview(t.Context(), p, of); err != nil || got.Text != "Mug House 김하늘" || got.TemplateCode != "O" || len(got.MadeUp) == 0 {
			t.Errorf("%+v %v", got, err)
		}
		of.Code, of.Text, of.Locale = "N", "#{total}", "en"
		if got, err := s.Preview(t.Context(), p, of); err != nil || got.Locale != "en" || got.Text == "" || got.Variables[0].Name != "total" {
			t.Errorf("%+v %v", got, err)
		}
		of.Text = "#{gone}"
		if _, err := s.Preview(t.Context(), p, of); !errors.Is(err, fault.ErrValidation) {
			t.Errorf("a text that cannot be saved: %v", err)
		}
		p.Kind, p.Role = tenant.Customer, ""
		if _, err := s.Preview(t.Context(), p, of); !errors.Is(err, fault.ErrForbidden) {
			t.Errorf("by a customer: %v", err)
		}
	})
}
