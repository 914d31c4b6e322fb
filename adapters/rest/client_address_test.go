package rest

import (
	"net"
	"net/netip"
	"testing"

	"github.com/gofiber/fiber/v2"
	"github.com/valyala/fasthttp"
)

// X-Forwarded-For is trusted from trusted proxies only, and an IPv6 /64 network counts as one client.
func TestClientAddresses(t *testing.T) {
	t.Parallel()
	e := edge{Options: Options{TrustedProxies: []netip.Prefix{netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("fd00::/8")}}}
	app := fiber.New()
	for name, c := range map[string]struct{ peer, forwarded, want string }{
		"a client":                              {"203.0.113.7", "", "203.0.113.7"},
		"a client that forges a header":         {"203.0.113.7", "198.51.100.1", "203.0.113.7"},
		"behind a proxy":                        {"10.0.0.1", "198.51.100.1", "198.51.100.1"},
		"behind two proxies, with a forged one": {"10.0.0.1", "192.0.2.9, 198.51.100.1, 10.0.0.2", "198.51.100.1"},
		"a proxy without the header":            {"10.0.0.1", "", "10.0.0.1"},
		"a proxy with an invalid header":        {"10.0.0.1", "unknown", "10.0.0.1"},
		"an address in the other form":          {"::ffff:203.0.113.7", "", "203.0.113.7"},
		"a network of IPv6":                     {"2001:db8:1:2:3:4:5:6", "", "2001:db8:1:2::/64"},
		"another address of it":                 {"2001:db8:1:2:ffff::1", "", "2001:db8:1:2::/64"},
		"the next network":                      {"2001:db8:1:3::1", "", "2001:db8:1:3::/64"},
		"behind a proxy, too":                   {"fd00::1", "2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"},
		"a forged header of an IPv6 client":     {"2001:db8:1:2::1", "2001:db8:9::1", "2001:db8:1:2::/64"},
	} {
		request := &fasthttp.RequestCtx{}
		request.SetRemoteAddr(&net.TCPAddr{IP: net.ParseIP(c.peer)})
		request.Request.Header.Set(fiber.HeaderXForwardedFor, c.forwarded)
		if got := e.clientAddress(app.AcquireCtx(request)); got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}
