package buying

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

// Seals looks after what connections keep encrypted.
type Seals struct {
	Store ports.Store
	Vault ports.Vault
	Renew Renew // nil: nothing
	Now   func() time.Time
	NewID func() string
}

// Renew replaces, in place, secrets of a connection that were made from an older version of the server's own secret.
type Renew func(c ports.Connection, webhookSecrets []string)

// Sealed is what is kept encrypted.
type Sealed struct {
	Seen       int      // connections
	Old        int      // of them, those that an older secret sealed; Rotate has sealed them anew
	Unreadable []string // ids of those that no configured secret opens
}

// Examine opens everything and changes nothing.
func (s Seals) Examine(ctx context.Context) (found Sealed, err error) {
	all, err := s.connections(ctx)
	for _, row := range all {
		found.Seen++
		after, err := s.anew(row)
		switch {
		case err != nil:
			found.Unreadable = append(found.Unreadable, row.ID())
		case differ(row, after):
			found.Old++
		}
	}
	return found, err
}

// Rotate seals anew what an older secret sealed, one connection per transaction: it can be stopped at any time and run
// again, and a connection that somebody changes meanwhile is sealed as it is then. A rotation is a change like any other.
func (s Seals) Rotate(ctx context.Context) (found Sealed, err error) {
	all, err := s.connections(ctx)
	for i := 0; err == nil && i < len(all); i++ {
		err = s.rotate(ctx, tenant.ID(all[i].Text("tenant")), all[i].ID(), &found)
	}
	return found, err
}

func (s Seals) rotate(ctx context.Context, of tenant.ID, id string, found *Sealed) error {
	var resealed, unreadable bool
	err := s.Store.Atomically(ctx, ports.Of(of), func(ctx context.Context, tx ports.Tx) error {
		before, err := tx.Records.Lock(ctx, payment.Connections, id)
		if err != nil {
			return err
		}
		after, err := s.anew(before)
		unreadable = err != nil
		if resealed = err == nil && differ(before, after); !resealed {
			return nil // those that cannot be read are told at the end
		}
		return tx.Records.Write(ctx, collection.NewChange(payment.Connections, before, after, s.NewID(), s.Now()))
	})
	switch {
	case errors.Is(err, ports.ErrAbsent):
		return nil // deleted since it was listed
	case err != nil:
		return err
	case unreadable:
		found.Unreadable = append(found.Unreadable, id)
	case resealed:
		found.Old++
	}
	found.Seen++
	return nil
}

// differ reports whether something was sealed anew.
func differ(before, after collection.Record) bool {
	was, _ := before["webhookSecrets"].([]string)
	is, _ := after["webhookSecrets"].([]string)
	return before.Text("credentials") != after.Text("credentials") || !slices.Equal(was, is)
}

// connections lists those of all tenants.
func (s Seals) connections(ctx context.Context) ([]collection.Record, error) {
	c := payment.Connections
	oldest := []collection.Order{{Path: c.Where("createdAt", collection.Exists, true).Path}}
	return ports.All(ctx, s.Store.Read(ports.Scope{System: true}), collection.Query{Schema: c, Sort: oldest})
}

// anew is a connection sealed with the newest secret, where it was not.
func (s Seals) anew(row collection.Record) (collection.Record, error) {
	after, id := row.Clone(), row.ID()
	plain := map[string]string{}
	newest := true
	if sealed := row.Text("credentials"); sealed != "" {
		text, err := s.Vault.Open(credentialsLabel(id), sealed)
		if err == nil {
			err = json.Unmarshal(text, &plain)
		}
		if err != nil {
			return nil, err
		}
		_, newest = s.Vault.Version(sealed)
	}
	sealed, _ := row["webhookSecrets"].([]string)
	hooks := make([]string, len(sealed))
	for i, one := range sealed {
		text, err := s.Vault.Open(webhookLabel(id), one)
		if err != nil {
			return nil, err
		}
		hooks[i] = string(text)
	}
	had, told := maps.Clone(plain), slices.Clone(hooks)
	if s.Renew != nil {
		s.Renew(ports.Connection{ID: id, Provider: row.Text("provider"), AccountKey: row.Text("accountKey"), Credentials: plain}, hooks)
	}
	if !newest || !maps.Equal(had, plain) {
		var err error
		if after["credentials"], err = SealCredentials(s.Vault, id, plain); err != nil {
			return nil, err
		}
	}
	if len(sealed) == 0 {
		return after, nil
	}
	fresh := slices.Clone(sealed)
	for i := range fresh {
		if _, newest := s.Vault.Version(sealed[i]); newest && told[i] == hooks[i] {
			continue
		}
		var err error
		if fresh[i], err = s.Vault.Seal(webhookLabel(id), []byte(hooks[i])); err != nil {
			return nil, err
		}
	}
	after["webhookSecrets"] = fresh
	return after, nil
}
