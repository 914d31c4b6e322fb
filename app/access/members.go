package access

import (
	"context"
	"slices"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// SetMembership writes the membership in the record's own tenant into a user's record. Memberships in other
// tenants are added only when the record is shown (WithVisibleMemberships), so that no filter, event or
// export of one tenant reveals in which other tenants its users work.
func SetMembership(r collection.Record, t tenant.ID, role tenant.Role) {
	setMemberships(r, []ports.Membership{{Tenant: t, Role: role}})
}

// OwnMembership are the fields of a user's record that say the person belongs to t, and with which role.
func OwnMembership(t tenant.ID, role tenant.Role) collection.Record {
	r := collection.Record{}
	SetMembership(r, t, role)
	return r
}

// WithRole is the user's record r with another role in t.
func WithRole(r collection.Record, t tenant.ID, role tenant.Role) collection.Record {
	rows, _ := r["memberships"].([]collection.Record)
	r, rows = r.Clone(), slices.Clone(rows)
	for i, row := range rows {
		if row.Text("tenant") == string(t) {
			rows[i] = collection.Record{"tenant": string(t), "role": string(role)}
		}
	}
	r["memberships"] = rows
	return r
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

// span is the tenants that a session of the account in tenant t extends to: t alone, if the password counts
// only there.
func span(account ports.Account, t tenant.ID) []tenant.ID {
	i := MembershipIndex(account, t)
	if i >= 0 && !opens(account, account.Memberships[i]) {
		return []tenant.ID{t}
	}
	var all []tenant.ID
	for _, m := range account.Memberships {
		all = append(all, m.Tenant)
	}
	return all
}

// WithVisibleMemberships adds to users' records the memberships that p may see: all of them for a platform
// admin, otherwise those in the tenants that p's session extends to.
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
	own := span(found[p.ID], p.Tenant.ID)
	out := slices.Clone(users)
	for i, r := range users {
		account, ok := found[r.ID()]
		if !ok {
			continue // deleted in the meantime; the record shows its own tenant
		}
		out[i] = r.Clone()
		setMemberships(out[i], slices.DeleteFunc(slices.Clone(account.Memberships), func(m ports.Membership) bool {
			return p.Role != tenant.PlatformAdmin && string(m.Tenant) != r.Text("tenant") && !slices.Contains(own, m.Tenant)
		}))
	}
	return out, nil
}

// VisibleTenants returns, by id, the tenants among ids that the session of the user p extends to. A user's "tenants"
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
	own := span(found[p.ID], p.Tenant.ID)
	for _, id := range ids {
		if p.Role == tenant.PlatformAdmin || slices.Contains(own, tenant.ID(id)) {
			scope.Tenants, theirs = append(scope.Tenants, tenant.ID(id)), append(theirs, id)
		}
	}
	if len(theirs) == 0 {
		return nil, nil
	}
	return read(scope).GetMany(ctx, identity.Tenants, theirs, nil)
}
