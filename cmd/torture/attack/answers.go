package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"time"
)

// importLongTexts gives the shop under attack 500 products that are a page of 8 MB.
func importLongTexts(ctx context.Context, t *target) error {
	return t.importProducts(ctx, 500, 3000)
}

// unreadAnswers is 300 visitors, each with an address of its own, who ask for a page of 8 MB and do not read it.
func unreadAnswers(ctx context.Context, t *target) string {
	var asked, disconnected atomic.Int64
	parallel(ctx, 300, func(int) {
		conn, err := (&net.Dialer{}).DialContext(ctx, "tcp", strings.TrimPrefix(t.url, "http://"))
		if err != nil {
			pause(ctx, 100*time.Millisecond)
			return
		}
		defer conn.Close() //nolint:errcheck // nothing was written that matters
		if tcp, ok := conn.(*net.TCPConn); ok {
			_ = tcp.SetReadBuffer(4 << 10) // what the kernel takes is nothing that the server keeps
		}
		asked.Add(1)
		_, _ = fmt.Fprintf(conn, "GET /api/products?limit=500 HTTP/1.1\r\nHost: x\r\nX-Client-Key: %s\r\nX-Forwarded-For: 198.51.%d.%d\r\n\r\n",
			t.mine.ClientKey, rand.IntN(256), rand.IntN(256))
		for first := make([]byte, 1); ctx.Err() == nil; {
			if _, err := conn.Read(first); err != nil { // a byte at a time
				disconnected.Add(1)
				return
			}
			pause(ctx, time.Second)
		}
	})
	return fmt.Sprintf("%d answers of 8 MB asked for, %d connections ended by the server", asked.Load(), disconnected.Load())
}

// importProducts imports n products with descriptions of so many words.
func (t *target) importProducts(ctx context.Context, n, words int) error {
	var file strings.Builder
	file.WriteString("Handle,Title,Body (HTML),Published,Variant Price,Status\n")
	for i := range n {
		fmt.Fprintf(&file, "product-%d,Product %d,%s,true,100,active\n", i, i, strings.Repeat(fmt.Sprint("word", i%977, " "), words))
	}
	path := filepath.Join(t.data, "products.csv")
	if err := os.WriteFile(path, []byte(file.String()), 0o600); err != nil {
		return err
	}
	out, err := t.command(ctx, "import", "--format", "shopify", "--tenant", t.mine.Tenant, path)
	if err != nil {
		return fmt.Errorf("import products: %w: %s", err, out)
	}
	return nil
}
