package webhook

import (
	"cmp"
	"context"
	"errors"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/cartwright-dev/cartwright/domain/webhook"
)

// Refusals of addresses. Their texts are shown to the tenant.
var (
	errScheme   = errors.New("the address must begin with https://")
	errUser     = errors.New("the address must hold no user name or password")
	errFragment = errors.New("the address must have no fragment")
	errHost     = errors.New("the address needs a host name or a standard IP address")
	errPort     = errors.New("the port of the address is not allowed")
	errPrivate  = errors.New("the address is not on the public internet")
)

// dialPolicy decides where deliveries may go.
type dialPolicy struct {
	allowPrivate bool                  // any address and port, also in plain text
	public       webhook.AddressPolicy // ports of public addresses
	ownAddresses []netip.Prefix        // our own public addresses
}

// parse reads the URL of an endpoint and refuses what is known from the text alone. Where a name resolves to
// is only known when it is dialed, see checkDial.
func (r dialPolicy) parse(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	switch {
	case err != nil || u.Host == "" || u.Opaque != "":
		return nil, errHost
	case u.Scheme != "https" && (!r.allowPrivate && !r.public.AllowHTTP || u.Scheme != "http"):
		return nil, errScheme
	case u.User != nil:
		return nil, errUser
	case u.Fragment != "" || strings.Contains(text, "#"):
		return nil, errFragment
	case !isValidHost(u.Hostname()):
		return nil, errHost
	}
	if r.allowPrivate {
		return u, nil
	}
	if addr, err := netip.ParseAddr(u.Hostname()); err == nil && !r.allows(addr) {
		return nil, errPrivate
	}
	if p, err := strconv.ParseUint(cmp.Or(u.Port(), map[string]string{"http": "80", "https": "443"}[u.Scheme]), 10, 16); err != nil ||
		!r.public.AllowsPort(uint16(p)) {
		return nil, errPort
	}
	return u, nil
}

// isValidHost accepts names and addresses in standard form. Other forms that some resolvers accept (decimal,
// octal, hexadecimal, fewer dots) end in a number, which no name does.
func isValidHost(host string) bool {
	if host == "" || strings.ContainsAny(host, "% \\") { // a zone, or worse
		return false
	}
	if _, err := netip.ParseAddr(host); err == nil {
		return true
	}
	labels := strings.Split(strings.TrimSuffix(host, "."), ".")
	last := strings.ToLower(labels[len(labels)-1])
	_, hex := strings.CutPrefix(last, "0x")
	digits := strings.Trim(last, "0123456789") == ""
	return !hex && !digits
}

// checkDial is called before each connection with the address that is about to be dialed, so that neither an
// earlier nor a later resolution of the name matters. Decision 29.
func (r dialPolicy) checkDial(_ context.Context, network, address string, _ syscall.RawConn) error {
	if r.allowPrivate {
		return nil
	}
	to, err := netip.ParseAddrPort(address)
	switch {
	case err != nil || !strings.HasPrefix(network, "tcp"):
		return errPrivate
	case !r.allows(to.Addr()):
		return errPrivate
	case !r.public.AllowsPort(to.Port()):
		return errPort
	}
	return nil
}

// allows reports whether an address is on the public internet and is not one of ours.
func (r dialPolicy) allows(a netip.Addr) bool {
	zoned := a.Zone() != ""
	a = a.Unmap()
	in := func(p netip.Prefix) bool { return p.Contains(a) }
	if zoned || slices.ContainsFunc(r.ownAddresses, in) {
		return false
	}
	if a.Is4() {
		return !slices.ContainsFunc(blockedIPv4, in)
	}
	return publicIPv6.Contains(a) && !slices.ContainsFunc(blockedIPv6, in)
}

// Addresses that are not public, by the registries of special addresses (RFC 6890 and its successors). Of
// IPv6 only allocated unicast space is public, without ranges that embed IPv4 addresses: those would be
// dialed in another network, unchecked.
//
//nolint:gochecknoglobals // constants
var (
	blockedIPv4 = parsePrefixes(
		"0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24", "192.0.2.0/24",
		"192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/4", "240.0.0.0/4")
	// not: ::, ::1, ::ffff:0:0/96 (is unmapped), 64:ff9b::/96 and 64:ff9b:1::/48 (NAT64), 100::/64, fc00::/7, fe80::/10, fec0::/10, ff00::/8
	publicIPv6 = netip.MustParsePrefix("2000::/3")

	blockedIPv6 = parsePrefixes(
		"2001::/23",     // protocol assignments, with Teredo, which embeds IPv4
		"2001:db8::/32", // documentation
		"2002::/16",     // 6to4, which embeds IPv4
		"3fff::/20")     // documentation
)

// ownAddresses are the addresses of this machine.
func ownAddresses() (all []netip.Prefix) {
	list, err := net.InterfaceAddrs()
	if err != nil {
		return nil // private addresses are refused anyway
	}
	for _, a := range list {
		if n, ok := a.(*net.IPNet); ok {
			if at, ok := netip.AddrFromSlice(n.IP); ok {
				at = at.Unmap()
				all = append(all, netip.PrefixFrom(at, at.BitLen()))
			}
		}
	}
	return all
}

// policyError is the refusal to show to the tenant; nil for other errors.
func policyError(err error) error {
	for _, known := range []error{errScheme, errUser, errFragment, errHost, errPort, errPrivate} {
		if errors.Is(err, known) {
			return known
		}
	}
	return nil
}

// parsePrefixes parses constants.
func parsePrefixes(texts ...string) []netip.Prefix {
	all := make([]netip.Prefix, len(texts))
	for i, t := range texts {
		all[i] = netip.MustParsePrefix(t)
	}
	return all
}
