package main

import (
	"bufio"
	"context"
	"io"
	"net"
	"net/http"
	"strings"
	"testing"
	"time"
)

// An open event stream does not hold up the shutdown, and ends as a complete response. By then the server no
// longer listens: a client that reconnects at once reaches another instance, not one that is about to end.
func TestEventStreamsEndOnShutdown(t *testing.T) {
	t.Parallel()
	c := testDefaults()
	c.Address, c.Data = "127.0.0.1:0", t.TempDir()
	log, _ := captureLog(t)
	s, err := build(t.Context(), c, time.Now, log)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	ended := make(chan error, 1)
	go func() { ended <- s.Run(ctx) }()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, s.BaseURL+"/api/events/stream?after=0&collection=brands", nil)
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("X-API-Key", s.NewCredentials.SecretKey)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	stream := bufio.NewReader(res.Body)
	for line := ""; !strings.HasPrefix(line, "data: "); {
		if line, err = stream.ReadString('\n'); err != nil {
			t.Fatal(err)
		}
	}
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
