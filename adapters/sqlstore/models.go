package sqlstore

import (
	"database/sql/driver"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// The models of the tables whose statements bun makes. Their rows are called r.

// models lists them all.
func models() []any {
	return []any{
		&accountRow{}, &revocationRow{}, &loginRow{}, &processedWebhookRow{}, &sealedTokenRow{}, &pendingBlobRow{}, &usageRow{}, &providerCallRow{},
		&ledgerRow{},
	}
}

// accountRow is an account.
type accountRow struct {
	bun.BaseModel `bun:"table:accounts,alias:r"`

	ID           string         `bun:"id,pk"`
	Email        string         `bun:"email"` // accountKey
	PasswordHash string         `bun:"password_hash"`
	TokenVersion int64          `bun:"token_version"`
	Memberships  membershipList `bun:"memberships"`
	Factors      factorsColumn  `bun:"second_factors"`
}

// accountKey is what the column email has, and no two accounts share: the address, with the tenant that an
// unproven account is bound to after a space.
func accountKey(a ports.Account) string {
	if a.Home == "" {
		return a.Email
	}
	return a.Email + " " + string(a.Home)
}

// account is the account of a row. An account that an older version stored may have been made by the admin of
// its only tenant, who knows the password: it is bound to that tenant until its address is proven.
func (r accountRow) account() ports.Account {
	address, home, _ := strings.Cut(r.Email, " ")
	out := ports.Account{
		ID: r.ID, Email: address, Home: tenant.ID(home), PasswordHash: r.PasswordHash, TokenVersion: r.TokenVersion,
		Memberships: make([]ports.Membership, len(r.Memberships)), SecondFactors: ports.SecondFactors(r.Factors),
	}
	for i, m := range r.Memberships {
		out.Memberships[i] = m.Membership
	}
	if len(r.Memberships) == 1 && r.Memberships[0].Format == 0 && r.Memberships[0].Role != tenant.PlatformAdmin {
		out.Home = r.Memberships[0].Tenant
	}
	return out
}

// storedMembership is a membership as it is stored.
type storedMembership struct {
	ports.Membership

	Format int // membershipFormat; 0 of versions in which any admin could make an address a member
}

const membershipFormat = 1

// membershipList is stored as JSON.
type membershipList []storedMembership

func newMembershipList(all []ports.Membership) membershipList {
	out := make(membershipList, len(all))
	for i, m := range all {
		out[i] = storedMembership{m, membershipFormat}
	}
	return out
}

// Value implements driver.Valuer.
func (l membershipList) Value() (driver.Value, error) {
	text, err := json.Marshal([]storedMembership(l)) //nolint:musttag // the stored form has the names of the fields
	return string(text), err
}

// Scan implements sql.Scanner.
func (l *membershipList) Scan(v any) error {
	switch v := v.(type) {
	case string:
		return json.Unmarshal([]byte(v), (*[]storedMembership)(l)) //nolint:musttag // see Value
	case []byte:
		return json.Unmarshal(v, (*[]storedMembership)(l)) //nolint:musttag // see Value
	}
	return fmt.Errorf("memberships in a column of type %T", v)
}

// factorsColumn is stored as JSON; NULL without factors.
type factorsColumn ports.SecondFactors

// Value implements driver.Valuer.
func (f factorsColumn) Value() (driver.Value, error) {
	text, err := json.Marshal(ports.SecondFactors(f)) //nolint:musttag // the stored form has the names of the fields
	if err != nil || string(text) == "{}" {
		return nil, err
	}
	return string(text), nil
}

// Scan implements sql.Scanner.
func (f *factorsColumn) Scan(v any) error {
	*f = factorsColumn{}
	switch v := v.(type) {
	case nil:
		return nil
	case string:
		return json.Unmarshal([]byte(v), (*ports.SecondFactors)(f)) //nolint:musttag // see Value
	case []byte:
		return json.Unmarshal(v, (*ports.SecondFactors)(f)) //nolint:musttag // see Value
	}
	return fmt.Errorf("second factors in a column of type %T", v)
}

// revocationRow is a token that is not valid from a time on, until it would have expired anyway.
type revocationRow struct {
	bun.BaseModel `bun:"table:revocations,alias:r"`

	JTI       string      `bun:"jti,pk"`
	RevokedAt db.NullTime `bun:"revoked_at"`
	ExpiresAt db.NullTime `bun:"expires_at"`
}

// processedWebhookRow is an event of a payment provider that was handled.
type processedWebhookRow struct {
	bun.BaseModel `bun:"table:processed_webhooks,alias:r"`

	Tenant     tenant.ID   `bun:"tenant,pk"`
	Connection string      `bun:"connection,pk"`
	Event      string      `bun:"event,pk"`
	ExpiresAt  db.NullTime `bun:"expires_at"`
}

// sealedTokenRow is a sealed token of an event.
type sealedTokenRow struct {
	bun.BaseModel `bun:"table:sealed_tokens,alias:r"`

	Tenant     tenant.ID   `bun:"tenant,pk"`
	Event      string      `bun:"event,pk"`
	Collection string      `bun:"collection"`
	Ciphertext string      `bun:"ciphertext"`
	ExpiresAt  db.NullTime `bun:"expires_at"`
}

// pendingBlobRow is a blob that no record names.
type pendingBlobRow struct {
	bun.BaseModel `bun:"table:pending_blobs,alias:r"`

	Tenant   tenant.ID   `bun:"tenant,pk"`
	Key      string      `bun:"key,pk"`
	DueAt    db.NullTime `bun:"due_at"`
	Deleting bool        `bun:"deleting"`
}

// usageRow counts the calls of a tenant on a day, by the process that counted them.
type usageRow struct {
	bun.BaseModel `bun:"table:usage_days,alias:r"`

	Counter string    `bun:"counter,pk"`
	Tenant  tenant.ID `bun:"tenant,pk"`
	Day     string    `bun:"day,pk"`
	Calls   int64     `bun:"calls"`
}

// providerCallRow is an attempt of a call to a payment provider.
type providerCallRow struct {
	bun.BaseModel `bun:"table:provider_calls,alias:r"`

	Tenant      tenant.ID   `bun:"tenant,pk"`
	ID          string      `bun:"id,pk"`
	Session     string      `bun:"session"`
	Operation   string      `bun:"operation"`
	Attempt     int64       `bun:"attempt"`
	ProviderKey string      `bun:"provider_key"`
	Request     []byte      `bun:"request"`
	Outcome     string      `bun:"outcome"`
	Detail      string      `bun:"detail"`
	StartedAt   db.NullTime `bun:"started_at"`
	FinishedAt  db.NullTime `bun:"finished_at"`
}

// ledgerRow is an entry of the ledger.
type ledgerRow struct {
	bun.BaseModel `bun:"table:ledger_entries,alias:r"`

	Tenant      tenant.ID          `bun:"tenant,pk"`
	ID          string             `bun:"id,pk"`
	Environment tenant.Environment `bun:"environment"`
	Type        string             `bun:"type"`
	Minor       int64              `bun:"minor"`
	Currency    money.Currency     `bun:"currency"`
	Provider    string             `bun:"provider"`
	AccountKey  string             `bun:"account_key"`
	Reference   string             `bun:"reference"`
	Checkout    string             `bun:"checkout"`
	Order       string             `bun:"order_id"`
	At          db.NullTime        `bun:"at"`
}

// nullTime is t as a model has it.
func nullTime(t time.Time) db.NullTime { return db.NullTime{Time: t} }
