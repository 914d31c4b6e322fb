package webhook

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Why is why an endpoint is off.
type Why string

// The reasons.
const (
	ByOperator     Why = "operator"
	GoneForGood    Why = "gone"    // it answered 410
	FailingTooLong Why = "failing" // see FailsTooLong
)

// Endpoint is what deliveries need to know of one. Its secrets stay sealed.
type Endpoint struct {
	ID             string
	Tenant         tenant.ID
	Environment    tenant.Environment
	URL            string
	Collections    []string // nil: all that its audience may read
	Operations     []string // empty: all
	Audience       Audience
	Enabled        bool
	Since          int64 // number of the last event that it does not hear of
	SealedSecret   string
	SealedPrevious string    // "" when there is none
	PreviousUntil  time.Time // until when it signs, too

	reads []string // see Within
}

// EndpointFrom reads a record. What it may hear of has to be added: see Within.
func EndpointFrom(r collection.Record) Endpoint {
	return Endpoint{
		ID: r.ID(), Tenant: tenant.ID(r.Text("tenant")), Environment: tenant.Environment(r.Text("environment")), URL: r.Text("url"),
		Collections: some(r.Texts("collections")), Operations: r.Texts("operations"), Audience: AudienceOf(r), Enabled: r.Bool("enabled"), Since: r.Int("since"),
		SealedSecret: r.Text("sealedSecret"), SealedPrevious: r.Text("sealedPrevious"), PreviousUntil: r.Time("previousSecretUntil"),
	}
}

// some is a list, nil when nothing stands there.
func some(list []string) []string {
	if len(list) == 0 {
		return nil
	}
	return list
}

// Happening is what matching looks at of an event.
type Happening struct {
	Number      int64
	Collection  string
	Operation   collection.Operation
	Environment tenant.Environment // "" is both
}

// Hears reports whether e is told of what happened. Contract 10, 13 Events.
func (e Endpoint) Hears(h Happening) bool { return e.Enabled && h.Number > e.Since && e.Picks(h) }

// Picks reports whether what happened is of the sort that e is told of, whenever it happened.
func (e Endpoint) Picks(h Happening) bool {
	return (h.Environment == "" || h.Environment == e.Environment) && e.Reads(h.Collection) &&
		(len(e.Collections) == 0 || slices.Contains(e.Collections, h.Collection)) &&
		(len(e.Operations) == 0 || slices.Contains(e.Operations, string(h.Operation)))
}

// Names reports whether e names a collection, and does not merely hear of all.
func (e Endpoint) Names(slug string) bool { return slices.Contains(e.Collections, slug) }

// Rotation is how long deliveries are signed with the secret before, too. Contract 10.
const Rotation = 24 * time.Hour

// Secrets are the sealed secrets that sign at now, newest first.
func (e Endpoint) Secrets(now time.Time) []string {
	if e.SealedPrevious == "" || !now.Before(e.PreviousUntil) {
		return []string{e.SealedSecret}
	}
	return []string{e.SealedSecret, e.SealedPrevious}
}

// Rotated changes a record of an endpoint in place: sealed signs from now on, and the secret before for a day more.
func Rotated(r collection.Record, sealed string, now time.Time) {
	r["sealedPrevious"], r["previousSecretUntil"] = r["sealedSecret"], collection.Instant(now.Add(Rotation))
	r["sealedSecret"] = sealed
}

// Switched changes a record of an endpoint in place: off for a reason, or on again, hearing of what comes after the event
// with number last.
func Switched(r collection.Record, on bool, why Why, last int64, now time.Time) {
	r["enabled"] = on
	if on {
		r["disabledAt"], r["disabledReason"], r["since"] = nil, nil, last
		return
	}
	r["disabledAt"], r["disabledReason"] = collection.Instant(now), string(why)
}

// The caps of plans. Contract 10.
var caps = map[tenant.Plan]int{tenant.Free: 1, tenant.Basic: 3, tenant.Pro: 5}

// Cap is how many endpoints a plan allows; ok is false when it sets no limit.
func Cap(p tenant.Plan) (most int, ok bool) {
	if p == tenant.Enterprise {
		return 0, false
	}
	if most, ok = caps[p]; !ok {
		most = caps[tenant.Free]
	}
	return most, true
}

// Where says what an installation allows of addresses.
type Where struct {
	Plain   bool // http, too: without it anyone on the way reads what shops are told
	AnyPort bool // not only those of web servers
}

// ports of web servers. Behind others stand mail, databases and caches, which a request could be made to speak to.
var ports = []uint16{80, 443, 8080, 8443}

// Serves reports whether deliveries may go to a port.
func (w Where) Serves(port uint16) bool { return w.AnyPort || slices.Contains(ports, port) }

// Problem says what is wrong with the address of an endpoint, "" when nothing is. Which address its name leads to is
// decided when it is dialled. Standards 11.
func (w Where) Problem(url string) string {
	scheme, rest, _ := strings.Cut(url, "://")
	rest, _, _ = strings.Cut(rest, "#")
	if i := strings.IndexAny(rest, "/?"); i >= 0 {
		rest = rest[:i]
	}
	scheme = strings.ToLower(scheme)
	user := strings.Contains(rest, "@")
	host, port := hostPort(rest[strings.LastIndexByte(rest, '@')+1:])
	switch {
	case scheme != "https" && scheme != "http", host == "", strings.ContainsAny(host, " []\\%"):
		return "This field takes an https address."
	case scheme == "http" && !w.Plain:
		return "This field takes an https address: what is sent to others can be read on the way."
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
	if !w.Serves(uint16(n)) {
		return "This field takes an address with one of the ports 80, 443, 8080 and 8443."
	}
	return ""
}

// hostPort takes an authority apart; the brackets of an IPv6 address are taken off. The host of what is none is "".
func hostPort(authority string) (host, port string) {
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
