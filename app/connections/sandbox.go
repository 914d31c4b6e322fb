package connections

import (
	"regexp"
	"strings"

	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/ports"
)

// SandboxSecrets returns the secret of an account at the sandbox provider, and the one that signs its webhooks. Nil
// where there is no sandbox.
type SandboxSecrets func(account string) (secret, webhooks string)

var sandboxAccountPattern = regexp.MustCompile(`^[A-Za-z0-9_-]{1,64}$`)

// seal gives a connection to the sandbox the secrets of its account, which nobody else knows: accounts there come into
// being with their connections. The account that a shop began with, "shop-" and the tenant's id, is its own. Errors:
// fault.ErrValidation. Rule payments-41.
func (s SandboxSecrets) seal(v ports.Vault, w *records.Write) (err error) {
	_, given := w.Input["credentials"]
	if s == nil || w.After.Text("provider") != "sandbox" || w.Before != nil && !given {
		return nil
	}
	account := w.After.Text("accountKey")
	owner, reserved := strings.CutPrefix(account, "shop-")
	switch {
	case !sandboxAccountPattern.MatchString(account):
		return fault.Invalidf("accountKey", `An account of the sandbox has 1 to 64 letters, digits, "-" and "_".`)
	case reserved && owner != w.After.Text("tenant"):
		return fault.Invalidf("accountKey", `Accounts of the sandbox that begin with "shop-" belong to other shops.`)
	}
	secret, webhooks := s(account)
	if w.After["credentials"], err = SealCredentials(v, w.ID, map[string]string{"secretKey": secret}); err != nil {
		return err
	}
	sealed, err := v.Seal(webhookSecretsLabel(w.ID), []byte(webhooks))
	w.After["webhookSecrets"] = []string{sealed}
	return err
}
