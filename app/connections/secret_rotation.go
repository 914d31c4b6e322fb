package connections

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// SecretRotation re-encrypts the secrets of connections with the newest server secret.
type SecretRotation struct {
	Store ports.Store
	Vault ports.Vault
	Renew RenewSecrets // nil: no secret is replaced
	Now   func() time.Time
	NewID func() string
}

// RenewSecrets replaces, in place, secrets of a connection that were derived from an older version of the
// server's own secret.
type RenewSecrets func(c ports.Connection, webhookSecrets []string)

// RotationReport counts the connections of all tenants.
type RotationReport struct {
	Connections int      // connections that were read
	Outdated    int      // of them, those encrypted with an older secret; Rotate has re-encrypted them
	Unreadable  []string // ids of those that no configured secret decrypts
}

// Examine decrypts everything and changes nothing.
func (s SecretRotation) Examine(ctx context.Context) (found RotationReport, err error) {
	all, err := s.connections(ctx)
	return s.examine(all), err
}

// ExamineNewest is Examine of those of the n newest connections that have secrets.
func (s SecretRotation) ExamineNewest(ctx context.Context, n int) (found RotationReport, err error) {
	c := payment.Connections
	page, err := s.Store.Read(ports.Scope{System: true}).Find(ctx, collection.Query{
		Schema: c, Sort: c.SortByLast("createdAt"),
		Limit: n, Page: 1, SkipCount: true,
	})
	return s.examine(slices.DeleteFunc(page.Docs, func(r collection.Record) bool {
		secrets, _ := r["webhookSecrets"].([]string)
		return r.Text("credentials") == "" && len(secrets) == 0
	})), err
}

func (s SecretRotation) examine(all []collection.Record) (found RotationReport) {
	for _, row := range all {
		found.Connections++
		after, err := s.reseal(row)
		switch {
		case err != nil:
			found.Unreadable = append(found.Unreadable, row.ID())
		case sealsDiffer(row, after):
			found.Outdated++
		}
	}
	return found
}

// Rotate re-encrypts what an older secret encrypted, one connection per transaction: it can be stopped at any
// time and run again, and a connection that changes meanwhile is re-encrypted as it is then. A rotation makes
// an event like any other change.
func (s SecretRotation) Rotate(ctx context.Context) (found RotationReport, err error) {
	all, err := s.connections(ctx)
	for i := 0; err == nil && i < len(all); i++ {
		err = s.rotate(ctx, tenant.ID(all[i].Text("tenant")), all[i].ID(), &found)
	}
	return found, err
}

func (s SecretRotation) rotate(ctx context.Context, of tenant.ID, id string, found *RotationReport) error {
	var resealed, unreadable bool
	err := s.Store.Atomically(ctx, ports.ForTenant(of), func(ctx context.Context, tx ports.Tx) error {
		before, err := tx.Records.Lock(ctx, payment.Connections, id)
		if err != nil {
			return err
		}
		after, err := s.reseal(before)
		unreadable = err != nil
		if resealed = err == nil && sealsDiffer(before, after); !resealed {
			return nil // unreadable ones are reported at the end
		}
		return tx.Records.Write(ctx, collection.NewChange(payment.Connections, before, after, s.NewID(), s.Now()))
	})
	switch {
	case errors.Is(err, ports.ErrNotFound):
		return nil // deleted since it was listed
	case err != nil:
		return err
	case unreadable:
		found.Unreadable = append(found.Unreadable, id)
	case resealed:
		found.Outdated++
	}
	found.Connections++
	return nil
}

// sealsDiffer reports whether something was re-encrypted.
func sealsDiffer(before, after collection.Record) bool {
	was, _ := before["webhookSecrets"].([]string)
	is, _ := after["webhookSecrets"].([]string)
	return before.Text("credentials") != after.Text("credentials") || !slices.Equal(was, is)
}

// connections lists the connections of all tenants.
func (s SecretRotation) connections(ctx context.Context) ([]collection.Record, error) {
	c := payment.Connections
	oldest := c.SortBy("createdAt")
	return ports.FindAll(ctx, s.Store.Read(ports.Scope{System: true}), collection.Query{Schema: c, Sort: oldest})
}

// reseal returns a connection with everything encrypted with the newest secret.
func (s SecretRotation) reseal(row collection.Record) (collection.Record, error) {
	after, id := row.Clone(), row.ID()
	credentials, secrets, err := s.decrypt(row)
	if err != nil {
		return nil, err
	}
	hadCredentials, hadSecrets := maps.Clone(credentials), slices.Clone(secrets)
	if s.Renew != nil {
		s.Renew(ports.Connection{
			ID: id, Provider: row.Text("provider"), AccountKey: row.Text("accountKey"), Credentials: credentials,
		}, secrets)
	}
	if !s.newest(row.Text("credentials")) || !maps.Equal(hadCredentials, credentials) {
		if after["credentials"], err = SealCredentials(s.Vault, id, credentials); err != nil {
			return nil, err
		}
	}
	sealed, _ := row["webhookSecrets"].([]string)
	if len(sealed) == 0 {
		return after, nil
	}
	fresh := slices.Clone(sealed)
	for i := range fresh {
		if s.newest(sealed[i]) && hadSecrets[i] == secrets[i] {
			continue
		}
		if fresh[i], err = s.Vault.Seal(webhookSecretsLabel(id), []byte(secrets[i])); err != nil {
			return nil, err
		}
	}
	after["webhookSecrets"] = fresh
	return after, nil
}

// decrypt returns the credentials and the webhook secrets of a connection.
func (s SecretRotation) decrypt(row collection.Record) (credentials map[string]string, secrets []string, err error) {
	credentials = map[string]string{}
	if sealed := row.Text("credentials"); sealed != "" {
		text, err := s.Vault.Open(credentialsLabel(row.ID()), sealed)
		if err == nil {
			err = json.Unmarshal(text, &credentials)
		}
		if err != nil {
			return nil, nil, err
		}
	}
	secrets, err = Opener{Vault: s.Vault}.WebhookSecrets(row)
	return credentials, secrets, err
}

// newest reports whether a stored secret is encrypted with the newest server secret; nothing stored counts as
// newest.
func (s SecretRotation) newest(sealed string) bool {
	if sealed == "" {
		return true
	}
	_, newest := s.Vault.Version(sealed)
	return newest
}
