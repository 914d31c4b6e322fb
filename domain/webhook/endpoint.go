package webhook

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/team"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// ErrSecret refuses a secret that requests to a shop's service cannot be signed with.
var ErrSecret = fault.Invalidf("secret", "A secret is whsec_ and the base64 of 24 to 64 bytes.")

// DisabledReason is why an endpoint is disabled.
type DisabledReason string

// The reasons.
const (
	DisabledByOperator DisabledReason = "operator"
	DisabledGone       DisabledReason = "gone"    // it answered 410
	DisabledFailing    DisabledReason = "failing" // see ShouldDisable
)

// Endpoint has the fields of an endpoint that deliveries need. Its secrets are sealed.
type Endpoint struct {
	ID             string
	Tenant         tenant.ID
	Environment    tenant.Environment
	URL            string
	Collections    []string // nil: all that its audience may read, but what a team says to itself
	Operations     []string // empty: all
	Audience       Audience
	Enabled        bool
	SinceSequence  int64 // number of the last event before it was created or enabled
	SealedSecret   string
	SealedPrevious string    // "" when there is none
	PreviousUntil  time.Time // end of the overlap during which the previous secret signs too

	readable []string // set by WithReadable
}

// EndpointFrom reads a record of Endpoints. The collections that it may read are added by WithReadable.
func EndpointFrom(r collection.Record) Endpoint {
	return Endpoint{
		ID: r.ID(), Tenant: tenant.ID(r.Text("tenant")), Environment: tenant.Environment(r.Text("environment")), URL: r.Text("url"),
		Collections: subscribedCollections(r.Texts("collections")), Operations: r.Texts("operations"), Audience: AudienceFrom(r),
		Enabled: r.Bool("enabled"), SinceSequence: r.Int("since"),
		SealedSecret: r.Text("sealedSecret"), SealedPrevious: r.Text("sealedPrevious"), PreviousUntil: r.Time("previousSecretUntil"),
	}
}

// subscribedCollections are the collections that an endpoint names; nil if it names none. One that names users
// gets their invitations, too: whoever mails to users mails these.
func subscribedCollections(named []string) []string {
	switch {
	case len(named) == 0:
		return nil
	case slices.Contains(named, identity.Users.Slug) && !slices.Contains(named, identity.Invitations.Slug):
		return append(slices.Clone(named), identity.Invitations.Slug)
	}
	return named
}

// Event has the fields of an event that subscriptions depend on.
type Event struct {
	Sequence    int64
	Collection  string
	Operation   collection.Operation
	Environment tenant.Environment // "" is both
}

// Receives reports whether e receives an event. Rules webhooks-1, webhooks-11.
func (e Endpoint) Receives(h Event) bool {
	return e.Enabled && h.Sequence > e.SinceSequence && e.Matches(h)
}

// Matches reports whether an event is of a kind that e subscribes to, regardless of when it occurred.
func (e Endpoint) Matches(h Event) bool {
	return (h.Environment == "" || h.Environment == e.Environment) && e.CanRead(h.Collection) &&
		(len(e.Collections) == 0 && !team.Internal(h.Collection) || slices.Contains(e.Collections, h.Collection)) &&
		(len(e.Operations) == 0 || slices.Contains(e.Operations, string(h.Operation)))
}

// NamesCollection reports whether e names a collection, rather than subscribing to all.
func (e Endpoint) NamesCollection(slug string) bool { return slices.Contains(e.Collections, slug) }

// RotationOverlap is how long deliveries are signed with the previous secret too. Rule webhooks-9.
const RotationOverlap = 24 * time.Hour

// ActiveSecrets are the sealed secrets that sign at now, newest first.
func (e Endpoint) ActiveSecrets(now time.Time) []string {
	if e.SealedPrevious == "" || !now.Before(e.PreviousUntil) {
		return []string{e.SealedSecret}
	}
	return []string{e.SealedSecret, e.SealedPrevious}
}

