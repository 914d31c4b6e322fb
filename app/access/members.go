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

// Members is the scope of work on a tenant and the accounts of its people.
func Members(id tenant.ID) ports.Scope {
	return ports.Scope{System: true, Tenants: []tenant.ID{id}}
}

// MemberOf is where in the account's memberships tenant t stands, or -1.
func MemberOf(account ports.Account, t tenant.ID) int {
	return slices.IndexFunc(account.Memberships, func(m ports.Membership) bool { return m.Tenant == t })
}

// OfPlatform reports whether the account is a platform admin's.
func OfPlatform(account ports.Account) bool {
	return slices.ContainsFunc(account.Memberships, func(m ports.Membership) bool { return m.Role == tenant.PlatformAdmin })
}

// ShowMembership writes into a user's record what is kept there: the membership in the record's own tenant. What a viewer
// may see of the others is added when it is shown (Viewable), so that no filter, event or export of one tenant tells
// where else its people work.
func ShowMembership(r collection.Record, t tenant.ID, role tenant.Role) {
	showMemberships(r, []ports.Membership{{Tenant: t, Role: role}})
}

func showMemberships(r collection.Record, all []ports.Membership) {
	ids, rows := []string{}, []collection.Record{}
	for _, m := range all {
		ids = append(ids, string(m.Tenant))
		rows = append(rows, collection.Record{"tenant": string(m.Tenant), "role": string(m.Role)})
	}
	r["tenants"], r["memberships"] = ids, rows
}

// Persons are accounts by id: those of the store, or of a transaction.
type Persons interface {
	// ByIDs returns those that exist, by id.
	ByIDs(ctx context.Context, ids []string) (map[string]ports.Account, error)
}

// Viewable adds to users' records the memberships that p may see: all of them for a platform admin and of oneself, else
// those in the tenants that p belongs to.
func Viewable(ctx context.Context, accounts Persons, p tenant.Principal, users []collection.Record) ([]collection.Record, error) {
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
			continue // deleted by now; the record shows its own tenant
		}
		out[i] = r.Clone()
		showMemberships(out[i], slices.DeleteFunc(slices.Clone(account.Memberships), func(m ports.Membership) bool {
			return p.Role != tenant.PlatformAdmin && p.ID != account.ID && string(m.Tenant) != r.Text("tenant") && MemberOf(found[p.ID], m.Tenant) < 0
		}))
	}
	return out, nil
}

// TenantsOf are those of ids that are tenants which the user p belongs to, by id: what a person's "tenants" lead to, which
// no reader of a single tenant finds. Platform admins belong to all; others than users to none. read gives the reader of
// the scope it is asked for, or of a wider one.
func TenantsOf(ctx context.Context, read func(ports.Scope) ports.Reader, accounts Persons, p tenant.Principal, ids []string) (map[string]collection.Record, error) {
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
		if p.Role == tenant.PlatformAdmin || MemberOf(found[p.ID], tenant.ID(id)) >= 0 {
			scope.Tenants, theirs = append(scope.Tenants, tenant.ID(id)), append(theirs, id)
		}
	}
	if len(theirs) == 0 {
		return nil, nil
	}
	return read(scope).GetMany(ctx, identity.Tenants, theirs)
}

// News is a change of a person's account that the tenants they belong to learn about.
type News struct {
	Person string
	From   tenant.ID                             // the tenant whose record tells it already; "" is none
	Apply  func(before, after collection.Record) // what else changes in each record; nil is nothing
	NewID  func() string
	Now    time.Time
}

// Signal makes an event of the person's record in every tenant but the one the news is from: what changed, or, where
// nothing that a record shows has changed, that something did. Engineering 17.
func Signal(ctx context.Context, tx ports.Tx, n News) error {
	found, err := tx.Across.Find(ctx, collection.Query{
		Schema: identity.Users, Where: identity.Users.Where("id", collection.Equals, n.Person), Limit: collection.MaxLimit, Page: 1,
	})
	if err != nil {
		return err
	}
	var changes []collection.Change
	for _, before := range found.Docs {
		if before.Text("tenant") == string(n.From) {
			continue
		}
		after := before.Clone()
		after["signals"] = before.Int("signals") + 1
		if n.Apply != nil {
			n.Apply(before, after)
		}
		changes = append(changes, collection.NewChange(identity.Users, before, after, n.NewID(), n.Now))
	}
	return tx.Across.Write(ctx, changes...)
}
