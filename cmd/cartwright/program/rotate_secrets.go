package program

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/cartwright-dev/cartwright/adapters/payment/sandbox/bank"
	"github.com/cartwright-dev/cartwright/app/connections"
	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/app/returnrequests"
	"github.com/cartwright-dev/cartwright/app/taxing"
	"github.com/cartwright-dev/cartwright/app/webhooks"
	"github.com/cartwright-dev/cartwright/ports"
)

func (p process) secretsCommand() *cobra.Command {
	return group("secrets", "Manage the server's secrets.", p.jsonCommand(&cobra.Command{
		Use: "rotate", Short: "Re-encrypt everything with the newest secret; safe while servers run.", Args: exactArgs(),
		Example: "cartwright secrets rotate",
		Long: `Re-encrypt everything with the newest secret; safe while servers run.

Add a version to CARTWRIGHT_SECRETS, keep the old ones, and restart all servers first: those that do not know the new
secret cannot decrypt with it. The command can be stopped and run again at any time.`,
	}, "{connections, webhookEndpoints: {seen, sealed, unreadable}, messageServices: {seen, sealed, unreadable}, taxConnections: {seen, sealed, unreadable}, returnRequests: {seen, sealed, unreadable}, accounts: {seen, sealed, unreadable}, versions: [{version, newest, uses}]}",
		p.runOnCore(func(ctx context.Context, k *core, _ []string) (commandResult, error) {
			done, err := k.rotate(ctx)
			if err != nil {
				return commandResult{}, err
			}
			a, err := jsonResult(done, done.text)
			if err == nil && done.unreadable() > 0 {
				err = errUnhealthy
			}
			return a, err
		})))
}

// connectionSeals reseals the secrets of provider connections.
func (k *core) connectionSeals() connections.SecretRotation {
	return connections.SecretRotation{Store: k.invalidatingStore, Vault: k.vault, Renew: k.renewConnection, Now: k.now, NewID: newID}
}

// webhookSeals reseals the signing secrets of webhook endpoints.
func (k *core) webhookSeals() records.Resealer {
	return webhooks.Resealer(k.invalidatingStore, k.vault, k.now, newID)
}

// taxSeals reseals the secrets of tax connections.
func (k *core) taxSeals() records.Resealer {
	return taxing.Resealer(k.invalidatingStore, k.vault, k.now, newID)
}

// accountSeals reseals the accounts of buyers that returns are refunded to.
func (k *core) accountSeals() records.Resealer {
	return returnrequests.Resealer(k.invalidatingStore, k.vault, k.now, newID)
}

// rotation is what was resealed, and what older versions of the secret are still needed for.
type rotation struct {
	Connections resealCount     `json:"connections"` // connections to payment providers
	Webhooks    resealCount     `json:"webhookEndpoints"`
	Messages    resealCount     `json:"messageServices"`
	Taxes       resealCount     `json:"taxConnections"`
	Returns     resealCount     `json:"returnRequests"` // with an account of the buyer
	Accounts    resealCount     `json:"accounts"`       // of users with an authenticator app
	Versions    []secretVersion `json:"versions"`       // newest first
}

// unreadable is how many records no known version opens.
func (r rotation) unreadable() int {
	return len(r.Connections.Unreadable) + len(r.Webhooks.Unreadable) + len(r.Messages.Unreadable) + len(r.Taxes.Unreadable) +
		len(r.Returns.Unreadable) + len(r.Accounts.Unreadable)
}

type resealCount struct {
	Seen       int      `json:"seen"`
	Sealed     int      `json:"sealed"`     // resealed
	Unreadable []string `json:"unreadable"` // by any known version
}

type secretVersion struct {
	Version int      `json:"version"`
	Newest  bool     `json:"newest"`
	Uses    []string `json:"uses"` // what would be lost without it
}

