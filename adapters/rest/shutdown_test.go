package rest

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"
)

// listen serves on a real socket, because malformed HTTP never reaches a handler.
func listen(t *testing.T, areas ...Area) (address string) {
	t.Helper()
	return listenApp(t, serve(t, secretKey, io.Discard, areas...))
}

// listenApp serves app on a real socket.
func listenApp(t *testing.T, app *fiber.App) (address string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error, 1)
	go func() { done <- app.Listener(Lingering(l)) }()
	t.Cleanup(func() {
		if err := app.Shutdown(); err != nil {
			t.Error(err)
		}
		if err := <-done; err != nil {
			t.Error(err)
		}
	})
	return l.Addr().String()
}

// sendRaw writes raw bytes and reads the response.
func sendRaw(t *testing.T, address, raw string) (status int, body string) {
	t.Helper()
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := c.SetDeadline(time.Now().Add(2 * time.Minute)); err != nil {
		t.Fatal(err)
	}
	go io.WriteString(c, raw) //nolint:errcheck // the server may close the connection before the end
	res, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return res.StatusCode, string(b)
}

func TestMalformedHTTPIsAnswered(t *testing.T) {
	address := listen(t, echo)
	for name, c := range map[string]struct {
		raw    string
		status int
	}{
		"no HTTP":           {"hello\r\n\r\n", 400},
		"an endless header": {"GET /api/things HTTP/1.1\r\nHost: x\r\nX: " + strings.Repeat("y", 64<<10) + "\r\n\r\n", 413},
		"a body that is too big": {
			fmt.Sprintf("POST /api/things HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n", 1<<40) +
				strings.Repeat("x", 16<<10),
			413,
		},
		"a path of control bytes": {"GET /api/\x01\x02 HTTP/1.1\r\nHost: x\r\n\r\n", 404},
		"a path beyond ASCII":     {"GET /api/caf\xc3\xa9 HTTP/1.1\r\nHost: x\r\n\r\n", 404},
		"a panic":                 {"GET /api/panic HTTP/1.1\r\nHost: x\r\n\r\n", 500},
	} {
		t.Run(name, func(t *testing.T) {
			if status, body := sendRaw(t, address, c.raw); status != c.status || !strings.Contains(body, `"requestId":"made-id"`) {
				t.Errorf("%d %s", status, body)
			}
			if status, _ := sendRaw(t, address, "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"); status != 200 {
				t.Error("the server died")
			}
		})
	}
}

// A shutdown finishes accepted requests.
func TestShutdownFinishesAcceptedRequests(t *testing.T) {
	started, finish := make(chan struct{}), make(chan struct{})
	app := serve(t, secretKey, io.Discard, routes(func(r fiber.Router) {
		r.Get("/slow", func(c *fiber.Ctx) error {
			close(started)
			<-finish
			return send(c, 200, []byte(`{"done":true}`))
		})
	}))
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	served, stopped := make(chan error, 1), make(chan error, 1)
	go func() { served <- app.Listener(l) }()
	answered := make(chan string, 1)
	go func() {
		status, body := sendRaw(t, l.Addr().String(), "GET /api/slow HTTP/1.1\r\nHost: x\r\n\r\n")
		answered <- fmt.Sprint(status, body)
	}()
	<-started
	idle, err := net.Dial("tcp", l.Addr().String()) // an idle connection must not delay the shutdown
	if err != nil {
		t.Fatal(err)
	}
	defer idle.Close()
	if _, err := io.WriteString(idle, "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil {
		t.Fatal(err)
	}
	if _, err := http.ReadResponse(bufio.NewReader(idle), nil); err != nil {
		t.Fatal(err)
	}
	go func() { stopped <- app.Shutdown() }()
	close(finish)
	if got := <-answered; got != `200{"done":true}` {
		t.Error(got)
	}
	if err := <-stopped; err != nil {
		t.Error(err)
	}
	if err := <-served; err != nil {
		t.Error(err)
	}
}
