package access

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

const (
	// MaxLoginCandidates is how many passwords a login is compared with at most, in the accounts of its address: the person's
	// own first, then the newest. Each comparison waits its turn. Of more than that, a login has to name the tenant.
	MaxLoginCandidates = 32
	// minFailedChecks is how many comparisons a failed login takes at least, so that the time does not show
	// whether an address is known in two tenants.
	minFailedChecks = 2
)

// loginCandidate is a membership that a login may open.
type loginCandidate struct {
	credential

	account ports.Account
	member  ports.Membership
	proven  bool // with a second factor
}

// LoginUser opens a session of a user: with the person's own password in all of their tenants, with that of a
// tenant in this one. A login that names its tenant finds the account among any number of the address. Errors:
// ErrCredentials for a wrong password and an unknown email alike, ErrTooManyLogins, ErrNotMember,
// fault.ErrValidation.
func (a *Service) LoginUser(ctx context.Context, in Login) (Session, error) {
	wanted := in.wanted()
	try, err := a.beginLogin(ctx, &in, "", attemptsNaming(wanted, countedLogin))
	if err != nil {
		return Session{}, adviseNaming(err, wanted)
	}
	defer try.release()
	found, err := a.Accounts.ByAddress(ctx, in.Email)
	if err != nil {
		a.undoAttempt(ctx, try)
		return Session{}, err
	}
	candidates, joined := loginCandidates(found, wanted)
	who, err := a.matchPassword(ctx, in.Password, candidates, try)
	if err != nil {
		return Session{}, adviseNaming(err, wanted)
	}
	a.undoAttempt(ctx, try)
	a.forgiveFailures(ctx, found, in.Email, in.ClientIP)
	if !joined {
		return Session{}, ErrNotMember
	}
	if who, err = a.avoidSuspended(ctx, who, wanted); err != nil {
		return Session{}, err
	}
	session, err := a.newUserSession(ctx, who, in.device())
	return session, adviseNaming(err, wanted)
}

// avoidSuspended is who logged in, in a tenant that is not suspended: the one they wanted, or else another one that the same
// password opens. A tenant that is being deleted is none. Errors: tenant.ErrSuspended, ErrNotMember, ErrCredentials.
func (a *Service) avoidSuspended(ctx context.Context, who loginCandidate, wanted tenant.ID) (loginCandidate, error) {
	choices := []ports.Membership{who.member}
	if wanted == "" && !who.homeOnly {
		choices = append(choices, slices.DeleteFunc(slices.Clone(who.account.Memberships), func(m ports.Membership) bool {
			return !opens(who.account, m)
		})...)
	}
	refusal := ErrCredentials // of whoever has no tenant any more
	for _, m := range choices {
		shop, err := a.Keys.Tenant(ctx, m.Tenant)
		switch {
		case errors.Is(err, ports.ErrNotFound) && MembershipIndex(who.account, m.Tenant) >= 0: // it is being deleted
			if wanted != "" {
				refusal = ErrNotMember
			}
		case errors.Is(err, ports.ErrNotFound): // a platform admin may name any tenant
			who.member = m
			return who, nil
		case err != nil:
			return who, err
		case !shop.Suspended:
			who.member = m
			return who, nil
		default:
			refusal = tenant.ErrSuspended
		}
	}
	return who, refusal
}

// forgiveFailures forgets the failed logins of an address after a login or a reset, if these are its accounts and nobody
// can know a right password of them and guess at another one: there is one password. Where there are more, a shop of
// the guesser's own may have set one.
func (a *Service) forgiveFailures(ctx context.Context, accounts []ports.Account, email, clientIP string) {
	if !haveOnePassword(accounts) {
		return
	}
	for _, what := range []string{countedLogin, countedLogin + naming} {
		a.Attempts.Reset(ctx, throttleKey(what, "", email, clientIP))
	}
}

// adviseNaming adds to a refusal of the credentials of an attempt that named no tenant that it may name one. It says so
// of every address, since whether there are many accounts of one is nobody's business.
func adviseNaming(err error, wanted tenant.ID) error {
	if wanted == "" && errors.Is(err, ErrCredentials) {
		return ErrCredentials.WithMessage("%s %s", ErrCredentials.Message, NamingAdvice)
	}
	return err
}

// NamingAdvice is for attempts of users that name no tenant, some of which find no account among too many of an address.
const NamingAdvice = "If several shops know this address, name yours in the header X-Tenant-Id."

