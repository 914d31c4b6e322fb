package main

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
	"github.com/cartwright-dev/cartwright/app/buying"
	"github.com/cartwright-dev/cartwright/app/hooking"
	"github.com/cartwright-dev/cartwright/ports"
)

func (p process) secretsCommand() *cobra.Command {
	group := &cobra.Command{Use: "secrets", Short: "Move to a new version of the server's secret.", Args: cobra.NoArgs, RunE: helpOnly}
	group.AddCommand(&cobra.Command{
		Use: "rotate", Short: "Seal everything that is kept encrypted with the newest secret; safe while servers run.", Args: cobra.NoArgs,
		Long: `Seal everything that is kept encrypted with the newest secret; safe while servers run.

Add a version to CARTWRIGHT_SECRETS, keep the old ones, and restart all servers first: those that do not know the new
secret cannot read what is sealed with it. The command can be stopped and run again at any time.`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return p.withCore(cmd.Context(), func(ctx context.Context, k *core) error { return k.rotate(ctx, p.out) })
		},
	})
	return group
}

// seals seals what payment providers need again.
func (k *core) seals() buying.Seals {
	return buying.Seals{Store: k.watched, Vault: k.vault, Renew: k.renew, Now: k.now, NewID: newID}
}

// webhookSeals seals what webhooks are signed with again.
func (k *core) webhookSeals() hooking.Seals {
	return hooking.Seals{Store: k.watched, Vault: k.vault, Now: k.now, NewID: newID}
}

// rotate seals again what an older version sealed, and says what the older ones are still good for.
func (k *core) rotate(ctx context.Context, out io.Writer) error {
	done, err := k.seals().Rotate(ctx)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintf(out, "%d of %d provider connections were sealed again.\n", done.Old, done.Seen); err != nil {
		return err
	}
	for _, bad := range done.Unreadable {
		if _, err := fmt.Fprintf(out, "The secrets of connection %s cannot be read with any configured version: enter them again.\n", bad); err != nil {
			return err
		}
	}
	hooks, err := k.rotateWebhooks(ctx, out)
	if err != nil {
		return err
	}
	needs, err := k.store.TokenNeeds(ctx)
	if err != nil {
		return err
	}
	if err := k.tellOld(out, needs); err != nil {
		return err
	}
	if len(done.Unreadable)+len(hooks.Unreadable) > 0 {
		return errUnwell
	}
	return nil
}

func (k *core) rotateWebhooks(ctx context.Context, out io.Writer) (hooking.Sealed, error) {
	done, err := k.webhookSeals().Rotate(ctx)
	if err != nil {
		return done, err
	}
	_, err = fmt.Fprintf(out, "%d of %d webhook endpoints were sealed again.\n", done.Old, done.Seen)
	for _, bad := range done.Unreadable {
		_, bad := fmt.Fprintf(out, "The secret of webhook endpoint %s cannot be read with any configured version: rotate it.\n", bad)
		err = errors.Join(err, bad)
	}
	return done, err
}

// tellOld says of each version but the newest what would be lost without it.
func (k *core) tellOld(out io.Writer, needs []ports.TokenNeed) error {
	versions, err := k.config.secrets()
	if err != nil {
		return err
	}
	known := slices.Sorted(maps.Keys(versions))
	newest := known[len(known)-1]
	if _, err := fmt.Fprintf(out, "Version %d is the newest; it is what everything is sealed with from now on.\n", newest); err != nil {
		return err
	}
	logins := time.Duration(k.config.TokenExpiration) * time.Second
	for _, v := range known[:len(known)-1] {
		uses := []string{fmt.Sprintf("logins made with it hold for at most %s", logins)}
		for _, n := range needs {
			if n.Version == v && n.Receipts > 0 {
				uses = append(uses, fmt.Sprintf("%d receipts answer with tokens made from it", n.Receipts))
			}
			if n.Version == v && n.Letters > 0 {
				uses = append(uses, fmt.Sprintf("%d letters are sealed with it until %s", n.Letters, n.LettersUntil.UTC().Format(time.RFC3339)))
			}
		}
		if _, err := fmt.Fprintf(out, "Version %d seals no connection any more. Before you take it away: %s.\n", v, strings.Join(uses, "; ")); err != nil {
			return err
		}
	}
	return nil
}

// sealed says whether everything that is sealed can be read, and what is not sealed with the newest secret.
func (k *core) sealed(ctx context.Context) (detail string, err error) {
	s, err := k.seals().Examine(ctx)
	if err != nil {
		return "", err
	}
	hooks, err := k.webhookSeals().Examine(ctx)
	switch {
	case err != nil:
		return "", err
	case len(hooks.Unreadable) > 0:
		return "", errors.New("the secrets of these webhook endpoints cannot be read: " + strings.Join(hooks.Unreadable, " "))
	case len(s.Unreadable) > 0:
		return "", errors.New("the secrets of these provider connections cannot be read: " + strings.Join(s.Unreadable, " "))
	case s.Old > 0:
		return fmt.Sprintf("%d of %d provider connections are sealed with an older secret: cartwright secrets rotate", s.Old, s.Seen), nil
	case hooks.Old > 0:
		return fmt.Sprintf("%d of %d webhook endpoints are sealed with an older secret: cartwright secrets rotate", hooks.Old, hooks.Seen), nil
	}
	return fmt.Sprintf("%d provider connections, with the newest secret", s.Seen), nil
}

// sandboxSecrets are what the sandbox provider derives its accounts' secrets from, one of each version, newest first. It
// takes them all, so that connections go on working until they are rotated.
func sandboxSecrets(versions map[int]string) []string {
	var out []string
	for _, v := range slices.Backward(slices.Sorted(maps.Keys(versions))) {
		mac := hmac.New(sha256.New, []byte(versions[v]))
		mac.Write([]byte("sandbox provider"))
		out = append(out, hex.EncodeToString(mac.Sum(nil)))
	}
	return out
}

// renewSandbox gives connections to the sandbox the secrets of the newest version in place of those of older ones.
func renewSandbox(shared []string) buying.Renew {
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
