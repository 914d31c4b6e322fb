package access

// Credentials are everything a request sends to identify its caller, as sent; "" is absent.
type Credentials struct {
	ClientKey    string // X-Client-Key
	APIKey       string // X-API-Key
	Bearer       string // Authorization: Bearer
	Cookie       string // cookie cartwright-token
	Origin       string // the Origin header; "null" counts as an origin
	HasOrigin    bool   // whether the Origin header was present
	Scheme       string // "http" or "https", as the client sent the request
	Host         string // host[:port] the request was sent to
	Tenant       string // X-Tenant-Id
	Environment  string // X-Environment
	UnsafeMethod bool   // the method is not GET, HEAD or OPTIONS
	Address      string // of the client
	UserAgent    string // User-Agent

	enrolling bool // a user is accepted without the second factor that the tenant requires
}
