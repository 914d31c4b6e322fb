package connections

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Opener decrypts connections.
type Opener struct {
	Vault     ports.Vault
	Providers map[string]ports.Provider // adapters by provider name; a connection to any other provider cannot be used
	Choices   *Choices                  // what Choose has found; nil remembers nothing
}

// Opened is a decrypted connection with the adapter that speaks to it.
type Opened struct {
	ports.Connection

	Adapter        ports.Provider
	Description    payment.Provider // what the adapter says of itself
	Capture        checkout.CaptureMode
	EnabledMethods []string // payment methods that hosted pages may offer
}

// Pick opens the connection that a new session uses: the one with this id, else the default one that supports
// the kind, else the oldest that does. It is locked against changes until the transaction ends, so every
// call that the session makes finds it. What was chosen before the transaction is taken if it is still the choice. Errors:
// payment.ErrNotConfigured, also when it lacks a credential that the kind needs.
func (o Opener) Pick(
	ctx context.Context, tx ports.Records, env tenant.Environment, id string, kind payment.Kind, before Choice,
) (Opened, error) {
	found, err := o.still(ctx, tx, before)
	if err == nil && found == nil {
		found, err = o.find(ctx, tx, env, id, kind)
	}
	if err != nil {
		return Opened{}, err
	}
	locked, err := tx.LockShared(ctx, payment.Connections, found.ID())
	switch {
	case err == nil && locked.Sequence() != found.Sequence(), errors.Is(err, ports.ErrNotFound): // changed or deleted since it was found
		o.Choices.drop(before)
		return o.Pick(ctx, tx, env, id, kind, Choice{})
	case err != nil:
		return Opened{}, err
	}
	a, err := o.Open(locked)
	if missing := a.Description.Missing(kind, a.Credentials); err == nil && len(missing) > 0 {
		return a, payment.ErrNotConfigured.WithCause(fmt.Errorf("connection %s has no %s", a.ID, strings.Join(missing, ", ")))
	}
	return a, err
}

// find finds the connection that Pick opens. Errors: payment.ErrNotConfigured.
func (o Opener) find(
	ctx context.Context, r ports.Reader, env tenant.Environment, id string, kind payment.Kind,
) (best collection.Record, err error) {
	s := payment.Connections
	where := collection.And{s.Where("environment", collection.Equals, string(env)), s.Where("enabled", collection.Equals, true)}
	if id != "" {
		where = append(where, s.Where("id", collection.Equals, id))
	}
	oldest := s.SortBy("createdAt")
	page, err := r.Find(ctx, collection.Query{Schema: s, Where: where, Sort: oldest, Limit: collection.MaxLimit, Page: 1, SkipCount: true})
	if err != nil {
		return nil, err
	}
	for _, row := range page.Docs {
		provider := row.Text("provider")
		if o.Providers[provider] != nil && o.Providers[provider].Describe().Supports(kind) &&
			(best == nil || row.Bool("isDefault") && !best.Bool("isDefault")) {
			best = row
		}
	}
	if best == nil {
		return nil, payment.ErrNotConfigured
	}
	return best, nil
}

// Of opens the connection of a session, enabled or not: payments that have begun must be settled. Errors:
// payment.ErrNotConfigured.
func (o Opener) Of(ctx context.Context, r ports.Reader, s payment.Session) (Opened, error) {
	row, err := r.Get(ctx, payment.Connections, s.Connection)
	if errors.Is(err, ports.ErrNotFound) {
		return Opened{}, payment.ErrNotConfigured.WithCause(err)
	}
	if err != nil {
		return Opened{}, err
	}
	return o.Open(row)
}

// Open decrypts the credentials of a stored connection. Errors: payment.ErrNotConfigured when there is no
// adapter for its provider.
func (o Opener) Open(row collection.Record) (Opened, error) {
	a := Opened{Connection: ports.Connection{
		ID: row.ID(), Tenant: tenant.ID(row.Text("tenant")), Provider: row.Text("provider"), AccountKey: row.Text("accountKey"),
		Environment: tenant.Environment(row.Text("environment")), Credentials: map[string]string{},
	}, Adapter: o.Providers[row.Text("provider")], EnabledMethods: row.Texts("enabledMethods"),
		Capture: cmp.Or(checkout.CaptureMode(row.Text("capture")), checkout.CaptureAtOnce)}
	if a.Adapter == nil {
		return a, payment.ErrNotConfigured
	}
	a.Description = a.Adapter.Describe()
	sealed, _ := row["credentials"].(string)
	if sealed == "" {
		return a, nil
	}
	plain, err := o.Vault.Open(credentialsLabel(row.ID()), sealed)
	if err != nil {
		return a, fmt.Errorf("open credentials of connection %s: %w", row.ID(), err)
	}
	if err := json.Unmarshal(plain, &a.Credentials); err != nil {
		return a, fmt.Errorf("read credentials of connection %s: %w", row.ID(), err)
	}
	a.Adapter = redacting(a.Adapter, a.Credentials)
	return a, nil
}

// WebhookSecrets decrypts the secrets that sign the webhooks of a stored connection, newest first.
func (o Opener) WebhookSecrets(row collection.Record) ([]string, error) {
	sealed, _ := row["webhookSecrets"].([]string)
	secrets := make([]string, len(sealed))
	for i, s := range sealed {
		plain, err := o.Vault.Open(webhookSecretsLabel(row.ID()), s)
		if err != nil {
			return nil, fmt.Errorf("open webhook secrets of connection %s: %w", row.ID(), err)
		}
		secrets[i] = string(plain)
	}
	return secrets, nil
}

// LookupPayment returns what the provider says about a session's payment; it changes nothing. Errors:
// payment.ErrNotConfigured, ports.ErrProviderUnavailable, ports.ErrProviderRejected.
func (o Opener) LookupPayment(ctx context.Context, r ports.Reader, s payment.Session) (ports.ProviderPayment, error) {
	a, err := o.Of(ctx, r, s)
	if err != nil {
		return ports.ProviderPayment{}, err
	}
	return Lookup(ctx, a, s)
}

// Lookup is LookupPayment at an opened connection.
func Lookup(ctx context.Context, a Opened, s payment.Session) (ports.ProviderPayment, error) {
	return a.Adapter.Lookup(ctx, a.Connection, PaymentRef(s))
}

// PaymentRef is every id by which a provider may know the payment of s.
func PaymentRef(s payment.Session) ports.PaymentRef {
	return ports.PaymentRef{PaymentID: s.PaymentID, ProviderSessionID: s.ProviderSessionID, ProviderPaymentID: s.ProviderPaymentID}
}
