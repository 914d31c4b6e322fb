package program

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
)

// An open event stream does not hold up the shutdown, and ends as a complete response. By then the server no
// longer listens: a client that reconnects at once reaches another instance, not one that is about to end.
func TestEventStreamsEndOnShutdown(t *testing.T) {
	t.Parallel()
	s := buildOnSQLite(t)
	stop, ended := startRun(s)
	defer stop()
	stream := openEventStream(t, s)
	awaitEvent(t, stream)
	stop()
	if _, err := io.Copy(io.Discard, stream); err != nil {
		t.Errorf("the event stream ended within a response: %v", err)
	}
	if conn, err := net.Dial("tcp", strings.TrimPrefix(s.BaseURL, "http://")); err == nil {
		t.Error("the stream ended while the server still accepted connections")
		_ = conn.Close()
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// The listener closes before event streams end: one that is opened while it closes is served.
func TestListenerClosesBeforeEventStreamsEnd(t *testing.T) {
	t.Parallel()
	s := buildOnSQLite(t)
	var conn net.Conn
	s.listener = closeHook{s.listener, func() {
		fmt.Fprintf(conn, "GET %s HTTP/1.1\r\nHost: shop\r\nX-API-Key: %s\r\n\r\n", brandStream, s.NewCredentials.SecretKey)
		awaitEvent(t, bufio.NewReader(conn))
	}}
	stop, ended := startRun(s)
	defer stop()
	openEventStream(t, s) // by now it accepts connections
	var err error
	if conn, err = net.Dial("tcp", strings.TrimPrefix(s.BaseURL, "http://")); err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	stop()
	if err := errors.Join(<-ended, s.Close()); err != nil {
		t.Error(err)
	}
}

// brandStream is the path of the events of brands; the demo shop has some.
const brandStream = "/api/events/stream?after=0&collection=brands"

// openEventStream opens the stream at brandStream, until the test ends.
func openEventStream(t *testing.T, s *Server) *bufio.Reader {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.BaseURL+brandStream, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("X-API-Key", s.NewCredentials.SecretKey)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = res.Body.Close() })
	return bufio.NewReader(res.Body)
}

// awaitEvent reads from a stream to its next event.
func awaitEvent(t *testing.T, stream *bufio.Reader) {
	t.Helper()
	for {
		line, err := stream.ReadString('\n')
		if err != nil {
			t.Errorf("the stream ended without an event: %v", err)
			return
		}
		if strings.HasPrefix(line, "data: ") {
			return
		}
	}
}

// closeHook is a listener that calls before, once, when it is about to close.
type closeHook struct {
	net.Listener

	before func()
}

// Close implements net.Listener.
func (l closeHook) Close() error {
	l.before()
	return l.Listener.Close()
}