// rotate reseals what an older version sealed.
func (k *core) rotate(ctx context.Context) (out rotation, err error) {
	connections, err := k.connectionSeals().Rotate(ctx)
	if err != nil {
		return out, err
	}
	hooks, err := k.webhookSeals().Rotate(ctx)
	if err != nil {
		return out, err
	}
	services, err := k.messageSeals().Rotate(ctx)
	if err != nil {
		return out, err
	}
	taxes, err := k.taxSeals().Rotate(ctx)
	if err != nil {
		return out, err
	}
	accounts, err := k.accountSeals().Rotate(ctx)
	if err != nil {
		return out, err
	}
	factors, err := k.access.RotateFactorSeals(ctx)
	if err != nil {
		return out, err
	}
	out.Accounts = resealCount{factors.Checked, factors.Outdated, append([]string{}, factors.Unreadable...)}
	out.Taxes = resealCount{taxes.Checked, taxes.Outdated, append([]string{}, taxes.Unreadable...)}
	out.Returns = resealCount{accounts.Checked, accounts.Outdated, append([]string{}, accounts.Unreadable...)}
	out.Connections = resealCount{connections.Connections, connections.Outdated, append([]string{}, connections.Unreadable...)}
	out.Messages = resealCount{services.Checked, services.Outdated, append([]string{}, services.Unreadable...)}
	out.Webhooks = resealCount{hooks.Checked, hooks.Outdated, append([]string{}, hooks.Unreadable...)}
	needs, err := k.store.TokenNeeds(ctx)
	if err != nil {
		return out, err
	}
	versions, err := k.config.secrets()
	for _, v := range slices.Backward(slices.Sorted(maps.Keys(versions))) {
		uses := []string{}
		if len(out.Versions) > 0 {
			uses = k.remainingUses(v, needs)
		}
		out.Versions = append(out.Versions, secretVersion{v, len(out.Versions) == 0, uses})
	}
	return out, err
}

// remainingUses are what would be lost without an old version.
func (k *core) remainingUses(v int, needs []ports.SecretDependents) []string {
	uses := []string{fmt.Sprintf("logins signed with it stay valid for at most %s", time.Duration(k.config.TokenExpiration)*time.Second)}
	for _, n := range needs {
		if n.Version == v && n.Receipts > 0 {
			uses = append(uses, fmt.Sprintf("%d idempotency receipts contain tokens derived from it", n.Receipts))
		}
		if n.Version == v && n.SealedTokens > 0 {
			uses = append(uses, fmt.Sprintf("%d email tokens are encrypted with it until %s",
				n.SealedTokens, n.SealedTokensUntil.UTC().Format(time.RFC3339)))
		}
		if n.Version == v && n.SealedCalls > 0 {
			uses = append(uses, fmt.Sprintf("%d refunds to accounts of buyers are encrypted with it until their provider answers", n.SealedCalls))
		}
	}
	return uses
}

func (r rotation) text(out io.Writer) error {
	text := fmt.Sprintf("%d of %d provider connections re-encrypted.\n", r.Connections.Sealed, r.Connections.Seen)
	for _, bad := range r.Connections.Unreadable {
		text += fmt.Sprintf("The secrets of connection %s cannot be read with any configured version: enter them again.\n", bad)
	}
	text += fmt.Sprintf("%d of %d webhook endpoints re-encrypted.\n", r.Webhooks.Sealed, r.Webhooks.Seen)
	for _, bad := range r.Webhooks.Unreadable {
		text += fmt.Sprintf("The secret of webhook endpoint %s cannot be read with any configured version: rotate it.\n", bad)
	}
	if r.Messages.Seen > 0 {
		text += fmt.Sprintf("%d of %d message services re-encrypted.\n", r.Messages.Sealed, r.Messages.Seen)
	}
	for _, bad := range r.Messages.Unreadable {
		text += fmt.Sprintf("The secret of message service %s cannot be read with any configured version: enter it again.\n", bad)
	}
	if r.Taxes.Seen > 0 {
		text += fmt.Sprintf("%d of %d tax connections re-encrypted.\n", r.Taxes.Sealed, r.Taxes.Seen)
	}
	for _, bad := range r.Taxes.Unreadable {
		text += fmt.Sprintf("The secret of tax connection %s cannot be read with any configured version: enter it again.\n", bad)
	}
	if r.Returns.Seen > 0 {
		text += fmt.Sprintf("%d of %d accounts of return requests re-encrypted.\n", r.Returns.Sealed, r.Returns.Seen)
	}
	for _, bad := range r.Returns.Unreadable {
		text += fmt.Sprintf("The account of return request %s cannot be read with any configured version: name it in the refund.\n", bad)
	}
	if r.Accounts.Seen > 0 {
		text += fmt.Sprintf("%d of %d authenticator apps of users re-encrypted.\n", r.Accounts.Sealed, r.Accounts.Seen)
	}
	for _, bad := range r.Accounts.Unreadable {
		text += fmt.Sprintf("The authenticator app of user %s cannot be read with any configured version: cartwright user reset-second-factor.\n", bad)
	}
	for _, v := range r.Versions {
		if v.Newest {
			text += fmt.Sprintf("Version %d is the newest and encrypts everything from now on.\n", v.Version)
			continue
		}
		text += fmt.Sprintf("Version %d no longer encrypts any connection. Before you remove it: %s.\n",
			v.Version, strings.Join(v.Uses, "; "))
	}
	_, err := io.WriteString(out, text)
	return err
}

// sampledSeals is how many connections and endpoints a start opens: enough to tell wrong secrets from a record that
// somebody damaged, and as fast with a hundred thousand shops.
const sampledSeals = 50

