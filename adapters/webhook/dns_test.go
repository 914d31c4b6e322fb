package webhook_test

import (
	"context"
	"net"
	"net/netip"
	"sync"
	"testing"

	"golang.org/x/net/dns/dnsmessage"
)

// names is a resolver that resolves every name to the first of addresses, at the next look-up to the second,
// and so on; the last one stays. Without addresses, no name resolves.
func names(t *testing.T, addresses ...string) *net.Resolver {
	t.Helper()
	at, err := net.ListenPacket("udp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = at.Close() })
	z := &dnsServer{}
	for _, a := range addresses {
		z.addresses = append(z.addresses, netip.MustParseAddr(a))
	}
	go z.serve(at)
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return new(net.Dialer).DialContext(ctx, "udp4", at.LocalAddr().String())
	}}
}

type dnsServer struct {
	addresses []netip.Addr

	mu    sync.Mutex
	asked map[dnsmessage.Type]int
}

func (z *dnsServer) serve(at net.PacketConn) {
	buf := make([]byte, 1500)
	for {
		n, from, err := at.ReadFrom(buf)
		if err != nil {
			return
		}
		var query dnsmessage.Message
		if query.Unpack(buf[:n]) != nil || len(query.Questions) != 1 {
			continue
		}
		answer, err := z.answer(query)
		if err == nil {
			_, _ = at.WriteTo(answer, from)
		}
	}
}

// answer answers one query; a look-up asks for A and AAAA, in any order.
func (z *dnsServer) answer(query dnsmessage.Message) ([]byte, error) {
	z.mu.Lock()
	defer z.mu.Unlock()
	if z.asked == nil {
		z.asked = map[dnsmessage.Type]int{}
	}
	q := query.Questions[0]
	reply := dnsmessage.Message{
		Header: dnsmessage.Header{ID: query.ID, Response: true, Authoritative: true, RecursionAvailable: true}, Questions: query.Questions,
	}
	if len(z.addresses) == 0 {
		reply.RCode = dnsmessage.RCodeNameError
		return reply.Pack()
	}
	now := z.addresses[min(z.asked[q.Type], len(z.addresses)-1)]
	z.asked[q.Type]++
	header := dnsmessage.ResourceHeader{Name: q.Name, Type: q.Type, Class: q.Class}
	switch {
	case q.Type == dnsmessage.TypeA && now.Is4():
		reply.Answers = []dnsmessage.Resource{{Header: header, Body: &dnsmessage.AResource{A: now.As4()}}}
	case q.Type == dnsmessage.TypeAAAA && !now.Is4():
		reply.Answers = []dnsmessage.Resource{{Header: header, Body: &dnsmessage.AAAAResource{AAAA: now.As16()}}}
	}
	return reply.Pack()
}
