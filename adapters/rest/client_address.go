package rest

import (
	"net/netip"
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"
)

// clientAddress is the address of the client: the peer, or behind trusted proxies the last address in
// X-Forwarded-For that is not one of them. Rule api-20. For IPv6 it is the /64 network, because a client can
// use all addresses of its network.
func (e *edge) clientAddress(c *fiber.Ctx) string {
	a := e.clientIP(c)
	if a.Is6() {
		if network, err := a.WithZone("").Prefix(64); err == nil {
			return network.String()
		}
	}
	return a.String()
}

// clientScheme is the scheme by which the client reached the server: of the connection, or what a trusted proxy
// says in X-Forwarded-Proto.
func (e *edge) clientScheme(c *fiber.Ctx) string {
	peer, _ := netip.AddrFromSlice(c.Context().RemoteIP())
	forwarded, _, _ := strings.Cut(c.Get(fiber.HeaderXForwardedProto), ",")
	if c.Context().IsTLS() || e.trusted(peer.Unmap()) && strings.EqualFold(strings.TrimSpace(forwarded), "https") {
		return "https"
	}
	return "http"
}

func (e *edge) clientIP(c *fiber.Ctx) netip.Addr {
	peer, _ := netip.AddrFromSlice(c.Context().RemoteIP())
	peer = peer.Unmap()
	if !e.trusted(peer) {
		return peer
	}
	hops := strings.Split(c.Get(fiber.HeaderXForwardedFor), ",")
	for _, hop := range slices.Backward(hops) {
		hop, err := netip.ParseAddr(strings.TrimSpace(hop))
		if err != nil {
			break
		}
		peer = hop.Unmap()
		if !e.trusted(peer) {
			break
		}
	}
	return peer
}

func (e *edge) trusted(a netip.Addr) bool {
	for _, p := range e.TrustedProxies {
		if p.Contains(a) {
			return true
		}
	}
	return false
}
