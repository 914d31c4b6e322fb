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

func newResealCount(r records.ResealReport) resealCount {
	return resealCount{r.Checked, r.Outdated, append([]string{}, r.Unreadable...)}
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
	out.Connections = newResealCount(records.ResealReport{
		Checked: connections.Connections, Outdated: connections.Outdated, Unreadable: connections.Unreadable,
	})
	for _, kind := range []struct {
		seals records.Resealer
		count *resealCount
	}{
		{k.webhookSeals(), &out.Webhooks}, {k.messageSeals(), &out.Messages}, {k.taxSeals(), &out.Taxes}, {k.accountSeals(), &out.Returns},
	} {
		done, err := kind.seals.Rotate(ctx)
		if err != nil {
			return out, err
		}
		*kind.count = newResealCount(done)
	}
	factors, err := k.access.RotateFactorSeals(ctx)
	if err != nil {
		return out, err
	}
	out.Accounts = newResealCount(records.ResealReport{Checked: factors.Checked, Outdated: factors.Outdated, Unreadable: factors.Unreadable})
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
	text := ""
	for _, kind := range []struct {
		resealCount

		things, each, remedy string
		always               bool // told even if there are none
	}{
		{r.Connections, "provider connections", "secrets of connection", "enter them again", true},
		{r.Webhooks, "webhook endpoints", "secret of webhook endpoint", "rotate it", true},
		{r.Messages, "message services", "secret of message service", "enter it again", false},
		{r.Taxes, "tax connections", "secret of tax connection", "enter it again", false},
		{r.Returns, "accounts of return requests", "account of return request", "name it in the refund", false},
		{r.Accounts, "authenticator apps of users", "authenticator app of user", "cartwright user reset-second-factor", false},
	} {
		if kind.always || kind.Seen > 0 {
			text += fmt.Sprintf("%d of %d %s re-encrypted.\n", kind.Sealed, kind.Seen, kind.things)
		}
		for _, bad := range kind.Unreadable {
			text += fmt.Sprintf("The %s %s cannot be read with any configured version: %s.\n", kind.each, bad, kind.remedy)
		}
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
