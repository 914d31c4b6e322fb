package carts

import (
	"crypto/subtle"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// ErrRevisionRequired refuses a change with a cart token that does not state the revision last read.
// Rule carts-15.
var ErrRevisionRequired = fault.NewInvalid("expectedRevision", "expected_revision_required",
	"Changes with a cart token require expectedRevision, the revision last read.")

// admit checks the kind of caller, before any cart is read. Errors: fault.ErrUnauthenticated,
// fault.ErrForbidden.
func admit(call idempotency.Call) error {
	kind := call.Principal.Kind
	switch {
	case kind == "" || kind == tenant.Anonymous:
		return fault.ErrUnauthenticated
	case call.Server && kind != tenant.SecretKey && kind != tenant.System:
		return fault.ErrForbidden.WithMessage("The server paths take a secret key or a server token.")
	case call.Server:
		return nil
	case kind == tenant.SecretKey:
		return fault.ErrForbidden.WithMessage("Secret keys cannot be used on the public paths. Use /server/commerce/carts.")
	case kind != tenant.ClientKey && kind != tenant.Customer:
		return fault.ErrForbidden
	}
	return nil
}

// admitWrite is admit for creating or changing a cart. Errors: those of admit, tenant.ErrFeatureDisabled.
func admitWrite(call idempotency.Call) error {
	if err := admit(call); err != nil {
		return err
	}
	if call.Principal.Kind == tenant.SecretKey && !call.Principal.CanWrite {
		return fault.ErrForbidden.WithMessage("This secret key lacks the write scope.")
	}
	if !call.Principal.Tenant.CommerceEnabled {
		return tenant.ErrFeatureDisabled
	}
	return nil
}

// admitChange is admitWrite for an existing cart.
func admitChange(call idempotency.Call) error {
	if err := admitWrite(call); err != nil {
		return err
	}
	return admitHolder(call)
}

// admitRead is admit for reading an existing cart.
func admitRead(call idempotency.Call) error {
	if err := admit(call); err != nil {
		return err
	}
	if call.Principal.Kind == tenant.SecretKey && !call.Principal.CanRead {
		return fault.ErrForbidden.WithMessage("This secret key lacks the read scope.")
	}
	return admitHolder(call)
}

// admitHolder refuses a client key without a cart token: it proves no right to any cart.
func admitHolder(call idempotency.Call) error {
	if call.Principal.Kind == tenant.ClientKey && call.CartToken == "" {
		return fault.ErrUnauthenticated.WithMessage("Send the cart token in X-Cart-Token, or the customer's token.")
	}
	return nil
}

// check refuses a call that lacks what its form requires: Wrapped requires an idempotency key and, with a
// cart token, the expected revision. Errors: idempotency.ErrKeyRequired, ErrKeyDerived, ErrRevisionRequired.
func (t Target) check() error {
	if t.Form == Flat && t.Call.Key == "" {
		return nil
	}
	if err := t.Call.CheckKey(t.Cart); err != nil || t.Form == Flat {
		return err
	}
	if t.ExpectedRevision < 0 {
		return fault.Invalidf("expectedRevision", "This field takes a whole number from 1.")
	}
	if t.ExpectedRevision == 0 && !t.Call.Server && t.Call.CartToken != "" {
		return ErrRevisionRequired
	}
	return nil
}

// cartAccess are the fields of a cart that decide who may use it.
type cartAccess struct{ environment, tokenHash, customer string }

// allows reports whether call may use the cart: as the tenant's server, with its token, or as its customer.
func (a cartAccess) allows(call idempotency.Call) bool {
	switch {
	case a.environment != string(call.Principal.Environment):
		return false
	case call.Server:
		return true
	case call.CartToken != "" && a.tokenHash != "" &&
		subtle.ConstantTimeCompare([]byte(idempotency.HashToken(call.CartToken)), []byte(a.tokenHash)) == 1:
		return true
	}
	return call.Principal.Kind == tenant.Customer && a.customer != "" && a.customer == call.Principal.ID
}
