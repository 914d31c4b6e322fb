package sqlstore

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"github.com/uptrace/bun"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/ports"
)

// passkeyRow says which account a passkey belongs to, so that none belongs to two. What else is known of it is in the row of
// the account.
type passkeyRow struct {
	bun.BaseModel `bun:"table:passkeys,alias:r"`

	ID      string `bun:"id,pk"` // passkeyKey
	Account string `bun:"account"`
}

// passkeyKey is the SHA-256 of a credential's id in hexadecimal: ids are of up to 1023 bytes, more than an index should hold.
func passkeyKey(credential []byte) string {
	hash := sha256.Sum256(credential)
	return hex.EncodeToString(hash[:])
}

// savePasskeys makes the rows of an account those of its passkeys. Errors: ports.ErrDuplicate when another account has one.
func (t accountRows) savePasskeys(ctx context.Context, a ports.Account) error {
	b := t.store.db.Builder()
	rows, keys := make([]passkeyRow, 0, len(a.SecondFactors.Passkeys)), make([]string, 0, len(a.SecondFactors.Passkeys))
	for _, k := range a.SecondFactors.Passkeys {
		keys = append(keys, passkeyKey(k.Credential))
		rows = append(rows, passkeyRow{ID: keys[len(keys)-1], Account: a.ID})
	}
	gone := b.Delete((*passkeyRow)(nil)).Where("account = ?", a.ID)
	if len(keys) > 0 {
		gone = gone.Where("?", db.Expr(func(args *db.Args) string { return t.store.dialect.NotInList("id", args.Bind(keys)) }))
	}
	if _, err := b.Exec(ctx, t, gone); err != nil {
		return fmt.Errorf("delete passkeys: %w", err)
	}
	if len(rows) == 0 {
		return nil
	}
	if _, err := b.Exec(ctx, t, b.Insert(&rows).On("CONFLICT (id) DO NOTHING")); err != nil {
		return fmt.Errorf("save passkeys: %w", err)
	}
	own, err := db.Models[passkeyRow](ctx, b, t, b.Select((*passkeyRow)(nil)).Where("account = ?", a.ID))
	if err != nil {
		return fmt.Errorf("find passkeys: %w", err)
	}
	if len(own) != len(rows) {
		return t.fail(ports.ErrDuplicate.WithFields(fault.Field{Field: "credential", Message: "Value must be unique"}))
	}
	return nil
}
