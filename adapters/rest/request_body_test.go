package rest

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/gofiber/fiber/v2"
)

// rawConn is a connection on which a test writes raw HTTP.
type rawConn struct {
	t *testing.T
	c net.Conn
	r *bufio.Reader
}

func dial(t *testing.T, address string) *rawConn {
	t.Helper()
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	if err := c.SetDeadline(time.Now().Add(2 * time.Minute)); err != nil {
		t.Fatal(err)
	}
	return &rawConn{t, c, bufio.NewReader(c)}
}

// write sends all of it before anything is read, as a simple client does.
func (l *rawConn) write(raw string) {
	l.t.Helper()
	if _, err := io.WriteString(l.c, raw); err != nil {
		l.t.Fatal(err)
	}
}

func (l *rawConn) answer() (status int, body string, last bool) {
	l.t.Helper()
	res, err := http.ReadResponse(l.r, nil)
	if err != nil {
		l.t.Fatal(err)
	}
	defer res.Body.Close()
	b, err := io.ReadAll(res.Body)
	if err != nil {
		l.t.Fatal(err)
	}
	return res.StatusCode, string(b), res.Close
}

// post is a request with a body of a declared length.
func post(path, body string) string {
	return "POST " + path + " HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: " + strconv.Itoa(len(body)) +
		"\r\n\r\n" + body
}

// inChunks is post with chunked transfer encoding.
func inChunks(path, body string, size int) string {
	var b strings.Builder
	b.WriteString("POST " + path + " HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n")
	for len(body) > 0 {
		n := min(size, len(body))
		fmt.Fprintf(&b, "%x\r\n%s\r\n", n, body[:n])
		body = body[n:]
	}
	return b.String() + "0\r\n\r\n"
}

func ofSize(n int) string { return `{"a":"` + strings.Repeat("x", n-8) + `"}` }

// ignoresBody answers without reading the body.
var ignoresBody = routes(func(r fiber.Router) {
	r.Post("/ignored", func(c *fiber.Ctx) error { return send(c, 200, []byte(`{}`)) })
})

func TestBodiesAreBounded(t *testing.T) {
	address := listen(t, echo, ignoresBody)
	for name, c := range map[string]struct {
		raw    string
		status int
	}{
		"as large as allowed":                 {post("/api/things", ofSize(jsonLimit)), 200},
		"as large as allowed, in chunks":      {inChunks("/api/things", ofSize(jsonLimit), 50_000), 200},
		"one byte more":                       {post("/api/things", ofSize(jsonLimit+1)), 413},
		"one byte more, in chunks":            {inChunks("/api/things", ofSize(jsonLimit+1), 50_000), 413},
		"far more, sent to the end":           {post("/api/things", ofSize(40<<20)), 413},
		"far more in chunks, sent to the end": {inChunks("/api/things", ofSize(40<<20), 1<<20), 413},
		"far more on a route without a body":  {post("/api/ignored", ofSize(40<<20)), 200},
		"far more at an unknown path":         {post("/api/nowhere", ofSize(40<<20)), 404},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := dial(t, address)
			l.write(c.raw)
			if status, body, _ := l.answer(); status != c.status {
				t.Errorf("%d %.300s", status, body)
			}
		})
	}
}

// What a handler leaves unread is never taken for the next request.
func TestKeepAliveAfterUnreadBody(t *testing.T) {
	address := listen(t, echo, ignoresBody)
	const next = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
	for name, first := range map[string]string{
		"read":                           post("/api/things", `{"a":1}`),
		"read, in chunks":                inChunks("/api/things", `{"a":1}`, 3),
		"read in part":                   post("/api/things", `{"a":`+strings.Repeat(" ", 100)+`}`),
		"not read":                       post("/api/ignored", ofSize(100_000)),
		"not read, in chunks":            inChunks("/api/ignored", ofSize(100_000), 7777),
		"too large by a little":          post("/api/things", ofSize(jsonLimit+5)),
		"too large by a little, chunked": inChunks("/api/things", ofSize(jsonLimit+5), 9999),
		"at an unknown path":             post("/api/nowhere", ofSize(100_000)),
		"more than is skipped":           post("/api/ignored", ofSize(3<<20)),
		"a request inside a body":        post("/api/ignored", strings.Repeat("x", 9000)+next+strings.Repeat("x", 1<<20)),
		"a request behind a GET": "GET /healthz HTTP/1.1\r\nHost: x\r\nContent-Length: 20000\r\n\r\n" + strings.Repeat(" ", 8192) +
			strings.Repeat("GET /api/panic HTTP/1.1\r\nHost: x\r\n\r\n", 400),
		"chunks behind a GET": "GET /healthz HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
	} {
		t.Run(name, func(t *testing.T) {
			l := dial(t, address)
			l.write(first)
			_, _, last := l.answer()
			if !last {
				l.write(next)
				if status, body, _ := l.answer(); status != 200 || body != `{"status":"ok"}` {
					t.Errorf("the next request was answered %d %s", status, body)
				}
				return
			}
			if rest, err := io.ReadAll(l.r); err != nil || len(rest) > 0 {
				t.Errorf("after the last response there is %.300q %v", rest, err)
			}
		})
	}
}

func TestTruncatedBodyIsRejected(t *testing.T) {
	address := listen(t, echo)
	for name, raw := range map[string]string{
		"declared":        "POST /api/things HTTP/1.1\r\nHost: x\r\nContent-Length: 20000\r\n\r\n{}" + strings.Repeat(" ", 9000),
		"in chunks":       "POST /api/things HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n",
		"inside a chunk":  "POST /api/things HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n9\r\n{}",
		"no chunk at all": "POST /api/things HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nhello",
	} {
		t.Run(name, func(t *testing.T) {
			l := dial(t, address)
			l.write(raw)
			if err := l.c.(*net.TCPConn).CloseWrite(); err != nil {
				t.Fatal(err)
			}
			if status, body, last := l.answer(); status != 400 || !last {
				t.Errorf("%d %v %s", status, last, body)
			}
		})
	}
}

// The framework's own accessors of a body have no bounds: see requestBody.
func TestHandlersReadBodiesThroughRequestBody(t *testing.T) {
	files, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	unbounded := regexp.MustCompile(
		`Request\(\)\.Body|\bc\.(Body|BodyRaw|BodyParser|FormValue|FormFile|MultipartForm)\(|PostBody\(|RequestBodyStream\(`)
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if found := unbounded.FindString(string(text)); found != "" && file != "request_body.go" && !strings.HasSuffix(file, "_test.go") {
			t.Errorf("%s reads a body with %s", file, found)
		}
	}
}
