package access

import (
	"context"
	"errors"
	"maps"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// ErrKeyRevoked refuses to rotate a revoked key.
var ErrKeyRevoked = fault.New(fault.Conflict, "key_revoked", "This API key was revoked. Create a new one.")

// CreateKey makes an API key from {name, kind, environment, scopes?} and responds with {id, message, doc,
// key}. The text is returned once, and again under the same idempotency key, from which it is derived; it is
// not stored. Errors: fault.ErrForbidden, fault.ErrValidation, idempotency.ErrKeyReused.
func (a *Service) CreateKey(ctx context.Context, call idempotency.Call, input map[string]any) (idempotency.Response, error) {
	p := call.Principal
	if _, err := Allowed(p, identity.APIKeys, collection.Create); err != nil {
		return idempotency.Response{}, err
	}
	record, err := a.buildKey(p, input)
	if err != nil {
		return idempotency.Response{}, err
	}
	return a.issueKey(ctx, call, ports.ReceiptCreated, "API key created. It is shown only this once.",
		func(ctx context.Context, tx ports.Tx) (collection.Record, string, int, error) {
			fresh := record.Clone()
			text, version, err := call.MintToken(a.EmailTokens.Vault, keyPrefix(fresh), fresh.ID())
			if err != nil {
				return nil, "", 0, err
			}
			fresh["hash"], fresh["last4"] = idempotency.HashToken(text), text[len(text)-4:]
			return fresh, text, version, tx.Records.Write(ctx, collection.NewChange(identity.APIKeys, nil, fresh, a.NewID(), a.Now()))
		})
}

// buildKey is a new key record without its text. Errors: fault.ErrValidation.
func (a *Service) buildKey(p tenant.Principal, input map[string]any) (collection.Record, error) {
	open := *identity.APIKeys // this operation may write the fields that only commands can
	open.CommandOnly = false
	born := collection.Record{"id": a.NewID(), "tenant": string(p.Tenant.ID)}
	record, err := collection.InputParser{Schema: &open, Currency: p.Tenant.Currency, NewID: a.NewID, Preset: born}.Merge(nil, input)
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

// RotateKey replaces the text of a key. The old text and the server tokens made with it become invalid, on
// every instance within a second. The response is that of CreateKey. Errors: fault.ErrForbidden,
// fault.ErrNotFound, ErrKeyRevoked, idempotency.ErrKeyReused.
func (a *Service) RotateKey(ctx context.Context, call idempotency.Call, id string) (idempotency.Response, error) {
	if _, err := Allowed(call.Principal, identity.APIKeys, collection.Update); err != nil {
		return idempotency.Response{}, err
	}
	return a.issueKey(ctx, call, ports.ReceiptOK, "API key rotated. It is shown only this once.",
		func(ctx context.Context, tx ports.Tx) (collection.Record, string, int, error) {
			before, err := tx.Records.Lock(ctx, identity.APIKeys, id)
			if err == nil && !before.Time("revokedAt").IsZero() {
				err = ErrKeyRevoked
			}
			if err != nil {
				return nil, "", 0, err
			}
			text, version, err := call.MintToken(a.EmailTokens.Vault, keyPrefix(before), id)
			if err != nil {
				return nil, "", 0, err
			}
			after := before.Clone()
			after["hash"], after["last4"] = idempotency.HashToken(text), text[len(text)-4:]
			return after, text, version, tx.Records.Write(ctx, collection.NewChange(identity.APIKeys, before, after, a.NewID(), a.Now()))
		})
}

// issueKey runs work once per idempotency key, if one was sent, and responds with the text of the resulting
// API key.
func (a *Service) issueKey(
	ctx context.Context, call idempotency.Call, result ports.ReceiptResult, message string,
	work func(context.Context, ports.Tx) (collection.Record, string, int, error),
) (answer idempotency.Response, err error) {
	if done, err := a.replayIssuedKey(ctx, call); done != nil || err != nil {
		return orZero(done), err
	}
	err = a.Store.Atomically(ctx, ports.ForPrincipal(call.Principal), func(ctx context.Context, tx ports.Tx) error {
		record, text, version, err := work(ctx, tx)
		if err != nil {
			return err
		}
		body := keyBody(message, record).WithSecret(reply.Secret{Name: "key", Text: text})
		answer = idempotency.Response{Result: result, Body: body, RequestID: call.RequestID, Sequence: record.Sequence()}
		if call.Key == "" {
			return nil
		}
		r := call.Receipt(result, body, nil, a.Now(), a.Now().Add(idempotency.Retention))
		r.About(record)
		r.TokenVersion = version
		return tx.Receipts.Save(ctx, r.Receipt, 0)
	})
	if errors.Is(err, ports.ErrReceiptExists) { // another request with this key committed first
		done, err := a.replayIssuedKey(ctx, call)
		return orZero(done), err
	}
	return answer, err
}

// replayIssuedKey is the stored response under call's idempotency key, nil if there is none.
func (a *Service) replayIssuedKey(ctx context.Context, call idempotency.Call) (*idempotency.Response, error) {
	if call.Key == "" {
		return nil, nil
	}
	reader := a.Store.Read(ports.ForPrincipal(call.Principal))
	r, err := reader.Receipt(ctx, call.ReceiptKey())
	if errors.Is(err, ports.ErrNotFound) {
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
	text, err := call.RemintToken(a.EmailTokens.Vault, keyPrefix(record), r)
	answer.Body = answer.Body.WithSecret(reply.Secret{Name: "key", Text: text})
	return &answer, err
}

func orZero(a *idempotency.Response) idempotency.Response {
	if a == nil {
		return idempotency.Response{}
	}
	return *a
}

// keyBody is {id, message, doc}.
func keyBody(message string, record collection.Record) *reply.Body {
	return reply.Of(collection.Staff,
		reply.Member{Name: "id", Value: record.ID()},
		reply.Member{Name: "message", Value: message},
		reply.Member{Name: "doc", Schema: identity.APIKeys, Record: record})
}

// keyPrefix is the prefix of a key's text.
func keyPrefix(key collection.Record) string {
	prefix := "pk_"
	if key.Text("kind") == identity.SecretKey {
		prefix = "sk_"
	}
	return prefix + key.Text("environment") + "_"
}

// revoke notes in a record since when it does not count any more, unless that is noted.
func (a *Service) revoke(ctx context.Context, tx ports.Tx, s *collection.Schema, before collection.Record) (collection.Record, error) {
	if !before.Time("revokedAt").IsZero() {
		return before, nil
	}
	after := before.Clone()
	after["revokedAt"] = collection.TruncateTime(a.Now())
	return after, tx.Records.Write(ctx, collection.NewChange(s, before, after, a.NewID(), a.Now()))
}

// RevokeKey invalidates a key, on every instance within a second; revoking it again changes nothing. It
// responds with {id, message, doc}. Errors: fault.ErrForbidden, fault.ErrNotFound.
func (a *Service) RevokeKey(ctx context.Context, call idempotency.Call, id string) (answer idempotency.Response, err error) {
	p := call.Principal
	if _, err := Allowed(p, identity.APIKeys, collection.Delete); err != nil {
		return idempotency.Response{}, err
	}
	err = a.Store.Atomically(ctx, ports.ForPrincipal(p), func(ctx context.Context, tx ports.Tx) error {
		before, err := tx.Records.Lock(ctx, identity.APIKeys, id)
		if err != nil {
			return err
		}
		after, err := a.revoke(ctx, tx, identity.APIKeys, before)
		answer = idempotency.Response{
			Result: ports.ReceiptOK, Body: keyBody("API key revoked.", after), RequestID: call.RequestID, Sequence: after.Sequence(),
		}
		return err
	})
	return answer, err
}
