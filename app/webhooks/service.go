// Package webhooks manages webhook endpoints: create, rotate the secret, delete, test, redeliver, replay.
// Sending is package deliveries. Rules: features/webhooks/RULES.md.
//
// Details that the rules leave open. Endpoints are managed by admins and by the tenant's server. An endpoint
// belongs to its creator's environment; a user may name the other one, a secret key may not, because the
// endpoint would receive what the key cannot read. For the same reason a caller may only list collections
// that it can read entirely, as for the event feed, and an endpoint without a list receives only those. The
// secret is returned in the response that created it, as "secret" and in the record, and again under the same
// idempotency key, from which it is derived; it is stored encrypted. A rotation within a day of the previous
// one ends the older secret at once: two secrets sign, never three. No request to an endpoint is made while
// an operator waits: a test is an ordinary delivery, whose result is read a moment later. A replay examines
// at most MaxReplayEvents events and reports where to continue.
package webhooks

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"slices"
	"time"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/domain/webhook"
	"github.com/cartwright-dev/cartwright/ports"
)

// Service implements the operations on webhook endpoints and deliveries.
type Service struct {
	Store         ports.Store
	Log           ports.EventLog
	Cursors       FanOutCursors
	Idempotency   *idempotency.Runner
	Vault         ports.Vault
	Registry      *collection.Registry // the collections that endpoints can subscribe to
	AddressPolicy webhook.AddressPolicy
	Now           func() time.Time
	NewID         func() string
	// ReplayLimit is how many events one replay examines, ReplayPageSize how many of them one transaction
	// does; 0: MaxReplayEvents and 200.
	ReplayLimit, ReplayPageSize int
	Wake                        func(endpoint string) // tells the dispatcher that an operator requested a delivery; nil: it polls
}

// secretPrefix is the prefix of secrets in Standard Webhooks.
const secretPrefix = "whsec_"

// toSigningSecret makes the secret of a minted text: 32 bytes, encoded as the libraries of Standard Webhooks
// expect.
func toSigningSecret(minted string) string {
	sum := sha256.Sum256([]byte(minted))
	return secretPrefix + base64.StdEncoding.EncodeToString(sum[:])
}

// Resealer reseals the signing secrets of endpoints.
func Resealer(store ports.Store, v ports.Vault, now func() time.Time, newID func() string) records.Resealer {
	return records.Resealer{
		Store: store, Vault: v, Now: now, NewID: newID, Schema: webhook.Endpoints, Fields: []string{"sealedSecret", "sealedPrevious"},
		Label: sealLabel,
	}
}

// sealLabel binds a sealed secret to its endpoint.
func sealLabel(endpoint string) string { return webhook.Endpoints.Slug + "/" + endpoint + "/secret" }

// SigningSecrets decrypts the secrets that sign for e at now, newest first.
func SigningSecrets(v ports.Vault, e webhook.Endpoint, now time.Time) ([]string, error) {
	sealed := e.ActiveSecrets(now)
	out := make([]string, len(sealed))
	for i, one := range sealed {
		plain, err := v.Open(sealLabel(e.ID), one)
		if err != nil {
			return nil, fmt.Errorf("decrypt the secret of webhook endpoint %s: %w", e.ID, err)
		}
		out[i] = string(plain)
	}
	return out, nil
}

// mintSecret makes and encrypts a new secret for an endpoint.
func (h *Service) mintSecret(c idempotency.Call, endpoint string) (plain, sealed string, version int, err error) {
	minted, version, err := c.MintToken(h.Vault, secretPrefix, endpoint)
	if err != nil {
		return "", "", 0, err
	}
	plain = toSigningSecret(minted)
	sealed, err = h.Vault.Seal(sealLabel(endpoint), []byte(plain))
	return plain, sealed, version, err
}

// Create creates an endpoint from {url, collections?, operations?, description?, enabled?, environment?} and
// responds with {message, doc, secret}. Errors: fault.ErrForbidden, fault.ErrValidation,
// webhook.ErrEndpointLimit, those of idempotency.
func (h *Service) Create(ctx context.Context, c idempotency.Call, input map[string]any) (idempotency.Response, error) {
	if _, err := access.Allowed(c.Principal, webhook.Endpoints, collection.Create); err != nil {
		return idempotency.Response{}, err
	}
	record, err := h.newEndpointRecord(c.Principal, input)
	if err == nil {
		err = h.setAudience(c.Principal, nil, record)
	}
	if err != nil {
		return idempotency.Response{}, err
	}
	newest, err := h.newestSequence(ctx, c.Principal.Tenant.ID)
	if err != nil {
		return idempotency.Response{}, err
	}
	on := record["enabled"] == nil || record.Bool("enabled") // enabled by default
	webhook.SetEnabled(record, on, webhook.DisabledByOperator, newest, h.Now())
	return h.runWithSecret(ctx, c, "", ports.ReceiptCreated, "Webhook endpoint created. Its secret is shown only once.",
		func(ctx context.Context, tx ports.Tx) (endpointWithSecret, error) {
			if err := h.checkEndpointLimit(ctx, tx, c.Principal.Tenant); err != nil {
				return endpointWithSecret{}, err
			}
			fresh := record.Clone()
			secret, sealed, version, err := h.mintSecret(c, fresh.ID())
			if err != nil {
				return endpointWithSecret{}, err
			}
			fresh["sealedSecret"] = sealed
			return endpointWithSecret{fresh, secret, version}, tx.Records.Write(ctx,
				collection.NewChange(webhook.Endpoints, nil, fresh, h.NewID(), h.Now()))
		})
}

