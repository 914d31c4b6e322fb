package rest

import (
	"bufio"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/cartwright-dev/cartwright/ports"
)

// What is read for an answer counts, in requests that change nothing only: others are never refused for it.
func TestReadsAreRefusedWhenMemoryIsFull(t *testing.T) {
	t.Parallel()
	var b memoryBudget
	of := func(address string) *reservation {
		return &reservation{budget: &b, address: address, free: freeAnswerBytes}
	}
	full := of("a")
	if err := full.Take(maxMemoryAddress + freeAnswerBytes); err != nil {
		t.Errorf("a request that changes something: %v", err)
	}
	read, other := of("a"), of("b")
	read.AllowRefusal()
	other.AllowRefusal()
	if read.Take(freeAnswerBytes) != nil || read.Take(1) == nil || other.Take(2*freeAnswerBytes) != nil {
		t.Error("the first bytes of each are free, and other addresses have their own")
	}
	if full.replace(freeAnswerBytes+1) != nil || b.total != 1+freeAnswerBytes {
		t.Errorf("%d bytes count after the answer was made", b.total)
	}
	for _, r := range []*reservation{full, read, other} {
		r.release()
	}
	if b.total != 0 || len(b.byAddress) != 0 {
		t.Errorf("%d bytes of %v are left", b.total, b.byAddress)
	}
}

// An answer counts until its client has taken it, or is gone.
func TestLargeAnswersCountUntilTheyAreSent(t *testing.T) {
	t.Parallel()
	text := strings.Repeat("x", maxMemoryAddress)
	address := listenApp(t, New(Options{
		Log: slog.New(slog.DiscardHandler), Access: secretKey, NewID: func() string { return "made-id" }, Now: time.Now,
		Areas: []Area{routes(func(r fiber.Router) {
			r.Get("/large", func(c *fiber.Ctx) error {
				c.Set(fiber.HeaderCacheControl, "public")
				return send(c, fiber.StatusOK, []byte(text))
			})
			r.Post("/large", func(c *fiber.Ctx) error {
				if err := ports.MemoryOf(c.UserContext()).Take(maxMemoryAddress); err != nil {
					return err
				}
				return send(c, fiber.StatusOK, []byte(text))
			})
		})},
	}))
	get := func(method string) (status int, header http.Header, body []byte) {
		req, err := http.NewRequestWithContext(t.Context(), method, "http://"+address+"/api/large", nil)
		if err != nil {
			t.Fatal(err)
		}
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		defer res.Body.Close()
		if body, err = io.ReadAll(res.Body); err != nil {
			t.Error(err)
		}
		return res.StatusCode, res.Header, body
	}
	for range 3 {
		if status, _, body := get("GET"); status != 200 || string(body) != text {
			t.Fatalf("%d with %d bytes", status, len(body))
		}
	}
	slow, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer slow.Close()
	fmt.Fprint(slow, "GET /api/large HTTP/1.1\r\nHost: x\r\n\r\n")
	if line, err := bufio.NewReader(slow).ReadString('\n'); err != nil || !strings.Contains(line, "200") {
		t.Fatal(line, err)
	}
	if status, header, body := get("GET"); status != 503 || header.Get("Retry-After") == "" || header.Get("Cache-Control") != cachePrivate ||
		!strings.Contains(string(body), "server_busy") {
		t.Errorf("beside a client who does not read: %d %v %.300s", status, header, body)
	}
	if status, _, body := get("POST"); status != 200 || len(body) != len(text) {
		t.Errorf("a change beside a client who does not read: %d with %d bytes", status, len(body))
	}
	_ = slow.Close()
	for status := 0; status != 200; status, _, _ = get("GET") {
		if t.Context().Err() != nil {
			t.Fatal("the answer of a client who is gone still counts")
		}
	}
}
