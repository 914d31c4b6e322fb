package access

import (
	"context"
	"maps"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// ErrKeyRevoked says that a revoked key cannot be rotated.
var ErrKeyRevoked = fault.New(fault.Conflict, "key_revoked", "This API key was revoked. Create a new one.")

// NewKey makes an API key from {name, kind, environment, scopes?}. The text is given this once. Errors:
// fault.ErrForbidden, fault.ErrValidation.
func (a *Access) NewKey(ctx context.Context, p tenant.Principal, input map[string]any) (record collection.Record, text string, err error) {
	if _, err := Allowed(p, identity.APIKeys, collection.Create); err != nil {
		return nil, "", err
	}
	open := *identity.APIKeys // its own operation may write what the collection leaves to operations
	open.Operated = false
	w := collection.Writer{Schema: &open, Currency: p.Tenant.Currency, NewID: a.NewID}
	record, err = w.Accept(nil, input)
	if err != nil {
		return nil, "", err
	}
	kind, env := record.Text("kind"), tenant.Environment(record.Text("environment"))
	if kind == identity.ClientKey && len(record.Texts("scopes")) > 0 {
		return nil, "", fault.Invalidf("scopes", "A client key has no scopes: it only reads.")
	}
	text = MintKey(kind, env)
	given := record.Texts("scopes")
	maps.Copy(record, KeyRecord(record.Text("name"), kind, env, text))
	if len(given) > 0 {
		record["scopes"] = given
	}
	record["id"], record["tenant"] = a.NewID(), string(p.Tenant.ID)
	err = a.Store.Atomically(ctx, ports.For(p), func(ctx context.Context, tx ports.Tx) error {
		return tx.Records.Write(ctx, collection.NewChange(identity.APIKeys, nil, record, a.NewID(), a.Now()))
	})
	return record, text, err
}

// RotateKey replaces the text of a key; the old one is unknown from then on. Errors: fault.ErrForbidden, fault.ErrNotFound, ErrKeyRevoked.
func (a *Access) RotateKey(ctx context.Context, p tenant.Principal, id string) (record collection.Record, text string, err error) {
	record, err = a.changeKey(ctx, p, id, func(key collection.Record) error {
		if !key.Time("revokedAt").IsZero() {
			return ErrKeyRevoked
		}
		kind, env := key.Text("kind"), tenant.Environment(key.Text("environment"))
		text = MintKey(kind, env)
		fresh := KeyRecord(key.Text("name"), kind, env, text)
		key["hash"], key["last4"] = fresh["hash"], fresh["last4"]
		return nil
	})
	return record, text, err
}

// RevokeKey makes a key unknown from now on; a revoked one stays revoked. Errors: fault.ErrForbidden, fault.ErrNotFound.
func (a *Access) RevokeKey(ctx context.Context, p tenant.Principal, id string) (collection.Record, error) {
	return a.changeKey(ctx, p, id, func(key collection.Record) error {
		if key.Time("revokedAt").IsZero() {
			key["revokedAt"] = collection.Instant(a.Now())
		}
		return nil
	})
}

func (a *Access) changeKey(ctx context.Context, p tenant.Principal, id string, change func(collection.Record) error) (after collection.Record, err error) {
	if _, err := Allowed(p, identity.APIKeys, collection.Delete); err != nil {
		return nil, err
	}
	err = a.Store.Atomically(ctx, ports.For(p), func(ctx context.Context, tx ports.Tx) error {
		before, err := tx.Records.Lock(ctx, identity.APIKeys, id)
		if err != nil {
			return err
		}
		after = before.Clone()
		if err := change(after); err != nil {
			return err
		}
		return tx.Records.Write(ctx, collection.NewChange(identity.APIKeys, before, after, a.NewID(), a.Now()))
	})
	return after, err
}