// loginCandidates are the memberships among the accounts of an address that a login may open, and whether they
// are in the wanted tenant; "" wants any. If none is, a right password is still told from a wrong one.
func loginCandidates(accounts []ports.Account, wanted tenant.ID) (list []loginCandidate, joined bool) {
	var all []loginCandidate
	for _, account := range ownAndNewestFirst(accounts) {
		if m, err := pickMembership(account, wanted, ""); err == nil {
			all = append(all, loginCandidate{credential: credentialFor(account, ports.Membership{}), account: account, member: m})
		}
		for _, m := range account.Memberships {
			if !opens(account, m) {
				all = append(all, loginCandidate{credential: credentialFor(account, m), account: account, member: m})
			}
		}
	}
	here := slices.DeleteFunc(slices.Clone(all), func(c loginCandidate) bool { return wanted != "" && c.member.Tenant != wanted })
	if wanted == "" || len(here) > 0 {
		return here[:min(len(here), MaxLoginCandidates)], true
	}
	for _, account := range accounts {
		if account.Home == "" && len(account.Memberships) > 0 {
			all = append(all, loginCandidate{
				credential: credentialFor(account, ports.Membership{}), account: account, member: account.Memberships[0],
			})
		}
	}
	return all[:min(len(all), MaxLoginCandidates)], false
}

// ownAndNewestFirst are the accounts of an address, with the proven one, which is the person's, before those that shops made,
// the newest of these first. Ids are UUIDv7.
func ownAndNewestFirst(accounts []ports.Account) []ports.Account {
	return slices.SortedFunc(slices.Values(accounts), func(a, b ports.Account) int {
		if proven := a.Home == ""; proven != (b.Home == "") {
			if proven {
				return -1
			}
			return 1
		}
		return strings.Compare(b.ID, a.ID)
	})
}

// matchPassword is the candidate that the password opens; of a correct one the caller takes the attempt back. Errors:
// ErrCredentials, fault.ErrUnavailable.
func (a *Service) matchPassword(
	ctx context.Context, plain string, candidates []loginCandidate, try loginAttempt,
) (loginCandidate, error) {
	for i := range max(len(candidates), minFailedChecks) {
		var one loginCandidate
		if i < len(candidates) {
			one = candidates[i]
		}
		switch err := a.checkPassword(ctx, plain, one.hash, try); {
		case err == nil:
			return one, nil
		case !errors.Is(err, ErrCredentials):
			if i == 0 { // later it would be a free guess at the passwords before
				a.undoAttempt(ctx, try)
			}
			return loginCandidate{}, err
		}
	}
	return loginCandidate{}, ErrCredentials
}

// newUserSession is a session of a user, or a challenge for the second factor that the login did not prove.
func (a *Service) newUserSession(ctx context.Context, who loginCandidate, on device) (Session, error) {
	if who.account.SecondFactors.Active() && !who.proven {
		challenge, err := a.newChallenge(who)
		return Session{Challenge: challenge}, err
	}
	person, err := a.userRecord(ctx, who.account, who.member)
	if err != nil {
		return Session{}, err
	}
	return a.newSession(ctx, ports.TokenClaims{
		Kind: tenant.User, Subject: who.account.ID, Tenant: who.member.Tenant, Version: who.version, HomeOnly: who.homeOnly,
		SecondFactor: who.proven,
	}, identity.Users, person, on)
}

// userRecord is the user's record in the tenant they act in, with the memberships that the session extends to.
// A platform admin has no record in most tenants; then it is one from a tenant of theirs.
func (a *Service) userRecord(ctx context.Context, account ports.Account, m ports.Membership) (collection.Record, error) {
	shown := slices.DeleteFunc(slices.Clone(account.Memberships), func(other ports.Membership) bool {
		return !slices.Contains(span(account, m.Tenant), other.Tenant)
	})
	var found collection.Record
	for _, in := range append([]ports.Membership{m}, shown...) {
		r, err := a.Store.Read(ports.ForTenant(in.Tenant)).Get(ctx, identity.Users, account.ID)
		if err == nil {
			found = r.Clone()
			break
		}
		if !errors.Is(err, ports.ErrNotFound) {
			return nil, err
		}
	}
	if found == nil {
		return nil, ErrCredentials
	}
	found["role"] = string(m.Role)
	setMemberships(found, shown)
	return found, nil
}
