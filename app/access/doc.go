// Package access identifies callers and decides what they may do: API keys, logins, tokens and the access
// matrix. Rules: features/access/RULES.md. The sections below are details that the rules leave open.
//
// # Throttling
//
// Logins and requests for tokens are counted per (tenant, email, address). Users have one account across all
// tenants, so theirs are counted without a tenant. While Redis is down each instance counts on its own.
//
// # Email tokens
//
// A token is valid for one hour (password reset) or 72 hours (verification) from the request and works once. A
// reset logs the caller in, ends their other sessions, invalidates their other reset tokens, clears the login
// throttle and verifies a customer's address. Verification tokens are sent on registration, and again by
// verify-email with an address in place of a token. A request without a visible change is still an update event
// of the record, with empty data, so that its delivery can carry the token.
//
// Users who belong to several tenants and platform admins get no reset token: readers of one tenant's
// deliveries must not be able to take over an account in another tenant. A platform admin or the command line
// sets their password.
//
// # Users of several tenants
//
// A user's record in a tenant shows that tenant's membership only. A viewer is shown the memberships in tenants
// that they share with the user; platform admins and the user see all of them. A change of the account is an
// update event of the user's record in every other tenant they belong to.
package access
