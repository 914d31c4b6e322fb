package shopping

import (
	"crypto/subtle"

	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// ErrRevisionRequired says that a caller with a cart token did not say which revision it saw. Contract 5.
var ErrRevisionRequired = fault.New(fault.Invalid, "expected_revision_required", "Changes with a cart token need the expectedRevision that was last seen.")

// admit says who may call at all, before any cart is looked at. Errors: fault.ErrUnauthenticated, fault.ErrForbidden.
func admit(call once.Call) error {
	kind := call.Principal.Kind
	switch {
	case kind == "" || kind == tenant.Anonymous:
		return fault.ErrUnauthenticated
	case call.Server && kind != tenant.SecretKey && kind != tenant.System:
		return fault.ErrForbidden.Saying("The server paths take a secret key or a server token.")
	case call.Server:
		return nil
	case kind == tenant.SecretKey:
		return fault.ErrForbidden.Saying("A secret key has no place on the public paths. Use /server/commerce/carts.")
	case kind != tenant.ClientKey && kind != tenant.Customer:
		return fault.ErrForbidden
	}
	return nil
}

// admitWrite is admit for whoever makes or changes a cart. Errors: those of admit, tenant.ErrFeatureDisabled.
func admitWrite(call once.Call) error {
	if err := admit(call); err != nil {
		return err
	}
	if call.Principal.Kind == tenant.SecretKey && !call.Principal.CanWrite {
		return fault.ErrForbidden.Saying("This secret key may only read.")
	}
	if !call.Principal.Tenant.CommerceEnabled {
		return tenant.ErrFeatureDisabled
	}
	return nil
}

// admitChange is admitWrite for an existing cart.
func admitChange(call once.Call) error {
	if err := admitWrite(call); err != nil {
		return err
	}
	return admitHolder(call)
}

// admitRead is admit for looking at an existing cart.
func admitRead(call once.Call) error {
	if err := admit(call); err != nil {
		return err
	}
	if call.Principal.Kind == tenant.SecretKey && !call.Principal.CanRead {
		return fault.ErrForbidden.Saying("This secret key may not read.")
	}
	return admitHolder(call)
}

// admitHolder refuses a bare client key: it proves no right to any cart.
func admitHolder(call once.Call) error {
	if call.Principal.Kind == tenant.ClientKey && call.CartToken == "" {
		return fault.ErrUnauthenticated.Saying("Send the cart token in X-Cart-Token, or the customer's token.")
	}
	return nil
}

// check refuses a call that lacks what its generation asks for: the current one a key and, of a token holder, the revision
// it saw. Errors: once.ErrKeyRequired, ErrKeyDerived, ErrRevisionRequired.
func (t Target) check() error {
	if t.Form == Flat && t.Call.Key == "" {
		return nil
	}
	if err := t.Call.Check(t.Cart); err != nil || t.Form == Flat {
		return err
	}
	if t.Expected < 0 {
		return fault.Invalidf("expectedRevision", "This field takes a whole number from 1.")
	}
	if t.Expected == 0 && !t.Call.Server && t.Call.CartToken != "" {
		return ErrRevisionRequired
	}
	return nil
}

// holder is what a cart knows of those who may use it.
type holder struct{ environment, tokenHash, customer string }

// opens reports whether call may use the cart of h: the shop's server, the holder of its token, its customer.
func (h holder) opens(call once.Call) bool {
	switch {
	case h.environment != string(call.Principal.Environment):
		return false
	case call.Server:
		return true
	case call.CartToken != "" && h.tokenHash != "" && subtle.ConstantTimeCompare([]byte(once.HashText(call.CartToken)), []byte(h.tokenHash)) == 1:
		return true
	}
	return call.Principal.Kind == tenant.Customer && h.customer != "" && h.customer == call.Principal.ID
}
