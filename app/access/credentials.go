// Package access answers who is calling and what they may do: keys, logins, tokens and the access matrix. Contract 2.
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
