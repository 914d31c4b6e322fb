package access

import (
	"context"
	"errors"
	"maps"
	"time"

	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// ErrKeyRevoked says that a revoked key cannot be rotated.
var ErrKeyRevoked = fault.New(fault.Conflict, "key_revoked", "This API key was revoked. Create a new one.")

// keyReceiptLife is how long an idempotency key gives the same API key again, as for other collections.
const keyReceiptLife = 7 * 24 * time.Hour

// NewKey makes an API key from {name, kind, environment, scopes?} and answers {id, message, doc, key}. The text is given
// this once, and again under the same idempotency key, from which it is derived: nobody keeps it. Errors:
// fault.ErrForbidden, fault.ErrValidation, once.ErrKeyReused.
func (a *Access) NewKey(ctx context.Context, call once.Call, input map[string]any) (once.Answer, error) {
	p := call.Principal
	if _, err := Allowed(p, identity.APIKeys, collection.Create); err != nil {
		return once.Answer{}, err
	}
	record, err := a.draftKey(p, input)
	if err != nil {
		return once.Answer{}, err
	}
	return a.giveKey(ctx, call, ports.Created, "API key created. It is shown only this once.", func(ctx context.Context, tx ports.Tx) (collection.Record, string, int, error) {
		fresh := record.Clone()
		text, version, err := call.Mint(a.Letters.Vault, keyPrefix(fresh), fresh.ID())
		if err != nil {
			return nil, "", 0, err
		}
		fresh["hash"], fresh["last4"] = once.HashText(text), text[len(text)-4:]
		return fresh, text, version, tx.Records.Write(ctx, collection.NewChange(identity.APIKeys, nil, fresh, a.NewID(), a.Now()))
	})
}

// draftKey is a new key without its text. Errors: fault.ErrValidation.
func (a *Access) draftKey(p tenant.Principal, input map[string]any) (collection.Record, error) {
	open := *identity.APIKeys // its own operation may write what the collection leaves to operations
	open.Operated = false
	born := collection.Record{"id": a.NewID(), "tenant": string(p.Tenant.ID)}
	record, err := collection.Writer{Schema: &open, Currency: p.Tenant.Currency, NewID: a.NewID, Born: born}.Accept(nil, input)
	if err != nil {
		return nil, err
	}
	kind, given := record.Text("kind"), len(record.Texts("scopes")) > 0
	switch {
	case kind == identity.ClientKey && given:
		return nil, fault.Invalidf("scopes", "A client key has no scopes: it only reads.")
	case kind == identity.SecretKey && !given:
		record["scopes"] = []string{identity.ScopeRead, identity.ScopeWrite}
	}
	maps.Copy(record, born)
	return record, nil
}

// RotateKey replaces the text of a key; the old one and the server tokens made with it are unknown
// from then on, to every instance within a second. It answers as NewKey does.
// Errors: fault.ErrForbidden, fault.ErrNotFound, ErrKeyRevoked, once.ErrKeyReused.
func (a *Access) RotateKey(ctx context.Context, call once.Call, id string) (once.Answer, error) {
	if _, err := Allowed(call.Principal, identity.APIKeys, collection.Update); err != nil {
		return once.Answer{}, err
	}
	return a.giveKey(ctx, call, ports.OK, "API key rotated. It is shown only this once.", func(ctx context.Context, tx ports.Tx) (collection.Record, string, int, error) {
		before, err := tx.Records.Lock(ctx, identity.APIKeys, id)
		if err == nil && !before.Time("revokedAt").IsZero() {
			err = ErrKeyRevoked
		}
		if err != nil {
			return nil, "", 0, err
		}
		text, version, err := call.Mint(a.Letters.Vault, keyPrefix(before), id)
		if err != nil {
			return nil, "", 0, err
		}
		after := before.Clone()
		after["hash"], after["last4"] = once.HashText(text), text[len(text)-4:]
		return after, text, version, tx.Records.Write(ctx, collection.NewChange(identity.APIKeys, before, after, a.NewID(), a.Now()))
	})
}

// giveKey runs work once per idempotency key, if there is one, and answers with the text of the key it made.
func (a *Access) giveKey(ctx context.Context, call once.Call, result ports.Result, message string, work func(context.Context, ports.Tx) (collection.Record, string, int, error)) (answer once.Answer, err error) {
	if done, err := a.givenKey(ctx, call); done != nil || err != nil {
		return orNone(done), err
	}
	err = a.Store.Atomically(ctx, ports.For(call.Principal), func(ctx context.Context, tx ports.Tx) error {
		record, text, version, err := work(ctx, tx)
		if err != nil {
			return err
		}
		body := keyBody(message, record)
		answer = once.Answer{Result: result, Body: once.WithToken(body, "key", text), RequestID: call.RequestID}
		if call.Key == "" {
			return nil
		}
		r := call.Receipt(result, body, nil, a.Now(), a.Now().Add(keyReceiptLife))
		r.Record, r.TokenVersion = record.ID(), version
		return tx.Receipts.Keep(ctx, r, 0)
	})
	if errors.Is(err, ports.ErrReceiptExists) { // another request with this key was faster
		done, err := a.givenKey(ctx, call)
		return orNone(done), err
	}
	return answer, err
}

// givenKey is the answer given before under call's idempotency key, nil when there is none.
func (a *Access) givenKey(ctx context.Context, call once.Call) (*once.Answer, error) {
	if call.Key == "" {
		return nil, nil
	}
	reader := a.Store.Read(ports.For(call.Principal))
	r, err := reader.Receipt(ctx, call.ReceiptKey())
	if errors.Is(err, ports.ErrAbsent) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	answer, err := call.Replay(r)
	if err != nil {
		return nil, err
	}
	record, err := reader.Get(ctx, identity.APIKeys, r.Record)
	if err != nil {
		return nil, err
	}
	text, err := call.Remint(a.Letters.Vault, keyPrefix(record), r)
	answer.Body = once.WithToken(answer.Body, "key", text)
	return &answer, err
}

func orNone(a *once.Answer) once.Answer {
	if a == nil {
		return once.Answer{}
	}
	return *a
}

// keyBody is {id, message, doc}.
func keyBody(message string, record collection.Record) []byte {
	b := collection.AppendString([]byte(`{"id":`), record.ID())
	b = collection.AppendString(append(b, `,"message":`...), message)
	b = collection.AppendJSON(append(b, `,"doc":`...), identity.APIKeys, record, collection.View{Audience: collection.Staff})
	return append(b, '}')
}

// keyPrefix is how the text of a key begins.
func keyPrefix(key collection.Record) string {
	prefix := "pk_"
	if key.Text("kind") == identity.SecretKey {
		prefix = "sk_"
	}
	return prefix + key.Text("environment") + "_"
}

// RevokeKey makes a key unknown from now on, to every instance within a second; a revoked one stays revoked. It answers
// {id, message, doc}. Errors: fault.ErrForbidden, fault.ErrNotFound.
func (a *Access) RevokeKey(ctx context.Context, call once.Call, id string) (answer once.Answer, err error) {
	p := call.Principal
	if _, err := Allowed(p, identity.APIKeys, collection.Delete); err != nil {
		return once.Answer{}, err
	}
	err = a.Store.Atomically(ctx, ports.For(p), func(ctx context.Context, tx ports.Tx) error {
		before, err := tx.Records.Lock(ctx, identity.APIKeys, id)
		if err != nil {
			return err
		}
		after := before
		if before.Time("revokedAt").IsZero() {
			after = before.Clone()
			after["revokedAt"] = collection.Instant(a.Now())
			err = tx.Records.Write(ctx, collection.NewChange(identity.APIKeys, before, after, a.NewID(), a.Now()))
		}
		answer = once.Answer{Result: ports.OK, Body: keyBody("API key revoked.", after), RequestID: call.RequestID}
		return err
	})
	return answer, err
}