// endpointWithSecret is an endpoint with its new secret.
type endpointWithSecret struct {
	record  collection.Record
	secret  string
	version int // of the server secret that it was derived with
}

// newEndpointRecord is a new endpoint without a secret. Errors: fault.ErrValidation, fault.ErrForbidden.
func (h *Service) newEndpointRecord(p tenant.Principal, input map[string]any) (collection.Record, error) {
	open := *webhook.Endpoints // this operation may write the fields that only commands can
	open.CommandOnly = false
	env, err := chosenEnvironment(input["environment"], p.Environment)
	if err != nil {
		return nil, err
	}
	if env != p.Environment && p.Kind != tenant.User {
		return nil, fault.ErrForbidden.WithMessage("A key can only create webhook endpoints in its own environment.")
	}
	born := collection.Record{"id": h.NewID(), "tenant": string(p.Tenant.ID), "environment": string(env)}
	record, err := collection.InputParser{Schema: &open, Currency: p.Tenant.Currency, NewID: h.NewID, Preset: born}.Merge(nil, input)
	if err != nil {
		return nil, err
	}
	record["id"], record["tenant"], record["environment"] = born["id"], born["tenant"], born["environment"]
	return record, h.validate(record)
}

// chosenEnvironment is the chosen one, or else the caller's own. Errors: fault.ErrValidation.
func chosenEnvironment(chosen any, own tenant.Environment) (tenant.Environment, error) {
	if chosen == nil {
		return own, nil
	}
	name, _ := chosen.(string)
	if env := tenant.Environment(name); env == tenant.Live || env == tenant.Test {
		return env, nil
	}
	return "", fault.Invalidf("environment", "This field takes one of: live, test.")
}

// validate refuses an unusable address and unknown collections or operations. Errors: fault.ErrValidation.
func (h *Service) validate(r collection.Record) error {
	var bad []fault.Field
	if problem := h.AddressPolicy.URLProblem(r.Text("url")); problem != "" && r["url"] != nil {
		bad = append(bad, fault.Field{Field: "url", Message: problem})
	}
	for i, slug := range r.Texts("collections") {
		if s := h.Registry.Get(slug); s == nil || s.NoEvents {
			bad = append(bad, fault.Field{Field: fmt.Sprintf("collections.%d", i), Message: "There is no such collection to subscribe to."})
		}
	}
	if len(bad) > 0 {
		return fault.ErrValidation.WithFields(bad...)
	}
	return nil
}

// checkEndpointLimit checks the number of endpoints of a tenant, which it locks to serialize concurrent
// creations. Errors: webhook.ErrEndpointLimit.
func (h *Service) checkEndpointLimit(ctx context.Context, tx ports.Tx, shop tenant.Settings) error {
	most, limited := webhook.MaxEndpoints(shop.Plan)
	if !limited {
		return nil
	}
	if _, err := tx.Records.Lock(ctx, identity.Tenants, string(shop.ID)); err != nil {
		return err
	}
	page, err := tx.Records.Find(ctx, collection.Query{Schema: webhook.Endpoints, Limit: most, Page: 1, SkipCount: true})
	if err == nil && len(page.Docs) >= most {
		return webhook.ErrEndpointLimit.WithData("limit", int64(most)).WithData("plan", string(shop.Plan))
	}
	return err
}

// Rotate gives an endpoint a new secret; the previous one also signs for another day. The response is that of
// Create. Errors: fault.ErrForbidden, ports.ErrNotFound, those of idempotency.
func (h *Service) Rotate(ctx context.Context, c idempotency.Call, id string) (idempotency.Response, error) {
	if _, err := access.Allowed(c.Principal, webhook.Endpoints, collection.Update); err != nil {
		return idempotency.Response{}, err
	}
	return h.runWithSecret(ctx, c, id, ports.ReceiptOK,
		"Secret rotated. It is shown only once. For 24 hours deliveries are signed with the old secret too.",
		func(ctx context.Context, tx ports.Tx) (endpointWithSecret, error) {
			before, err := lockInEnvironment(ctx, tx, c.Principal, webhook.Endpoints, id)
			if err != nil {
				return endpointWithSecret{}, err
			}
			secret, sealed, version, err := h.mintSecret(c, id)
			if err != nil {
				return endpointWithSecret{}, err
			}
			after := before.Clone()
			webhook.RotateSecret(after, sealed, h.Now())
			return endpointWithSecret{after, secret, version}, tx.Records.Write(ctx,
				collection.NewChange(webhook.Endpoints, before, after, h.NewID(), h.Now()))
		})
}