// RotateSecret changes a record of an endpoint in place: sealed signs from now on, and the previous secret
// for RotationOverlap more.
func RotateSecret(r collection.Record, sealed string, now time.Time) {
	r["sealedPrevious"], r["previousSecretUntil"] = r["sealedSecret"], collection.TruncateTime(now.Add(RotationOverlap))
	r["sealedSecret"] = sealed
}

// SetEnabled changes a record of an endpoint in place: disabled for a reason, or enabled again, to receive
// the events after number last.
func SetEnabled(r collection.Record, on bool, why DisabledReason, last int64, now time.Time) {
	r["enabled"] = on
	if on {
		r["disabledAt"], r["disabledReason"], r["since"] = nil, nil, last
		return
	}
	r["disabledAt"], r["disabledReason"] = collection.TruncateTime(now), string(why)
}

// The maximum number of endpoints of each plan. Rule webhooks-14.
var endpointLimits = map[tenant.Plan]int{tenant.Free: 1, tenant.Basic: 3, tenant.Pro: 5}

// MaxEndpoints is how many endpoints a plan allows; ok is false when it sets no limit.
func MaxEndpoints(p tenant.Plan) (most int, ok bool) {
	if p == tenant.Enterprise {
		return 0, false
	}
	if most, ok = endpointLimits[p]; !ok {
		most = endpointLimits[tenant.Free]
	}
	return most, true
}

// AddressPolicy is which addresses an installation allows for endpoints.
type AddressPolicy struct {
	AllowHTTP    bool // http too, which lets anyone on the network path read deliveries
	AllowAnyPort bool // otherwise only those of web servers
}

// webPorts are the ports of web servers. Other ports belong to mail, databases and caches, which a crafted
// request could exploit.
var webPorts = []uint16{80, 443, 8080, 8443}

// AllowsPort reports whether deliveries may go to a port.
func (w AddressPolicy) AllowsPort(port uint16) bool {
	return w.AllowAnyPort || slices.Contains(webPorts, port)
}

// URLProblem describes what is wrong with the address of an endpoint; "" when nothing is. The IP address
// behind its name is checked when a connection is made. Rule webhooks-13.
func (w AddressPolicy) URLProblem(url string) string {
	scheme, rest, _ := strings.Cut(url, "://")
	rest, _, _ = strings.Cut(rest, "#")
	if i := strings.IndexAny(rest, "/?"); i >= 0 {
		rest = rest[:i]
	}
	scheme = strings.ToLower(scheme)
	user := strings.Contains(rest, "@")
	host, port := splitHostPort(rest[strings.LastIndexByte(rest, '@')+1:])
	switch {
	case scheme != "https" && scheme != "http", host == "", strings.ContainsAny(host, " []\\%"):
		return "This field takes an https address."
	case scheme == "http" && !w.AllowHTTP:
		return "This field takes an https address: plain http can be read in transit."
	case user:
		return "An address with a user or password is not allowed: deliveries are signed."
	case strings.Contains(url, "#"):
		return "An address with a fragment is not allowed."
	case port == "":
		return ""
	}
	n, err := strconv.ParseUint(port, 10, 16)
	if err != nil || n == 0 {
		return "The port of this address does not exist."
	}
	if !w.AllowsPort(uint16(n)) {
		return "This field takes an address with one of the ports 80, 443, 8080 and 8443."
	}
	return ""
}

// splitHostPort splits an authority into host and port, and removes the brackets of an IPv6 address. The host
// is "" for an invalid authority.
func splitHostPort(authority string) (host, port string) {
	if v6, rest, ok := strings.Cut(authority, "]"); ok {
		v6, bracketed := strings.CutPrefix(v6, "[")
		port, separate := strings.CutPrefix(rest, ":")
		if !bracketed || !separate && rest != "" {
			return "", ""
		}
		return v6, port
	}
	host, port, _ = strings.Cut(authority, ":")
	return host, port
}
