// Package hooking is what operators do with webhooks: they make endpoints, rotate their secrets and delete them, try them,
// and have deliveries made once more. What is delivered when is the work of package delivering. Contract 10.
//
// Decisions beyond the contract. Endpoints are made by admins and by the shop's server. An endpoint belongs to its
// creator's environment; a person may name the other one, a secret key may not, for it would hear of what it cannot read.
// For the same reason a caller names only collections that it may read entirely, as for the log of events, and hears of no
// others where it names none.
// The secret is told in the answer to the call that made it, as "secret" and in the record, and again under the same
// idempotency key, from which it is derived; it is stored sealed. A rotation within a day of the one before ends the
// secret before that at once: two sign, never three. Nothing is asked of an endpoint while an operator waits: a test is a
// delivery like any other, to be looked at a moment later. A replay looks at no more than MaxReplay events and says where
// the next one is to begin.
package hooking

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/domain/webhook"
	"github.com/cartwright-dev/cartwright/ports"
)

// Hooking is the use cases of webhooks that operators know.
type Hooking struct {
	Store    ports.Store
	Log      ports.EventLog
	Cursors  Cursors
	Once     *once.Runner
	Vault    ports.Vault
	Registry *collection.Registry // what can be heard of
	Where    webhook.Where
	Now      func() time.Time
	NewID    func() string
	// PerReplay is how many events one replay looks at, PerPage how many of them a transaction does; 0: MaxReplay and 200.
	PerReplay, PerPage int
	Wake               func(endpoint string) // tells the deliverer that an operator asked for something; nil: it finds out by itself
}

// secretPrefix begins secrets, by Standard Webhooks.
const secretPrefix = "whsec_"

// receiptLife is how long an idempotency key answers the same again, as for other collections.
const receiptLife = 7 * 24 * time.Hour

// signingSecret makes the secret of a minted text: 32 bytes, as every library of Standard Webhooks reads them.
func signingSecret(minted string) string {
	sum := sha256.Sum256([]byte(minted))
	return secretPrefix + base64.StdEncoding.EncodeToString(sum[:])
}

// secretLabel binds a sealed secret to its endpoint.
func secretLabel(endpoint string) string { return webhook.Endpoints.Slug + "/" + endpoint + "/secret" }

// Secrets opens the secrets that sign for e at now, newest first.
func Secrets(v ports.Vault, e webhook.Endpoint, now time.Time) ([]string, error) {
	sealed := e.Secrets(now)
	out := make([]string, len(sealed))
	for i, one := range sealed {
		plain, err := v.Open(secretLabel(e.ID), one)
		if err != nil {
			return nil, fmt.Errorf("open the secret of webhook endpoint %s: %w", e.ID, err)
		}
		out[i] = string(plain)
	}
	return out, nil
}

// secret makes and seals a new secret for an endpoint.
func (h *Hooking) secret(c once.Call, endpoint string) (plain, sealed string, version int, err error) {
	minted, version, err := c.Mint(h.Vault, secretPrefix, endpoint)
	if err != nil {
		return "", "", 0, err
	}
	plain = signingSecret(minted)
	sealed, err = h.Vault.Seal(secretLabel(endpoint), []byte(plain))
	return plain, sealed, version, err
}

// New makes an endpoint from {url, collections?, operations?, description?, enabled?, environment?} and answers {message,
// doc, secret}. Errors: fault.ErrForbidden, fault.ErrValidation, webhook.ErrLimit, those of idempotency.
func (h *Hooking) New(ctx context.Context, c once.Call, input map[string]any) (once.Answer, error) {
	if _, err := access.Allowed(c.Principal, webhook.Endpoints, collection.Create); err != nil {
		return once.Answer{}, err
	}
	record, err := h.draft(c.Principal, input)
	if err == nil {
		err = h.bind(c.Principal, nil, record)
	}
	if err != nil {
		return once.Answer{}, err
	}
	newest, err := h.newest(ctx, c.Principal.Tenant.ID)
	if err != nil {
		return once.Answer{}, err
	}
	on := record["enabled"] == nil || record.Bool("enabled") // what is not said is on
	webhook.Switched(record, on, webhook.ByOperator, newest, h.Now())
	return h.give(ctx, c, "", ports.Created, "Webhook endpoint created. Its secret is shown only this once.", func(ctx context.Context, tx ports.Tx) (made, error) {
		if err := h.room(ctx, tx, c.Principal.Tenant); err != nil {
			return made{}, err
		}
		fresh := record.Clone()
		secret, sealed, version, err := h.secret(c, fresh.ID())
		if err != nil {
			return made{}, err
		}
		fresh["sealedSecret"] = sealed
		return made{fresh, secret, version}, tx.Records.Write(ctx, collection.NewChange(webhook.Endpoints, nil, fresh, h.NewID(), h.Now()))
	})
}

