package sqlstore

import (
	"context"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// loginRow is a login as its person is shown it.
type loginRow struct {
	bun.BaseModel `bun:"table:logins,alias:r"`

	ID          string      `bun:"id,pk"`
	Kind        tenant.Kind `bun:"kind"`
	Subject     string      `bun:"subject"`
	Tenant      tenant.ID   `bun:"tenant"`
	Version     int64       `bun:"version"`
	HomeOnly    bool        `bun:"home_only"`
	BeganAt     db.NullTime `bun:"began_at"`
	SeenAt      db.NullTime `bun:"seen_at"`
	ExpiresAt   db.NullTime `bun:"expires_at"`
	UserAgent   string      `bun:"user_agent"`
	Address     string      `bun:"address"`
	LastAddress string      `bun:"last_address"`
	ProvenAt    db.NullTime `bun:"proven_at"`
}

// Logins is a ports.Logins.
type Logins struct{ db *db.DB }

var _ ports.Logins = Logins{}

// Save implements ports.Logins. Sweep deletes expired ones.
func (s Logins) Save(ctx context.Context, l ports.Login) error {
	b := s.db.Builder()
	q := b.Insert(&loginRow{
		ID: l.ID, Kind: l.Kind, Subject: l.Subject, Tenant: l.Tenant, Version: l.Version, HomeOnly: l.HomeOnly,
		BeganAt: nullTime(l.Began), SeenAt: nullTime(l.Seen), ExpiresAt: nullTime(l.Expires),
		UserAgent: l.UserAgent, Address: l.Address, LastAddress: l.LastAddress, ProvenAt: nullTime(l.Proven),
	}).On("CONFLICT (id) DO UPDATE").Set("seen_at = excluded.seen_at").Set("last_address = excluded.last_address").
		Set("expires_at = excluded.expires_at").Where("r.seen_at < excluded.seen_at")
	err := s.db.Transact(ctx, db.SystemScope, func(ctx context.Context, on db.Session) error {
		_, err := b.Exec(ctx, on, q)
		return err
	})
	if err != nil {
		return fmt.Errorf("save a login: %w", err)
	}
	return nil
}

// Prove implements ports.Logins.
func (s Logins) Prove(ctx context.Context, id string, at time.Time) error {
	b := s.db.Builder()
	err := s.db.Transact(ctx, db.SystemScope, func(ctx context.Context, on db.Session) error {
		known, err := b.Exec(ctx, on, b.Update((*loginRow)(nil)).Set("proven_at = ?", at).Where("id = ?", id))
		if err == nil && known == 0 {
			err = ports.ErrNotFound
		}
		return err
	})
	if err != nil {
		return fmt.Errorf("prove a login: %w", err)
	}
	return nil
}

// Proven implements ports.Logins.
func (s Logins) Proven(ctx context.Context, id string) (time.Time, error) {
	b := s.db.Builder()
	rows, err := db.Models[loginRow](ctx, b, s.db.Reader(db.SystemScope), b.Select((*loginRow)(nil)).Where("id = ?", id))
	if err != nil {
		return time.Time{}, fmt.Errorf("when a login was proven: %w", err)
	}
	if len(rows) == 0 {
		return time.Time{}, nil
	}
	return rows[0].ProvenAt.Time, nil
}

// Of implements ports.Logins.
func (s Logins) Of(ctx context.Context, kind tenant.Kind, subject string, now time.Time, limit int) ([]ports.Login, error) {
	b := s.db.Builder()
	q := b.Select((*loginRow)(nil)).Where("subject = ?", subject).Where("kind = ?", string(kind)).Where("expires_at >= ?", now).
		Where("NOT EXISTS (SELECT 1 FROM revocations AS e WHERE e.jti = r.id AND e.revoked_at <= ?)", now).
		Order("seen_at DESC", "id").Limit(int64(limit))
	rows, err := db.Models[loginRow](ctx, b, s.db.Reader(db.SystemScope), q)
	if err != nil {
		return nil, fmt.Errorf("list logins: %w", err)
	}
	found := make([]ports.Login, len(rows))
	for i, r := range rows {
		found[i] = ports.Login{
			ID: r.ID, Kind: r.Kind, Subject: r.Subject, Tenant: r.Tenant, Version: r.Version, HomeOnly: r.HomeOnly, Began: r.BeganAt.Time,
			Seen: r.SeenAt.Time, Expires: r.ExpiresAt.Time, UserAgent: r.UserAgent, Address: r.Address, LastAddress: r.LastAddress,
			Proven: r.ProvenAt.Time,
		}
	}
	return found, nil
}
