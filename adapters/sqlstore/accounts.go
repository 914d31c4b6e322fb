package sqlstore

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/ports"
)

const selectAccount = "SELECT id, email, password_hash, token_version, memberships FROM accounts WHERE "

// ByEmail implements ports.Accounts.
func (s *Store) ByEmail(ctx context.Context, email string) (ports.Account, error) {
	return s.account(ctx, selectAccount+"email = $1", email)
}

// ByID implements ports.Accounts.
func (s *Store) ByID(ctx context.Context, id string) (ports.Account, error) {
	return s.account(ctx, selectAccount+"id = $1", id)
}

func (s *Store) account(ctx context.Context, text, arg string) (a ports.Account, err error) {
	var memberships []byte
	found, err := queryRow(ctx, &reads{s, systemScope}, []any{&a.ID, &a.Email, &a.PasswordHash, &a.TokenVersion, &memberships}, text, arg)
	if err != nil {
		return ports.Account{}, err
	}
	if !found {
		return ports.Account{}, ports.ErrAbsent
	}
	if err := json.Unmarshal(memberships, &a.Memberships); err != nil {
		return ports.Account{}, fmt.Errorf("memberships of account %s: %w", a.ID, err)
	}
	return a, nil
}

// Save implements ports.Accounts.
func (s *Store) Save(ctx context.Context, a ports.Account, was int64) error {
	memberships, err := json.Marshal(a.Memberships)
	if err != nil {
		return fmt.Errorf("memberships of account %s: %w", a.ID, err)
	}
	return s.transact(ctx, systemScope, func(ctx context.Context, t *txn) error {
		text, args := "INSERT INTO accounts (id, email, password_hash, token_version, memberships) SELECT $1, $2, $3, $4, $5 WHERE NOT EXISTS (SELECT 1 FROM accounts WHERE id = $1)",
			[]any{a.ID, a.Email, a.PasswordHash, a.TokenVersion, string(memberships)}
		if was != 0 {
			text = "UPDATE accounts SET email = $2, password_hash = $3, token_version = $4, memberships = $5 WHERE id = $1 AND token_version = $6"
			args = append(args, was)
		}
		n, err := exec(ctx, t, text, args...)
		if constraint, ok := violation(err); ok {
			if broke(constraint, "accounts_pkey", "accounts", []string{"id"}) {
				return t.refuse(ports.ErrStale.Because(err))
			}
			return t.refuse(ports.ErrDuplicate.Because(err).In(fault.Field{Field: "email", Message: "Value must be unique"}))
		}
		if err == nil && n == 0 {
			err = ports.ErrStale
		}
		return err
	})
}

// Revoke implements ports.Revocations. Entries that no longer matter are cleared on the way.
func (s *Store) Revoke(ctx context.Context, jti string, from, until time.Time) error {
	return s.transact(ctx, systemScope, func(ctx context.Context, t *txn) error {
		return t.run(ctx,
			stmt{sql: "DELETE FROM revocations WHERE until_time < $1", args: []any{s.o.Now().Add(-time.Hour)}},
			stmt{sql: "INSERT INTO revocations AS r (jti, from_time, until_time) VALUES ($1, $2, $3) ON CONFLICT (jti) DO UPDATE SET from_time = CASE WHEN excluded.from_time < r.from_time THEN excluded.from_time ELSE r.from_time END, until_time = CASE WHEN excluded.until_time > r.until_time THEN excluded.until_time ELSE r.until_time END", args: []any{jti, from, until}})
	})
}

// Revoked implements ports.Revocations.
func (s *Store) Revoked(ctx context.Context, jti string, now time.Time) (bool, error) {
	return queryRow(ctx, &reads{s, systemScope}, []any{new(string)}, "SELECT jti FROM revocations WHERE jti = $1 AND from_time <= $2 AND until_time >= $2", jti, now)
}
