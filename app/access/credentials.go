// Package access answers who is calling and what they may do: keys, logins, tokens and the access matrix. Contract 2.
//
// Decisions beyond the contract. Logins and requests for tokens are counted per (tenant, email, address); users are one
// person everywhere, so theirs are counted without a tenant. While Redis is away each instance counts for itself. A mailed
// token lives one hour (reset) or 72 (verification) from the request and works once; a reset logs the person in, ends
// their sessions and other reset tokens, opens a throttled login and proves a customer's address. Verification tokens go
// out with the registration, and again by verify-email with an address in the place of a token. A request that changes
// nothing to be seen is still an update of the person's record, with empty data, so that its delivery can carry the
// token. Users who belong to several tenants and platform admins get none: whoever can read a tenant's deliveries must not
// become somebody in another one; a platform admin or the command line sets their password. A user's record in a tenant
// tells of that tenant alone; viewers are shown what they share with the person, platform admins and oneself all. What
// changes in the account is an update of the person's record in every other tenant they belong to.
package access

// Credentials are everything a request shows about its caller, as sent; "" is absent.
type Credentials struct {
	ClientKey   string // X-Client-Key
	APIKey      string // X-API-Key
	Bearer      string // Authorization: Bearer
	Cookie      string // cookie cartwright-token
	Origin      string // the Origin header; "null" is an origin
	HasOrigin   bool   // whether the header was there at all
	Host        string // host[:port] the request was sent to
	Tenant      string // X-Tenant-Id
	Environment string // X-Environment
	Changes     bool   // the method is none of GET, HEAD, OPTIONS
}
