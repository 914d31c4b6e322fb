package rest

import (
	"strings"
	"testing"
)

// Requests that two servers may read in two ways are refused, and their connection ends.
func TestAmbiguousRequestsAreRefused(t *testing.T) {
	t.Parallel()
	address := listen(t, echo, ignoresBody)
	const get, post, json = "GET /healthz HTTP/1.1\r\n", "POST /api/things HTTP/1.1\r\nHost: x\r\n", "Content-Type: application/json\r\n"
	const chunks = "\r\n2\r\n{}\r\n0\r\n\r\n"
	for name, c := range map[string]struct {
		raw    string
		status int
	}{
		"a plain request":                  {get + "Host: x\r\n\r\n", 200},
		"the previous version of HTTP":     {"GET /healthz HTTP/1.0\r\n\r\n", 200},
		"a body":                           {post + json + "Content-Length: 2\r\n\r\n{}", 200},
		"chunks":                           {post + json + "Transfer-Encoding: chunked\r\n" + chunks, 200},
		"chunks, in other letters":         {post + json + "transfer-encoding:  Chunked \r\n" + chunks, 200},
		"length and chunks":                {post + json + "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n" + chunks, 400},
		"chunks and length":                {post + json + "Transfer-Encoding: chunked\r\nContent-Length: 12\r\n" + chunks, 400},
		"an unknown coding":                {post + json + "Transfer-Encoding: gzip, chunked\r\n" + chunks, 400},
		"a coding that looks like chunked": {post + json + "Transfer-Encoding: xchunked\r\n" + chunks, 400},
		"identity":                         {post + json + "Transfer-Encoding: identity\r\nContent-Length: 2\r\n\r\n{}", 400},
		"no coding":                        {post + json + "Transfer-Encoding:\r\n\r\n", 400},
		"two codings":                      {post + json + "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n" + chunks, 400},
		"chunks in the previous version":   {"POST /api/things HTTP/1.0\r\nHost: x\r\nTransfer-Encoding: chunked\r\n" + chunks, 400},
		"two lengths":                      {post + json + "Content-Length: 2\r\nContent-Length: 3\r\n\r\n{} ", 400},
		"the same length twice":            {post + json + "Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}", 400},
		"a length with a sign":             {post + json + "Content-Length: +2\r\n\r\n{}", 400},
		"a version between":                {"GET /healthz HTTP/1.2\r\nHost: x\r\n\r\n", 400},
		"another version":                  {"GET /healthz HTTP/2.7\r\nHost: x\r\n\r\n", 400},
		"a host with a port":               {get + "Host: [::1]:8080\r\n\r\n", 200},
		"two hosts in one":                 {get + "Host: a,b\r\n\r\n", 400},
		"a host with a path":               {get + "Host: a/b@c\r\n\r\n", 400},
		"no host":                          {get + "\r\n", 400},
		"two hosts":                        {get + "Host: x\r\nHost: y\r\n\r\n", 400},
		"a bare LF after the first line":   {"GET /healthz HTTP/1.1\nHost: x\r\n\r\n", 400},
		"a bare LF after a header":         {get + "Host: x\nX-A: b\r\n\r\n", 400},
		"a bare LF at the end":             {get + "Host: x\r\n\n", 400},
		"bare LFs everywhere":              {"GET /healthz HTTP/1.1\nHost: x\n\n", 400},
		"bare LFs in all headers":          {get + "Host: x\nX-A: b\n\n", 400},
		"bare LFs before a body":           {"POST /api/things HTTP/1.1\nHost: x\nContent-Length: 2\n\n{}", 400},
		"a bare CR":                        {get + "Host: x\r\nX-A: a\rb\r\n\r\n", 400},
		"a NUL in a value":                 {get + "Host: x\r\nX-A: a\x00b\r\n\r\n", 400},
		"a NUL in a name":                  {get + "Host: x\r\nX\x00A: b\r\n\r\n", 400},
		"a NUL in the path":                {"GET /healthz\x00 HTTP/1.1\r\nHost: x\r\n\r\n", 400},
		"a blank before the colon":         {get + "Host : x\r\n\r\n", 400},
		"a line that continues":            {get + "Host: x\r\nX-A: b\r\n c\r\n\r\n", 400},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := dial(t, address)
			l.write(c.raw)
			if status, body, last := l.answer(); status != c.status || status == 400 && !last {
				t.Errorf("%d %v %.300s", status, last, body)
			}
		})
	}
}

// The same holds for the second request of a connection, however its bytes arrive, and bodies may have any lines.
func TestFollowingRequestsAreReadStrictly(t *testing.T) {
	t.Parallel()
	address := listen(t, echo, ignoresBody)
	text := "{\n\"a\":\n\"" + strings.Repeat("x", 30_000) + "\"\n}\n"
	first := post("/api/things", text)
	for name, c := range map[string]struct {
		parts []string
		want  []int
	}{
		"one after the other":       {[]string{first, first, "GET /healthz HTTP/1.1\nHost: x\r\n\r\n"}, []int{200, 200, 400}},
		"bare LFs after another":    {[]string{first, "GET /healthz HTTP/1.1\nHost: x\n\n"}, []int{200, 400}},
		"in a row":                  {[]string{first + first}, []int{200, 200}},
		"cut in a body":             {[]string{first + first[:len(first)-20_000], first[len(first)-20_000:] + first}, []int{200, 200, 200}},
		"cut in a head":             {[]string{first + first[:30], first[30:]}, []int{200, 200}},
		"cut inside the line's end": {[]string{first + "GET /healthz HTTP/1.1\r", "\nHost: x\r\n\r\n"}, []int{200, 200}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := dial(t, address)
			got := 0
			for _, part := range c.parts {
				l.write(part)
				if len(c.parts) == len(c.want) {
					if status, body, _ := l.answer(); status != c.want[got] {
						t.Errorf("request %d: %d %.300s", got+1, status, body)
					}
					got++
				}
			}
			for ; got < len(c.want); got++ {
				if status, body, _ := l.answer(); status != c.want[got] {
					t.Errorf("request %d: %d %.300s", got+1, status, body)
				}
			}
		})
	}
}
