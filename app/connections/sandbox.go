package connections

import (
	"strings"

	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/ports"
)

// SandboxSecrets returns the secret of an account at the sandbox provider, and the one that signs its webhooks. Nil
// where there is no sandbox.
type SandboxSecrets func(account string) (secret, webhooks string)

// isSandboxAccount reports whether a text can name an account: 1 to 64 letters, digits, _ and -.
func isSandboxAccount(name string) bool {
	const characters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-"
	return name != "" && len(name) <= 64 && strings.Trim(name, characters) == ""
}

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
	case !isSandboxAccount(account):
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
