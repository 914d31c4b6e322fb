package rest_test

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/rest"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/app/carts"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/mailbox"
	"github.com/cartwright-dev/cartwright/app/operation"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/ports"
)

// fullCache has a receipt for every key, so that the benchmark measures everything but the use case.
type fullCache struct {
	ports.ReceiptCache

	receipt ports.Receipt
}

// Find implements ports.ReceiptCache.
func (a fullCache) Find(context.Context, ports.ReceiptKey) (ports.Receipt, bool) {
	return a.receipt, true
}

// BenchmarkAddItem reads a change of a cart from its connection and answers it from its receipt.
func BenchmarkAddItem(b *testing.B) {
	h := newHarness(b, sqlstore.Options{Path: filepath.Join(b.TempDir(), "bench.db")})
	const id, variant = "0195f3a1-0000-7000-8000-000000000001", "0195f3a1-0000-7000-8000-000000000002"
	tree := map[string]any{"variantId": variant, "quantity": collection.JSONNumber("1")}
	receipt := ports.Receipt{
		Fingerprint: idempotency.Fingerprint("POST", "/api/server/commerce/carts/:id/items", []string{id}, tree),
		Result:      ports.ReceiptOK, Body: []byte(`{"cart":"` + strings.Repeat("x", 2500) + `"}`), Sequence: 8,
	}
	carts := carts.New(carts.Service{Cache: fullCache{receipt: receipt}, NewID: newID, Now: time.Now}, mailbox.Options{})
	app := rest.New(rest.Options{
		Log: slog.New(slog.NewJSONHandler(io.Discard, nil)), Access: h.access, NewID: newID, Now: time.Now, //nolint:sloglint // the handler formats the line
		Areas: []rest.Area{rest.Operations(operation.Carts(carts)), rest.Collections{Content: h.content}},
	})
	app.Handler() // builds the routes
	body := collection.AppendJSONValue(nil, tree)
	c := &repeatingConn{
		request: fmt.Appendf(nil, "POST /api/server/commerce/carts/%s/items HTTP/1.1\r\nHost: 127.0.0.1:8080\r\nX-API-Key: %s\r\n"+
			"Idempotency-Key: ik_%s\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s",
			id, h.shop.SecretKey, strings.Repeat("k", 32), len(body), body), left: 2, peer: net.TCPAddr{IP: net.IPv4(127, 0, 0, 1)},
	}
	// The first request has a new key, without anything to replay; the others are fullCache from the cache.
	if err := app.Server().ServeConn(c); err != nil || !bytes.HasPrefix(c.answer, []byte("HTTP/1.1 200 ")) {
		b.Fatalf("%s %v", c.answer, err)
	}
	c.left = b.N
	b.ReportAllocs()
	b.ResetTimer()
	if err := app.Server().ServeConn(c); err != nil {
		b.Fatal(err)
	}
}

// repeatingConn is a connection whose client repeats one request.
type repeatingConn struct {
	net.Conn

	request, answer []byte
	left            int
	peer            net.TCPAddr
}

// Read implements net.Conn.
func (c *repeatingConn) Read(b []byte) (int, error) {
	if c.left == 0 {
		return 0, io.EOF
	}
	c.left--
	return copy(b, c.request), nil
}

// Write implements net.Conn; it keeps the last answer.
func (c *repeatingConn) Write(b []byte) (int, error) {
	c.answer = append(c.answer[:0], b...)
	return len(b), nil
}

// The other methods of net.Conn that a server calls.
func (*repeatingConn) Close() error                     { return nil }
func (c *repeatingConn) LocalAddr() net.Addr            { return &c.peer }
func (c *repeatingConn) RemoteAddr() net.Addr           { return &c.peer }
func (*repeatingConn) SetReadDeadline(time.Time) error  { return nil }
func (*repeatingConn) SetWriteDeadline(time.Time) error { return nil }
func (*repeatingConn) SetDeadline(time.Time) error      { return nil }