// runWithSecret runs work once per idempotency key, if one was sent, and responds with the resulting secret,
// which is not stored in the receipt.
func (h *Service) runWithSecret(
	ctx context.Context, c idempotency.Call, id string, result ports.ReceiptResult, message string,
	work func(context.Context, ports.Tx) (endpointWithSecret, error),
) (idempotency.Response, error) {
	var m endpointWithSecret
	acted := slices.DeleteFunc([]string{id}, func(s string) bool { return s == "" })
	answer, receipt, err := h.Idempotency.RunOptional(ctx, c,
		func(ctx context.Context, claim *idempotency.Claim) (receipt idempotency.Receipt, err error) {
			m = endpointWithSecret{}
			err = h.Store.Atomically(ctx, ports.ForPrincipal(c.Principal), func(ctx context.Context, tx ports.Tx) error {
				if m, err = work(ctx, tx); err != nil {
					return err
				}
				receipt = c.Receipt(result, reply.Of(collection.Staff, messageMembers(message, "doc", webhook.Endpoints, m.record)...), nil,
					h.Now(), h.Now().Add(idempotency.Retention))
				receipt.About(m.record)
				receipt.TokenVersion = m.version
				return claim.Save(ctx, tx, receipt)
			})
			return receipt, err
		}, acted...)
	if err != nil || answer.Fault != nil {
		return answer, err
	}
	if answer.Replayed { // derive it again
		minted, err := c.RemintToken(h.Vault, secretPrefix, receipt)
		if err != nil {
			return idempotency.Response{}, err
		}
		m.secret = toSigningSecret(minted)
	}
	answer.Body = answer.Body.WithSecret(reply.Secret{Name: "secret", Text: m.secret, Within: "doc"})
	return answer, nil
}

// messageMembers are message, and the record under name.
func messageMembers(message, name string, s *collection.Schema, r collection.Record) []reply.Member {
	return []reply.Member{{Name: "message", Value: message}, {Name: name, Schema: s, Record: r}}
}

// Delete deletes an endpoint. Its pending deliveries are discarded. It responds with {id, message, doc}.
// Errors: fault.ErrForbidden, ports.ErrNotFound, those of idempotency.
func (h *Service) Delete(ctx context.Context, c idempotency.Call, id string) (idempotency.Response, error) {
	if _, err := access.Allowed(c.Principal, webhook.Endpoints, collection.Delete); err != nil {
		return idempotency.Response{}, err
	}
	answer, _, err := h.Idempotency.RunOptional(ctx, c, func(ctx context.Context, claim *idempotency.Claim) (receipt idempotency.Receipt, err error) {
		err = h.Store.Atomically(ctx, ports.ForPrincipal(c.Principal), func(ctx context.Context, tx ports.Tx) error {
			before, err := lockInEnvironment(ctx, tx, c.Principal, webhook.Endpoints, id)
			if err != nil {
				return err
			}
			gone := collection.NewChange(webhook.Endpoints, before, nil, h.NewID(), h.Now())
			if err := tx.Records.Write(ctx, gone); err != nil {
				return err
			}
			told := append([]reply.Member{{Name: "id", Value: id}},
				messageMembers("Deleted successfully.", "doc", webhook.Endpoints, before)...)
			receipt = c.Receipt(ports.ReceiptOK, reply.Of(collection.Staff, told...), nil, h.Now(), h.Now().Add(idempotency.Retention))
			receipt.Record, receipt.Sequence = id, gone.Sequence()
			return claim.Save(ctx, tx, receipt)
		})
		return receipt, err
	}, id)
	return answer, err
}

// lockInEnvironment locks a record of p's environment. Errors: ports.ErrNotFound.
func lockInEnvironment(ctx context.Context, tx ports.Tx, p tenant.Principal, s *collection.Schema, id string) (collection.Record, error) {
	r, err := tx.Records.Lock(ctx, s, id)
	if err == nil && r.Text("environment") != string(p.Environment) {
		return nil, ports.ErrNotFound
	}
	return r, err
}

// newestSequence is the sequence number of the tenant's newest event; 0 before the first.
func (h *Service) newestSequence(ctx context.Context, shop tenant.ID) (int64, error) {
	all, err := h.Log.Newest(ctx, []tenant.ID{shop})
	return all[shop], err
}
