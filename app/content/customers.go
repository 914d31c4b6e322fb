package content

import (
	"context"
	"maps"
	"slices"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// shapeCustomer puts the hash in the place of the password.
func (p People) shapeCustomer(ctx context.Context, w *Write) error {
	plain, given, err := secret(w)
	if err != nil || !given {
		return err
	}
	hash, err := p.Passwords.Hash(ctx, plain)
	w.Note = hash
	return err
}

// withinCustomer stores a new password, which ends all sessions, and notes when consent was given. A new address is not
// proven.
func withinCustomer(_ context.Context, _ ports.Tx, w *Write) error {
	if w.After == nil {
		return nil
	}
	if hash, given := w.Note.(string); given {
		w.After["password"] = hash
		if !w.Create {
			w.After["tokenVersion"] = w.Before.Int("tokenVersion") + 1
		}
	}
	if !w.Create && w.After.Text("email") != w.Before.Text("email") {
		w.After["isVerified"] = false
	}
	switch agrees := w.After.Bool("marketingConsent"); {
	case agrees && !w.Before.Bool("marketingConsent"):
		w.After["consentedAt"] = w.Now
	case !agrees:
		delete(w.After, "consentedAt")
	}
	return nil
}

// registerLimit is how many accounts may be opened in one shop from one address within the time of Registrations: hashing
// a password is slow on purpose, and a storefront that renders on its own server has one address for all its visitors.
const registerLimit = 60

// throttle counts a registration that is well formed. Errors: fault.ErrRateLimited.
func (p People) throttle(ctx context.Context, shop tenant.ID, address string) error {
	if p.Registrations == nil {
		return nil
	}
	key := "register\x00" + string(shop) + "\x00" + address
	if wait := p.Registrations.Try(ctx, key, registerLimit, p.Content.Now()); wait > 0 {
		return fault.ErrRateLimited.Retry(wait).With("limit", int64(registerLimit))
	}
	return nil
}

// Register makes a customer of the client key's tenant. mustVerify says whether they can log in only after verifying
// their address; the token for that goes with the event of the new record. Errors: fault.ErrUnauthenticated without a
// client key, fault.ErrValidation, ports.ErrDuplicate, fault.ErrRateLimited when too many come from one address.
func (p People) Register(ctx context.Context, by tenant.Principal, address string, input map[string]any) (customer collection.Record, mustVerify bool, err error) {
	if by.Kind != tenant.ClientKey {
		return nil, false, fault.ErrUnauthenticated.Saying("Registering takes the client key of the shop.")
	}
	s := identity.Customers
	hooks := p.Content.Hooks[s.Slug]
	var bad []fault.Field
	for _, name := range slices.Sorted(maps.Keys(input)) {
		if name != "email" && !slices.Contains(hooks.Own, name) {
			bad = append(bad, fault.Field{Field: name, Message: "This field cannot be set here."})
		}
	}
	if len(bad) > 0 {
		return nil, false, fault.ErrValidation.In(bad...)
	}
	if plain, ok := input["password"].(string); !ok || plain == "" {
		return nil, false, identity.CheckPassword("", false, true)
	}
	if err := p.throttle(ctx, by.Tenant.ID, address); err != nil {
		return nil, false, err
	}
	by.Kind = tenant.System // the shop itself writes the record
	now := collection.Instant(p.Content.Now())
	w := Write{Principal: by, Schema: s, ID: p.Content.NewID(), Create: true, Input: input, Now: now, NewID: p.Content.NewID}
	if err := p.shapeCustomer(ctx, &w); err != nil {
		return nil, false, err
	}
	var letter access.Letter
	err = p.Content.Store.Atomically(ctx, ports.For(by), func(ctx context.Context, tx ports.Tx) error {
		shop, err := tx.Records.Get(ctx, identity.Tenants, string(by.Tenant.ID))
		if err != nil {
			return err
		}
		mustVerify = shop.Group("settings").Bool("requireEmailVerification")
		attempt := w
		if err := p.Content.keep(ctx, tx, &attempt, job{schema: s, verb: collection.Create, id: w.ID}, hooks); err != nil {
			return err
		}
		customer = attempt.After
		letter, err = p.Letters.EncloseVerification(ctx, tx, attempt.EventID, customer)
		return err
	})
	if err != nil {
		return nil, false, err
	}
	if mustVerify { // else nobody waits for it
		p.Letters.Told(letter)
	}
	return customer, mustVerify, nil
}
