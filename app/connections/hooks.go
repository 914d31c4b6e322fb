package connections

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

func credentialsLabel(connection string) string {
	return "provider-connections/" + connection + "/credentials"
}

func webhookSecretsLabel(connection string) string {
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

// Hooks encrypt the secrets in a write to provider-connections: credentials, an object of strings that has what
// its provider needs, and webhook secrets. A connection that payments were made through cannot be deleted: without it their money
// could neither be looked up nor refunded. Connections to the sandbox get the secrets that sandbox returns.
func Hooks(v ports.Vault, providers []payment.Provider, sandbox SandboxSecrets) records.Hooks {
	return records.Hooks{BeforeWrite: func(ctx context.Context, tx ports.Tx, w *records.Write) error {
		if w.After == nil {
			return checkUnused(ctx, tx, w.ID)
		}
		of, known := describe(providers, w.After)
		if known {
			if err := of.CheckCapture(checkout.CaptureMode(w.After.Text("capture"))); err != nil {
				return err
			}
		}
		if raw, given := w.Input["credentials"]; given && raw != nil {
			plain, err := parseCredentials(raw)
			if err == nil && known {
				err = of.CheckCredentials(w.After.Text("accountKey"), plain)
			}
			if err != nil {
				return err
			}
			if w.After["credentials"], err = SealCredentials(v, w.ID, plain); err != nil {
				return err
			}
		}
		if err := sealWebhookSecrets(v, w); err != nil {
			return err
		}
		return sandbox.seal(v, w)
	}}
}

// checkUnused refuses to delete a connection that payment sessions name. Opening a session locks the
// connection (see Opener.Pick), so no session can be opened between this check and the deletion. Errors:
// payment.ErrConnectionInUse.
func checkUnused(ctx context.Context, tx ports.Tx, connection string) error {
	s := payment.Sessions
	page, err := tx.Records.Find(ctx, collection.Query{
		Schema: s, Where: s.Where("connection", collection.Equals, connection), Limit: 1, Page: 1, SkipCount: true,
	})
	if err == nil && len(page.Docs) > 0 {
		return payment.ErrConnectionInUse
	}
	return err
}

func parseCredentials(raw collection.JSONValue) (map[string]string, error) {
	m, ok := raw.(map[string]any)
	if !ok {
		return nil, fault.Invalidf("credentials", "This field takes an object of strings.")
	}
	plain := make(map[string]string, len(m))
	for name, value := range m {
		if plain[name], ok = value.(string); !ok {
			return nil, fault.Invalidf("credentials."+name, "This field takes a string.")
		}
	}
	return plain, nil
}

// describe is what the adapter for the provider of a connection says of itself; known is false when there is none, and any
// connection is taken.
func describe(providers []payment.Provider, connection collection.Record) (p payment.Provider, known bool) {
	i := slices.IndexFunc(providers, func(p payment.Provider) bool { return p.Name == connection.Text("provider") })
	if i < 0 {
		return p, false
	}
	return providers[i], true
}

func sealWebhookSecrets(v ports.Vault, w *records.Write) error {
	given, _ := w.Input["webhookSecrets"].([]any)
	if given == nil {
		return nil
	}
	sealed := make([]string, 0, len(given))
	for _, secret := range given {
		text, _ := secret.(string)
		one, err := v.Seal(webhookSecretsLabel(w.ID), []byte(text))
		if err != nil {
			return err
		}
		sealed = append(sealed, one)
	}
	w.After["webhookSecrets"] = sealed
	return nil
}
