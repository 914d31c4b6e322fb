package buying

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/cartwright-dev/cartwright/app/content"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// account is an opened connection with the adapter that speaks to it.
type account struct {
	ports.Connection

	provider ports.Provider
	methods  []string // that hosted pages may ask for
}

// connect opens the connection a new session uses: the one named, else the default one that supports the kind, else the
// oldest. It is held: whatever is asked of it is asked while it is there. Errors: payment.ErrNotConfigured.
func (b *Buying) connect(ctx context.Context, tx ports.Records, env tenant.Environment, id string, kind payment.Kind) (account, error) {
	s := payment.Connections
	where := collection.And{s.Where("environment", collection.Equals, string(env)), s.Where("enabled", collection.Equals, true)}
	if id != "" {
		where = append(where, s.Where("id", collection.Equals, id))
	}
	oldest := []collection.Order{{Path: s.Where("createdAt", collection.Exists, true).Path}}
	page, err := tx.Find(ctx, collection.Query{Schema: s, Where: where, Sort: oldest, Limit: collection.MaxLimit, Page: 1, Uncounted: true})
	if err != nil {
		return account{}, err
	}
	var best collection.Record
	for _, row := range page.Docs {
		provider := row.Text("provider")
		if b.Providers[provider] != nil && payment.Supports(provider, kind) && (best == nil || row.Bool("isDefault") && !best.Bool("isDefault")) {
			best = row
		}
	}
	if best == nil {
		return account{}, payment.ErrNotConfigured
	}
	held, err := tx.Hold(ctx, s, best.ID())
	switch {
	case errors.Is(err, ports.ErrAbsent), err == nil && !held.Bool("enabled"): // gone, or switched off, since it was found
		return account{}, payment.ErrNotConfigured
	case err != nil:
		return account{}, err
	}
	return b.open(held)
}

// account opens the connection of a session, enabled or not: money under way must be settled. Errors: payment.ErrNotConfigured.
func (b *Buying) account(ctx context.Context, r ports.Reader, s payment.Session) (account, error) {
	row, err := r.Get(ctx, payment.Connections, s.Connection)
	if errors.Is(err, ports.ErrAbsent) {
		return account{}, payment.ErrNotConfigured.Because(err)
	}
	if err != nil {
		return account{}, err
	}
	return b.open(row)
}

func (b *Buying) open(row collection.Record) (account, error) {
	a := account{Connection: ports.Connection{
		ID: row.ID(), Tenant: tenant.ID(row.Text("tenant")), Provider: row.Text("provider"), AccountKey: row.Text("accountKey"),
		Environment: tenant.Environment(row.Text("environment")), Credentials: map[string]string{},
	}, provider: b.Providers[row.Text("provider")], methods: row.Texts("enabledMethods")}
	if a.provider == nil {
		return a, payment.ErrNotConfigured
	}
	sealed, _ := row["credentials"].(string)
	if sealed == "" {
		return a, nil
	}
	plain, err := b.Vault.Open(credentialsLabel(row.ID()), sealed)
	if err != nil {
		return a, fmt.Errorf("open credentials of connection %s: %w", row.ID(), err)
	}
	if err := json.Unmarshal(plain, &a.Credentials); err != nil {
		return a, fmt.Errorf("read credentials of connection %s: %w", row.ID(), err)
	}
	a.provider = discreetly(a.provider, a.Credentials)
	return a, nil
}

func credentialsLabel(connection string) string {
	return "provider-connections/" + connection + "/credentials"
}

func webhookLabel(connection string) string {
	return "provider-connections/" + connection + "/webhookSecrets"
}

// SealCredentials is the stored form of a connection's credentials.
func SealCredentials(v ports.Vault, connection string, credentials map[string]string) (string, error) {
	plain, err := json.Marshal(credentials)
	if err != nil {
		return "", err
	}
	return v.Seal(credentialsLabel(connection), plain)
}

// ConnectionHooks seal what a write to provider-connections brings: credentials, an object of texts, and webhook secrets.
// A connection that payments were made by stays: their money could neither be asked for nor given back without it.
func ConnectionHooks(v ports.Vault) content.Hooks {
	return content.Hooks{Within: func(ctx context.Context, tx ports.Tx, w *content.Write) error {
		if w.After == nil {
			return unused(ctx, tx, w.ID)
		}
		if raw, given := w.Input["credentials"]; given && raw != nil {
			plain, err := credentials(raw)
			if err != nil {
				return err
			}
			if w.After["credentials"], err = SealCredentials(v, w.ID, plain); err != nil {
				return err
			}
		}
		return sealWebhookSecrets(v, w)
	}}
}

// unused refuses to forget a connection that payment sessions name. Who opens one holds the connection, so that there is none
// this does not see. Errors: payment.ErrConnectionUsed.
func unused(ctx context.Context, tx ports.Tx, connection string) error {
	s := payment.Sessions
	page, err := tx.Records.Find(ctx, collection.Query{
		Schema: s, Where: s.Where("connection", collection.Equals, connection), Limit: 1, Page: 1, Uncounted: true,
	})
	if err == nil && len(page.Docs) > 0 {
		return payment.ErrConnectionUsed
	}
	return err
}

func credentials(raw collection.Tree) (map[string]string, error) {
	m, ok := raw.(map[string]any)
	if !ok {
		return nil, fault.Invalidf("credentials", "This field takes an object of texts.")
	}
	plain := make(map[string]string, len(m))
	for name, value := range m {
		if plain[name], ok = value.(string); !ok {
			return nil, fault.Invalidf("credentials."+name, "This field takes a text.")
		}
	}
	return plain, nil
}

func sealWebhookSecrets(v ports.Vault, w *content.Write) error {
	given, _ := w.Input["webhookSecrets"].([]any)
	if given == nil {
		return nil
	}
	sealed := make([]string, 0, len(given))
	for _, secret := range given {
		text, _ := secret.(string)
		one, err := v.Seal(webhookLabel(w.ID), []byte(text))
		if err != nil {
			return err
		}
		sealed = append(sealed, one)
	}
	w.After["webhookSecrets"] = sealed
	return nil
}
