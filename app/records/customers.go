package records

import (
	"context"
	"maps"
	"slices"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/domain/address"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Registration lets customers register themselves.
type Registration struct {
	Records     *Service // with the hooks of customers
	EmailTokens access.EmailTokens
	Attempts    ports.AttemptLimiter // registrations per 15 minutes; nil: no limit
}

// prepareCustomer replaces the password by its hash.
func (p Identities) prepareCustomer(ctx context.Context, w *Write) error {
	plain, given, err := p.takePassword(ctx, w)
	if err != nil || !given {
		return err
	}
	hash, err := p.Passwords.Hash(ctx, plain)
	w.HookData = hash
	return err
}

// beforeWriteCustomer stores a new password, which ends all sessions, and records when consent was given. A
// new address is unverified.
func beforeWriteCustomer(_ context.Context, _ ports.Tx, w *Write) error {
	if w.After == nil {
		if !w.Before.Time("erasingSince").IsZero() {
			return identity.ErrErased // the erasure needs the record to go on
		}
		return nil
	}
	if hash, given := w.HookData.(string); given {
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
	// What is wrong in an address book is refused when something is sent there.
	w.After, _ = address.CompleteIn(w.Before, w.After, "addresses", w.Principal.Tenant.Country)
	w.After = identity.CompletePhone(w.After, w.Principal.Tenant.Country)
	return nil
}

// registerLimit is how many accounts may be registered with one tenant from one address per window of
// Attempts, since hashing a password is expensive by design. It is not lower because a storefront
// rendered on a server has a single address for all its visitors.
const registerLimit = 60

// countRegistration counts a valid registration. Errors: fault.ErrRateLimited.
func (p Registration) countRegistration(ctx context.Context, shop tenant.ID, address string) error {
	if p.Attempts == nil {
		return nil
	}
	key := "register\x00" + string(shop) + "\x00" + address
	if wait := p.Attempts.Try(ctx, key, registerLimit, p.Records.Now()); wait > 0 {
		return fault.ErrRateLimited.WithRetry(wait).WithData("limit", int64(registerLimit))
	}
	return nil
}

// Register creates a customer of the client key's tenant. mustVerify reports whether they can log in only
// after verifying their address; the token for that is sent with the event of the new record. Errors:
// fault.ErrUnauthenticated without a client key, fault.ErrValidation, ports.ErrDuplicate,
// fault.ErrRateLimited when too many come from one address.
func (p Registration) Register(
	ctx context.Context, by tenant.Principal, address string, input map[string]any,
) (customer collection.Record, mustVerify bool, err error) {
	if by.Kind != tenant.ClientKey {
		return nil, false, fault.ErrUnauthenticated.WithMessage("Registration requires the shop's client key.")
	}
	s := identity.Customers
	hooks := p.Records.Hooks[s.Slug]
	var bad []fault.Field
	for _, name := range slices.Sorted(maps.Keys(input)) {
		if name != "email" && !slices.Contains(hooks.CustomerFields, name) {
			bad = append(bad, fault.Field{Field: name, Message: "This field cannot be set here."})
		}
	}
	if len(bad) > 0 {
		return nil, false, fault.ErrValidation.WithFields(bad...)
	}
	if plain, ok := input["password"].(string); !ok || plain == "" {
		return nil, false, identity.CheckPasswordGiven("", false, true)
	}
	if err := p.countRegistration(ctx, by.Tenant.ID, address); err != nil {
		return nil, false, err
	}
	by.Kind = tenant.System // the record is written by the system
	now := collection.TruncateTime(p.Records.Now())
	w := Write{Principal: by, Schema: s, ID: p.Records.NewID(), Create: true, Input: input, Now: now, NewID: p.Records.NewID}
	if err := hooks.Prepare(ctx, &w); err != nil {
		return nil, false, err
	}
	var letter access.EmailToken
	err = p.Records.Store.Atomically(ctx, ports.ForPrincipal(by), func(ctx context.Context, tx ports.Tx) error {
		shop, err := tx.Records.Get(ctx, identity.Tenants, string(by.Tenant.ID))
		if err != nil {
			return err
		}
		mustVerify = shop.Group("settings").Bool("requireEmailVerification")
		attempt := w
		if err := p.Records.store(ctx, tx, &attempt, writeRequest{schema: s, verb: collection.Create, id: w.ID}, hooks); err != nil {
			return err
		}
		customer = attempt.After
		letter, err = p.EmailTokens.AttachVerification(ctx, tx, attempt.EventID, customer)
		return err
	})
	if err != nil {
		return nil, false, err
	}
	if mustVerify { // otherwise no token is needed
		p.EmailTokens.NotifyIssued(letter)
	}
	return customer, mustVerify, nil
}
