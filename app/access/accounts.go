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

// MemberOf is the account, among those of one address, that is a member of tenant t.
func MemberOf(accounts []ports.Account, t tenant.ID) (account ports.Account, found bool) {
	i := slices.IndexFunc(accounts, func(a ports.Account) bool { return MembershipIndex(a, t) >= 0 })
	if i < 0 {
		return ports.Account{}, false
	}
	return accounts[i], true
}

// NewAccount is the account of a person that nobody knew before in tenant t: bound to t, until the
// installation has proven the address. Only the platform makes platform admins, for whom it vouches.
func NewAccount(id, email, hash string, m ports.Membership) ports.Account {
	account := ports.Account{ID: id, Email: email, Home: m.Tenant, PasswordHash: hash, TokenVersion: 1, Memberships: []ports.Membership{m}}
	if m.Role == tenant.PlatformAdmin {
		account.Home = ""
	}
	return account
}

// isPlatformAdmin reports whether the account belongs to a platform admin.
func isPlatformAdmin(account ports.Account) bool {
	admin := func(m ports.Membership) bool { return m.Role == tenant.PlatformAdmin }
	return account.Home == "" && slices.ContainsFunc(account.Memberships, admin)
}

// credential is the password that opens a tenant to the person of an account.
type credential struct {
	hash     string // "": none does
	version  int64
	homeOnly bool // it counts in this tenant alone
}

// credentialFor is the password for membership m of the account: what the tenant vouches for comes before
// what counts everywhere, so that a password that was replaced there does not open it.
func credentialFor(account ports.Account, m ports.Membership) credential {
	switch {
	case m.PasswordHash != "":
		return credential{m.PasswordHash, m.TokenVersion, true}
	case account.Home != "":
		return credential{account.PasswordHash, account.TokenVersion, true}
	}
	return credential{account.PasswordHash, account.TokenVersion, false}
}

// haveOnePassword reports whether a single password opens anything of the accounts of an address.
func haveOnePassword(accounts []ports.Account) bool {
	ofShop := func(m ports.Membership) bool { return m.PasswordHash != "" }
	return len(accounts) == 1 && !slices.ContainsFunc(accounts[0].Memberships, ofShop)
}

// opens reports whether the account's own password opens membership m, among others.
func opens(account ports.Account, m ports.Membership) bool {
	return !credentialFor(account, m).homeOnly
}

// roleFor is the role of a session in a membership. A password for which only the tenant vouches makes nobody
// an admin of the platform.
func roleFor(m ports.Membership, homeOnly bool) tenant.Role {
	if homeOnly && m.Role == tenant.PlatformAdmin {
		return tenant.Admin
	}
	return m.Role
}

// WithTenantPassword is the account after tenant t set a password or passed on the token that did. It counts
// in t alone, and ends the sessions there. Of an account without other memberships nothing else remains: it
// is bound to t.
func WithTenantPassword(account ports.Account, t tenant.ID, hash string, now time.Time) ports.Account {
	account.Memberships = slices.Clone(account.Memberships)
	m := &account.Memberships[MembershipIndex(account, t)]
	m.Login = ""
	if len(account.Memberships) == 1 {
		account.Home, account.PasswordHash, m.PasswordHash = t, hash, ""
		account.TokenVersion++
		return account
	}
	m.PasswordHash, m.TokenVersion = hash, max(m.TokenVersion+1, now.Unix())
	return account
}

// withOwnPassword is the account after the person set a password that counts in all tenants: the installation
// vouches for the address. It replaces those of single tenants, and ends all sessions. Second factors of an account that
// was bound to a tenant go: whoever had that tenant's password may have added them.
func withOwnPassword(account ports.Account, hash string) ports.Account {
	if account.Home != "" {
		account.SecondFactors = ports.SecondFactors{}
	}
	account.Home, account.PasswordHash = "", hash
	account.TokenVersion++
	account.Memberships = slices.Clone(account.Memberships)
	for i := range account.Memberships {
		account.Memberships[i].PasswordHash, account.Memberships[i].Login = "", ""
	}
	return account
}

// WithNewPassword is the account after the person, acting in tenant t, chose another password in place of the
// one that opens t. It ends the sessions of that password.
func WithNewPassword(account ports.Account, t tenant.ID, hash string, now time.Time) ports.Account {
	if !opens(account, account.Memberships[MembershipIndex(account, t)]) {
		return WithTenantPassword(account, t, hash, now)
	}
	account.PasswordHash = hash
	account.TokenVersion++
	return account
}

// endSessions is the account after the sessions of a login were ended, all of them for one of the person's own
// password.
func endSessions(account ports.Account, claims ports.TokenClaims) ports.Account {
	account.Memberships = slices.Clone(account.Memberships)
	for i := range account.Memberships {
		if m := &account.Memberships[i]; m.PasswordHash != "" && (!claims.HomeOnly || m.Tenant == claims.Tenant) {
			m.TokenVersion++
		}
	}
	if !claims.HomeOnly || account.Home != "" {
		account.TokenVersion++
	}
	return account
}

// writeUserEvent makes the event of a change of a user's record in the transaction's tenant that no field shows.
// It tells other tenants nothing.
func (a *Service) writeUserEvent(ctx context.Context, tx ports.Tx, id string) error {
	before, err := tx.Records.Lock(ctx, identity.Users, id)
	if err != nil {
		return err
	}
	after := before.Clone()
	after["signals"] = before.Int("signals") + 1
	return tx.Records.Write(ctx, collection.NewChange(identity.Users, before, after, a.NewID(), a.Now()))
}
