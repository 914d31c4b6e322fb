// Package access identifies callers and decides what they may do: API keys, logins, tokens and the access
// matrix. Rules: features/access/RULES.md. The sections below are details that the rules leave open.
//
// # Roles
//
// Collections declare what platform admins, admins, editors and viewers may do to their records. Every other role is a set of
// permissions: "collection:verb" for records, and names such as orders:refund for operations of the back office, which
// RequireOperator asks for. The permissions of the finer roles of every tenant are in package domain/tenant, those of a tenant's
// own roles are records, read with every request: what a role permits changes at once, on every instance. Whatever a role says,
// only admins write what could give people more rights or send money and data elsewhere (Permissions has no name for it). A member
// of staff who may read a collection sees all that staff sees of its records, cost prices and notes included: roles do not divide
// fields.
//
// # Throttling
//
// Logins and requests for tokens are counted per (tenant, email, address). Users have one account across all
// tenants, so theirs are counted without a tenant: those that name a tenant together, and those that name none
// together. Without a tenant the accounts that strangers' shops made for an address can hide a person's own; naming it
// always finds it, and the count of the attempts before does not stand in the way. While Redis is down each instance
// counts on its own.
//
// A success takes back its own attempt. It ends the counts of an address only if a single password opens anything of it:
// a guesser with an account, or a membership, of the address in a shop of their own could end them as often as they like
// otherwise. Who has one can tell from this whether there is another one; POST /users tells admins the same.
//
// # Email tokens
//
// A token is valid for one hour (password reset), 72 hours (verification) or seven days (invitation) from the
// request and works once. A reset logs the caller in, ends their other sessions of that password, invalidates
// their other reset tokens, clears the login throttle as a login does, and verifies a customer's address. Verification tokens
// are sent on registration, and again by verify-email with an address in place of a token. A request without a
// visible change is still an update event of the record, with empty data, so that its delivery can carry the
// token. A user of several tenants gets a token from each, or from the one whose page asked; Decision 37 says
// what it opens.
//
// A request is stored before it is answered, and the account looked up afterwards: whoever reads that a mail will come
// gets it although the process ends at once, and known and unknown addresses are answered alike, in the same time, also
// by a database that cannot write. The transaction that stores the token finishes the request, so it is issued once.
//
// # Users of several tenants
//
// A user's record in a tenant shows that tenant's membership only. A viewer is shown the memberships in tenants
// that they share with the user; platform admins and the user see all of them, unless the session's password
// counts in one tenant alone. A change in one tenant is no event in another.
package access
