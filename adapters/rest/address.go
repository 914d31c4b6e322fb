package rest

import (
	"net/netip"
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"
)

// clientAddress is who sent the request: the peer, or behind trusted proxies the last address in X-Forwarded-For that is
// not one of them. Contract 13.
func (e edge) clientAddress(c *fiber.Ctx) string {
	peer, _ := netip.AddrFromSlice(c.Context().RemoteIP())
	peer = peer.Unmap()
	if !e.trusted(peer) {
		return peer.String()
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
	return peer.String()
}

func (e edge) trusted(a netip.Addr) bool {
	for _, p := range e.TrustedProxies {
		if p.Contains(a) {
			return true
		}
	}
	return false
}
