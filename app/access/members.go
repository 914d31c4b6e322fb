package access

import (
	"context"
	"slices"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// MembersScope is the scope of work on a tenant and the accounts of its users.
func MembersScope(id tenant.ID) ports.Scope {
	return ports.Scope{System: true, Tenants: []tenant.ID{id}}
}

// MembershipIndex is the index of tenant t in the account's memberships, or -1.
func MembershipIndex(account ports.Account, t tenant.ID) int {
	return slices.IndexFunc(account.Memberships, func(m ports.Membership) bool { return m.Tenant == t })
}

// IsPlatformAdmin reports whether the account belongs to a platform admin.
func IsPlatformAdmin(account ports.Account) bool {
	return slices.ContainsFunc(account.Memberships, func(m ports.Membership) bool { return m.Role == tenant.PlatformAdmin })
}

// SetMembership writes the membership in the record's own tenant into a user's record. Memberships in other
// tenants are added only when the record is shown (WithVisibleMemberships), so that no filter, event or
// export of one tenant reveals in which other tenants its users work.
func SetMembership(r collection.Record, t tenant.ID, role tenant.Role) {
	setMemberships(r, []ports.Membership{{Tenant: t, Role: role}})
}

func setMemberships(r collection.Record, all []ports.Membership) {
	ids, rows := []string{}, []collection.Record{}
	for _, m := range all {
		ids = append(ids, string(m.Tenant))
		rows = append(rows, collection.Record{"tenant": string(m.Tenant), "role": string(m.Role)})
	}
	r["tenants"], r["memberships"] = ids, rows
}

// AccountReader reads accounts by id, from the store or in a transaction.
type AccountReader interface {
	// ByIDs returns the existing accounts by id.
	ByIDs(ctx context.Context, ids []string) (map[string]ports.Account, error)
}

// WithVisibleMemberships adds to users' records the memberships that p may see: all of them for a platform
// admin and for one's own record, otherwise those in the tenants that p belongs to.
func WithVisibleMemberships(
	ctx context.Context, accounts AccountReader, p tenant.Principal, users []collection.Record,
) ([]collection.Record, error) {
	if p.Kind != tenant.User || len(users) == 0 {
		return users, nil
	}
	ids := []string{p.ID}
	for _, r := range users {
		ids = append(ids, r.ID())
	}
	found, err := accounts.ByIDs(ctx, ids)
	if err != nil {
		return nil, err
	}
	out := slices.Clone(users)
	for i, r := range users {
		account, ok := found[r.ID()]
		if !ok {
			continue // deleted in the meantime; the record shows its own tenant
		}
		out[i] = r.Clone()
		setMemberships(out[i], slices.DeleteFunc(slices.Clone(account.Memberships), func(m ports.Membership) bool {
			return p.Role != tenant.PlatformAdmin && p.ID != account.ID && string(m.Tenant) != r.Text("tenant") &&
				MembershipIndex(found[p.ID], m.Tenant) < 0
		}))
	}
	return out, nil
}

// VisibleTenants returns, by id, the tenants among ids that the user p belongs to. A user's "tenants"
// relation needs it, because a reader of a single tenant cannot find the others. Platform admins belong to
// all tenants; principals other than users to none. read returns the reader of the requested scope or of a
// wider one.
func VisibleTenants(
	ctx context.Context, read func(ports.Scope) ports.Reader, accounts AccountReader, p tenant.Principal, ids []string,
) (map[string]collection.Record, error) {
	if p.Kind != tenant.User || len(ids) == 0 {
		return nil, nil
	}
	found, err := accounts.ByIDs(ctx, []string{p.ID})
	if err != nil {
		return nil, err
	}
	var scope ports.Scope
	var theirs []string
	for _, id := range ids {
		if p.Role == tenant.PlatformAdmin || MembershipIndex(found[p.ID], tenant.ID(id)) >= 0 {
			scope.Tenants, theirs = append(scope.Tenants, tenant.ID(id)), append(theirs, id)
		}
	}
	if len(theirs) == 0 {
		return nil, nil
	}
	return read(scope).GetMany(ctx, identity.Tenants, theirs)
}

// AccountChange is a change of an account that is published in the tenants the user belongs to.
type AccountChange struct {
	Account string
	Origin  tenant.ID                             // the tenant whose record has the change already; "" if none
	Apply   func(before, after collection.Record) // what else changes in each record; may be nil
	NewID   func() string
	Now     time.Time
}

// PublishAccountChange creates an event of the user's record in every tenant except n.Origin. Its data is
// what changed; an event with empty data says that something changed that records do not show. Decision 20.
func PublishAccountChange(ctx context.Context, tx ports.Tx, n AccountChange) error {
	found, err := tx.AllTenants.Find(ctx, collection.Query{
		Schema: identity.Users, Where: identity.Users.Where("id", collection.Equals, n.Account), Limit: collection.MaxLimit, Page: 1,
	})
	if err != nil {
		return err
	}
	var changes []collection.Change
	for _, before := range found.Docs {
		if before.Text("tenant") == string(n.Origin) {
			continue
		}
		after := before.Clone()
		after["signals"] = before.Int("signals") + 1
		if n.Apply != nil {
			n.Apply(before, after)
		}
		changes = append(changes, collection.NewChange(identity.Users, before, after, n.NewID(), n.Now))
	}
	return tx.AllTenants.Write(ctx, changes...)
}
