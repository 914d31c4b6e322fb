package program

import (
	"bufio"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// startShutdown starts a server, calls before, and starts its shutdown. Ended receives the result of Run.
func startShutdown(t *testing.T, timeout time.Duration, before func(s *Server)) (s *Server, ended chan error) {
	t.Helper()
	s = buildOnSQLite(t)
	s.config.ShutdownDelay, s.config.ShutdownTimeout = 0, timeout
	stop, ended := startRun(s)
	before(s)
	stop()
	waitUntil(t, s.draining.Load)
	return s, ended
}

// buildOnSQLite builds a server with a demo shop of its own that listens and does not run yet. Whoever runs it closes it.
func buildOnSQLite(t *testing.T) *Server {
	t.Helper()
	c := testDefaults()
	c.Address, c.Data = "127.0.0.1:0", demoFolder(t)
	log, _ := captureLog(t)
	s, err := build(t.Context(), c, time.Now, log)
	if err != nil {
		t.Fatal(err)
	}
	s.findCredentials()
	return s
}

// During the shutdown delay readiness is 503, while requests are still served, each with a response that closes its
// connection.
func TestDrainingServerIsUnreadyButServes(t *testing.T) {
	t.Parallel()
	served := make(chan struct{})
	s, ended := startShutdown(t, time.Minute, func(s *Server) { s.sleep = func(time.Duration) { <-served } })
	for path, want := range map[string]int{
		"/readyz": http.StatusServiceUnavailable, "/healthz": http.StatusOK, "/api/products?limit=1": http.StatusOK,
	} {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.BaseURL+path, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("X-API-Key", s.NewCredentials.SecretKey)
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		_ = res.Body.Close()
		if res.StatusCode != want || !res.Close {
			t.Errorf("%s: %d, the connection is closed: %t", path, res.StatusCode, res.Close)
		}
	}
	close(served)
	if err := errors.Join(<-ended, s.Close()); err != nil {
		t.Error(err)
	}
}

// A request that never arrives completely does not keep a server from ending, and Run reports it.
func TestShutdownTimesOut(t *testing.T) {
	t.Parallel()
	s, ended := startShutdown(t, 50*time.Millisecond, func(s *Server) {
		conn, err := net.Dial("tcp", strings.TrimPrefix(s.BaseURL, "http://"))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conn.Close() })
		fmt.Fprintf(conn,
			"POST /api/brands HTTP/1.1\r\nHost: shop\r\nX-API-Key: %s\r\nContent-Type: application/json\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n", s.NewCredentials.SecretKey)
		if _, err := conn.Read(make([]byte, 1)); err != nil { // 100 Continue: the request is accepted
			t.Fatal(err)
		}
	})
	if err := <-ended; err == nil || !strings.Contains(err.Error(), "did not finish in time") {
		t.Errorf("Run returned %v", err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

func TestShutdownFinishesAcceptedRequests(t *testing.T) {
	t.Parallel()
	s := buildOnSQLite(t)
	stop, ended := startRun(s)

	address := strings.TrimPrefix(s.BaseURL, "http://")
	idle, err := net.Dial("tcp", address) // an idle connection, as browsers open them in advance, must not delay the shutdown
	if err != nil {
		t.Fatal(err)
	}
	defer idle.Close()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	const body = `{"name": "Just in time"}`
	fmt.Fprintf(conn,
		"POST /api/brands HTTP/1.1\r\nHost: shop\r\nX-API-Key: %s\r\nContent-Type: application/json\r\nContent-Length: %d\r\nExpect: 100-continue\r\n\r\n",
		s.NewCredentials.SecretKey, len(body))
	answers := bufio.NewReader(conn)
	if line, err := answers.ReadString('\n'); err != nil || !strings.Contains(line, "100 Continue") {
		t.Fatalf("%q, %v", line, err)
	}
	stop() // the request is accepted, its body is still to come
	waitUntil(t, s.draining.Load)
	fmt.Fprint(conn, body)
	if _, err := answers.ReadString('\n'); err != nil { // the empty line after 100 Continue
		t.Fatal(err)
	}
	if line, err := answers.ReadString('\n'); err != nil || !strings.Contains(line, "201 Created") {
		t.Errorf("the accepted request was answered with %q, %v", line, err)
	}
	if err := errors.Join(<-ended, s.Close()); err != nil {
		t.Error(err)
	}
}
