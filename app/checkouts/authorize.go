package checkouts

import (
	"context"
	"crypto/subtle"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// RequireCaller refuses callers that cannot own a checkout: a client key without a capability token, a secret
// key without the scope, a member of staff. Errors: fault.ErrUnauthenticated, fault.ErrForbidden,
// tenant.ErrFeatureDisabled.
func RequireCaller(c idempotency.Call, write bool) error {
	p := c.Principal
	switch {
	case write && p.Tenant.ID != "" && !p.Tenant.CommerceEnabled:
		return tenant.ErrFeatureDisabled
	case c.Server && p.Kind == tenant.SecretKey:
		if write && !p.CanWrite || !write && !p.CanRead {
			return fault.ErrForbidden.WithMessage("This key does not have the scope for it.")
		}
		return nil
	case c.Server, p.Kind == tenant.User:
		return fault.ErrForbidden
	case c.CheckoutToken != "" || c.CartToken != "" || p.Kind == tenant.Customer:
		return nil
	}
	return fault.ErrUnauthenticated
}

// RequireServer refuses every caller but the shop's server. Errors: those of RequireCaller.
func RequireServer(c idempotency.Call, write bool) error {
	if err := RequireCaller(c, write); err != nil {
		return err
	}
	if !c.Server {
		return fault.ErrForbidden
	}
	return nil
}

// AdmitOperator admits the shop's server, and users whose role has the permission: the call it returns acts on every checkout
// of the tenant, as those of its server do. Errors: those of RequireServer and access.RequireOperator.
func AdmitOperator(c idempotency.Call, permission tenant.Permission, write bool) (idempotency.Call, error) {
	if c.Principal.Kind != tenant.User {
		return c, RequireServer(c, write)
	}
	err := access.RequireOperator(c.Principal, permission)
	c.Server = err == nil
	return c, err
}

// Authorize admits to a checkout a secret key of its tenant, an operator whom AdmitOperator admitted, the capability token it was made with, and the
// customer who owns it. Errors: ports.ErrNotFound, which tells other callers nothing.
func Authorize(c idempotency.Call, x checkout.Checkout) error {
	return authorize(c, c.CheckoutToken, x.Customer, x.TokenHash, x.Environment)
}

func authorizeCart(c idempotency.Call, x cart.Cart) error {
	return authorize(c, c.CartToken, x.Customer, x.TokenHash, x.Environment)
}

func authorize(c idempotency.Call, token, owner, tokenHash string, env tenant.Environment) error {
	switch {
	case c.Principal.Environment != env:
	case c.Server && (c.Principal.Kind == tenant.SecretKey || c.Principal.Kind == tenant.User):
		return nil
	case token != "" && subtle.ConstantTimeCompare([]byte(idempotency.HashToken(token)), []byte(tokenHash)) == 1:
		return nil
	case c.Principal.Kind == tenant.Customer && owner != "" && owner == c.Principal.ID:
		return nil
	}
	return ports.ErrNotFound
}

// Lock locks a checkout that the caller may act on. Errors: ports.ErrNotFound.
func Lock(ctx context.Context, tx ports.Tx, c idempotency.Call, id string) (collection.Record, checkout.Checkout, error) {
	r, err := tx.Records.Lock(ctx, checkout.Schema, id)
	if err != nil {
		return nil, checkout.Checkout{}, err
	}
	x := checkout.FromRecord(r)
	return r, x, Authorize(c, x)
}