var errWrongSecrets = errors.New("CARTWRIGHT_SECRETS opens nothing of what the database holds: they are the secrets of another installation, or a version was removed before `cartwright secrets rotate` had run. Set the secrets that this database was used with")

// checkSecretsFit refuses secrets that open none of the newest secrets in the database: every payment and webhook
// would fail, and what is stored meanwhile could not be opened with the right ones. If they open some, the server
// starts, and the log says what cannot be opened. Rule running-21.
func (k *core) checkSecretsFit(ctx context.Context) error {
	s, err := k.connectionSeals().ExamineNewest(ctx, sampledSeals)
	if err != nil {
		return fmt.Errorf("open the secrets of connections: %w", err)
	}
	hooks, err := k.webhookSeals().CheckNewest(ctx, sampledSeals)
	if err != nil {
		return fmt.Errorf("open the secrets of webhook endpoints: %w", err)
	}
	switch len(s.Unreadable) + len(hooks.Unreadable) {
	case 0:
		return nil
	case s.Connections + hooks.Checked:
		return errWrongSecrets
	}
	k.log.Error("the configured secrets cannot open some of the newest secrets in the database; see cartwright doctor",
		"connections", s.Unreadable, "webhookEndpoints", hooks.Unreadable)
	return nil
}

// sealedThings are things of one kind that have something sealed.
type sealedThings struct {
	name, part string // as a list is named, and what of them is sealed
	found      records.ResealReport
}

// checkSealed reports whether everything sealed can be read, and what is not sealed with the newest secret.
func (k *core) checkSealed(ctx context.Context) (detail string, err error) {
	all, err := k.sealed(ctx)
	if err != nil {
		return "", err
	}
	for _, s := range slices.Backward(all) {
		if len(s.found.Unreadable) > 0 {
			return "", errors.New("the " + s.part + " of these " + s.name + " cannot be read: " + strings.Join(s.found.Unreadable, " "))
		}
	}
	for _, s := range all {
		if s.found.Outdated > 0 {
			return fmt.Sprintf("%d of %d %s are encrypted with an older secret: run cartwright secrets rotate", s.found.Outdated, s.found.Checked,
				s.name), nil
		}
	}
	return fmt.Sprintf("%d provider connections, all encrypted with the newest secret", all[0].found.Checked), nil
}

// sealed examines everything that is sealed, connections to payment providers first.
func (k *core) sealed(ctx context.Context) ([]sealedThings, error) {
	connections, err := k.connectionSeals().Examine(ctx)
	if err != nil {
		return nil, err
	}
	all := []sealedThings{{"provider connections", "secrets", records.ResealReport{
		Checked: connections.Connections, Outdated: connections.Outdated, Unreadable: connections.Unreadable,
	}}}
	for _, s := range []struct {
		name, part string
		seals      records.Resealer
	}{
		{"webhook endpoints", "secrets", k.webhookSeals()}, {"message services", "secrets", k.messageSeals()},
		{"tax connections", "secrets", k.taxSeals()}, {"return requests", "accounts", k.accountSeals()},
	} {
		found, err := s.seals.Check(ctx)
		if err != nil {
			return nil, err
		}
		all = append(all, sealedThings{s.name, s.part, found})
	}
	factors, err := k.access.CheckFactorSeals(ctx)
	return append(all, sealedThings{"users", "authenticator apps", records.ResealReport{
		Checked: factors.Checked, Outdated: factors.Outdated, Unreadable: factors.Unreadable,
	}}), err
}

// sandboxSecrets are the secrets from which the sandbox provider derives those of its accounts, one per
// version, newest first. It accepts all of them, so that connections keep working until they are rotated.
func sandboxSecrets(versions map[int]string) []string {
	var out []string
	for _, v := range slices.Backward(slices.Sorted(maps.Keys(versions))) {
		mac := hmac.New(sha256.New, []byte(versions[v]))
		mac.Write([]byte("sandbox provider"))
		out = append(out, hex.EncodeToString(mac.Sum(nil)))
	}
	return out
}

// renewSandbox replaces the secrets of connections to the sandbox by those of the newest version.
func renewSandbox(shared []string) connections.RenewSecrets {
	return func(c ports.Connection, webhooks []string) {
		if c.Provider != "sandbox" {
			return
		}
		for _, old := range shared[1:] {
			if c.Credentials["secretKey"] == bank.AccountSecret(old, c.AccountKey) {
				c.Credentials["secretKey"] = bank.AccountSecret(shared[0], c.AccountKey)
			}
			if i := slices.Index(webhooks, bank.WebhookSecret(old, c.AccountKey)); i >= 0 {
				webhooks[i] = bank.WebhookSecret(shared[0], c.AccountKey)
			}
		}
	}
}