// made is an endpoint with the secret that was made for it.
type made struct {
	record  collection.Record
	secret  string
	version int // of the server's secret that it was derived with
}

// draft is a new endpoint without its secret. Errors: fault.ErrValidation, fault.ErrForbidden.
func (h *Hooking) draft(p tenant.Principal, input map[string]any) (collection.Record, error) {
	open := *webhook.Endpoints // its own operation may write what the collection leaves to operations
	open.Operated = false
	env, err := environment(input["environment"], p.Environment)
	if err != nil {
		return nil, err
	}
	if env != p.Environment && p.Kind != tenant.User {
		return nil, fault.ErrForbidden.Saying("A key makes webhook endpoints of its own environment only.")
	}
	born := collection.Record{"id": h.NewID(), "tenant": string(p.Tenant.ID), "environment": string(env)}
	record, err := collection.Writer{Schema: &open, Currency: p.Tenant.Currency, NewID: h.NewID, Born: born}.Accept(nil, input)
	if err != nil {
		return nil, err
	}
	record["id"], record["tenant"], record["environment"] = born["id"], born["tenant"], born["environment"]
	return record, h.check(record)
}

// environment is the one that was chosen, or else the caller's own. Errors: fault.ErrValidation.
func environment(chosen any, own tenant.Environment) (tenant.Environment, error) {
	if chosen == nil {
		return own, nil
	}
	name, _ := chosen.(string)
	if env := tenant.Environment(name); env == tenant.Live || env == tenant.Test {
		return env, nil
	}
	return "", fault.Invalidf("environment", "This field takes one of: live, test.")
}

// check refuses what an endpoint can never be told at, or of. Errors: fault.ErrValidation.
func (h *Hooking) check(r collection.Record) error {
	var bad []fault.Field
	if problem := h.Where.Problem(r.Text("url")); problem != "" && r["url"] != nil {
		bad = append(bad, fault.Field{Field: "url", Message: problem})
	}
	for i, slug := range r.Texts("collections") {
		if s := h.Registry.Get(slug); s == nil || s.Silent {
			bad = append(bad, fault.Field{Field: fmt.Sprintf("collections.%d", i), Message: "There is no such collection to hear of."})
		}
	}
	if len(bad) > 0 {
		return fault.ErrValidation.In(bad...)
	}
	return nil
}

// room counts the endpoints of a shop, which it locks so that nobody else makes one meanwhile. Errors: webhook.ErrLimit.
func (h *Hooking) room(ctx context.Context, tx ports.Tx, shop tenant.Facts) error {
	most, limited := webhook.Cap(shop.Plan)
	if !limited {
		return nil
	}
	if _, err := tx.Records.Lock(ctx, identity.Tenants, string(shop.ID)); err != nil {
		return err
	}
	page, err := tx.Records.Find(ctx, collection.Query{Schema: webhook.Endpoints, Limit: most, Page: 1, Uncounted: true})
	if err == nil && len(page.Docs) >= most {
		return webhook.ErrLimit.With("limit", int64(most)).With("plan", string(shop.Plan))
	}
	return err
}

// Rotate gives an endpoint a new secret; the one before signs for a day more. It answers as New does. Errors:
// fault.ErrForbidden, ports.ErrAbsent, those of idempotency.
func (h *Hooking) Rotate(ctx context.Context, c once.Call, id string) (once.Answer, error) {
	if _, err := access.Allowed(c.Principal, webhook.Endpoints, collection.Update); err != nil {
		return once.Answer{}, err
	}
	return h.give(ctx, c, id, ports.OK, "Secret rotated. It is shown only this once; deliveries are signed with the one before, too, for 24 hours.", func(ctx context.Context, tx ports.Tx) (made, error) {
		before, err := lock(ctx, tx, c.Principal, webhook.Endpoints, id)
		if err != nil {
			return made{}, err
		}
		secret, sealed, version, err := h.secret(c, id)
		if err != nil {
			return made{}, err
		}
		after := before.Clone()
		webhook.Rotated(after, sealed, h.Now())
		return made{after, secret, version}, tx.Records.Write(ctx, collection.NewChange(webhook.Endpoints, before, after, h.NewID(), h.Now()))
	})
}

// give does work once per idempotency key, if there is one, and answers with the secret it made, which no receipt keeps.
func (h *Hooking) give(ctx context.Context, c once.Call, id string, result ports.Result, message string, work func(context.Context, ports.Tx) (made, error)) (once.Answer, error) {
	var m made
	acted := slices.DeleteFunc([]string{id}, func(s string) bool { return s == "" })
	answer, receipt, err := h.Once.RunOptional(ctx, c, func(ctx context.Context, claim *once.Claim) (receipt ports.Receipt, err error) {
		m = made{}
		err = h.Store.Atomically(ctx, ports.For(c.Principal), func(ctx context.Context, tx ports.Tx) error {
			if m, err = work(ctx, tx); err != nil {
				return err
			}
			receipt = c.Receipt(result, body(message, "doc", webhook.Endpoints, m.record), nil, h.Now(), h.Now().Add(receiptLife))
			receipt.Record, receipt.TokenVersion = m.record.ID(), m.version
			return claim.Keep(ctx, tx, receipt)
		})
		return receipt, err
	}, acted...)
	if err != nil || answer.Fault != nil {
		return answer, err
	}
	if m.secret == "" { // it was done before
		minted, err := c.Remint(h.Vault, secretPrefix, receipt)
		if err != nil {
			return once.Answer{}, err
		}
		m.secret = signingSecret(minted)
	}
	answer.Body = reveal(answer.Body, m.secret)
	return answer, nil
}

// body is {message, name: record}.
func body(message, name string, s *collection.Schema, r collection.Record) []byte {
	b := collection.AppendString([]byte(`{"message":`), message)
	b = collection.AppendString(append(b, ','), name)
	b = collection.AppendJSON(append(b, ':'), s, r, collection.View{Audience: collection.Staff})
	return append(b, '}')
}

// reveal puts a secret into the answer that tells it: in the record, where it reads null ever after, and beside it. Quotes
// in texts are escaped, so that no text of the record is mistaken for the field.
func reveal(answer []byte, secret string) []byte {
	shown := strings.Replace(string(answer), `"secret":null`, `"secret":"`+secret+`"`, 1)
	return once.WithToken([]byte(shown), "secret", secret)
}

// Delete forgets an endpoint. What was on its way to it is discarded. It answers {id, message, doc}. Errors:
// fault.ErrForbidden, ports.ErrAbsent, those of idempotency.
func (h *Hooking) Delete(ctx context.Context, c once.Call, id string) (once.Answer, error) {
	if _, err := access.Allowed(c.Principal, webhook.Endpoints, collection.Delete); err != nil {
		return once.Answer{}, err
	}
	answer, _, err := h.Once.RunOptional(ctx, c, func(ctx context.Context, claim *once.Claim) (receipt ports.Receipt, err error) {
		err = h.Store.Atomically(ctx, ports.For(c.Principal), func(ctx context.Context, tx ports.Tx) error {
			before, err := lock(ctx, tx, c.Principal, webhook.Endpoints, id)
			if err != nil {
				return err
			}
			if err := tx.Records.Write(ctx, collection.NewChange(webhook.Endpoints, before, nil, h.NewID(), h.Now())); err != nil {
				return err
			}
			told := append(collection.AppendString([]byte(`{"id":`), id), ',')
			told = append(told, body("Deleted successfully.", "doc", webhook.Endpoints, before)[1:]...)
			receipt = c.Receipt(ports.OK, told, nil, h.Now(), h.Now().Add(receiptLife))
			receipt.Record = id
			return claim.Keep(ctx, tx, receipt)
		})
		return receipt, err
	}, id)
	return answer, err
}

// lock locks a record of p's environment. Errors: ports.ErrAbsent.
func lock(ctx context.Context, tx ports.Tx, p tenant.Principal, s *collection.Schema, id string) (collection.Record, error) {
	r, err := tx.Records.Lock(ctx, s, id)
	if err == nil && r.Text("environment") != string(p.Environment) {
		return nil, ports.ErrAbsent
	}
	return r, err
}

// newest is the number of the newest event of a shop; 0 before the first.
func (h *Hooking) newest(ctx context.Context, shop tenant.ID) (int64, error) {
	all, err := h.Log.Newest(ctx, []tenant.ID{shop})
	return all[shop], err
}

// absent reports whether a reader found nothing.
func absent(err error) bool { return errors.Is(err, ports.ErrAbsent) }
