package program

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/adapters/token"
)

// commandEnv is the environment that commands of a test run in.
type commandEnv struct{ env map[string]string }

func newCommandEnv(t *testing.T) commandEnv {
	return commandEnv{map[string]string{
		"CARTWRIGHT_DATA": t.TempDir(), "CARTWRIGHT_ADDR": "127.0.0.1:0", "CARTWRIGHT_LOG_LEVEL": "error",
		"CARTWRIGHT_BURST_PER_MINUTE": "0",
	}}
}

// newDemoEnv is newCommandEnv with the demo shop in SQLite.
func newDemoEnv(t *testing.T) commandEnv {
	t.Helper()
	return newCommandEnv(t).with("CARTWRIGHT_DATA", demoFolder(t))
}

// with is m with one more variable.
func (m commandEnv) with(name, value string) commandEnv {
	env := maps.Clone(m.env)
	env[name] = value
	return commandEnv{env}
}

// testDefaults is the default configuration, but for cheap password hashing.
func testDefaults() Config {
	c := defaults()
	c.PasswordCost = token.MinimumCost
	return c
}

// config is the configuration that m describes.
func (m commandEnv) config() (Config, error) {
	return process{getenv: m.getenv, passwordCost: token.MinimumCost}.config()
}

// migratedDB is a template of an empty database with all tables, which saves each server of a test from creating them.
var migratedDB = testservers.Template{Fill: func(url string) error {
	k := platform{config: defaults(), log: slog.New(slog.DiscardHandler), now: time.Now}
	k.config.Database = url
	var err error
	if k.registry, err = k.config.newRegistry(); err != nil {
		return err
	}
	if err := k.openStore(context.Background()); err != nil {
		return err
	}
	return k.Close()
}}

func (m commandEnv) getenv(name string) string { return m.env[name] }

func (m commandEnv) credentials() string {
	return filepath.Join(m.env["CARTWRIGHT_DATA"], credentialsFile)
}

// command runs one command line to its end.
func (m commandEnv) command(t *testing.T, args ...string) (string, error) {
	t.Helper()
	var out, log bytes.Buffer
	err := run(t.Context(), process{args: args, getenv: m.getenv, out: &out, log: &log, passwordCost: token.MinimumCost})
	return out.String(), err
}

// must is command, and fails the test if it fails.
func (m commandEnv) must(t *testing.T, args ...string) string {
	t.Helper()
	out, err := m.command(t, args...)
	if err != nil {
		t.Fatalf("cartwright %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return out
}

// runningServer is a server that a test started.
type runningServer struct {
	url    string
	output string // what it printed before it served
	cancel context.CancelFunc
	ended  chan error
}

// serve starts the server, which stops with the test at the latest.
func (m commandEnv) serve(t *testing.T) *runningServer {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	s := &runningServer{cancel: cancel, ended: make(chan error, 1)}
	out, in := io.Pipe()
	go func() {
		err := run(ctx, process{args: []string{"serve"}, getenv: m.getenv, out: in, log: io.Discard, passwordCost: token.MinimumCost})
		_ = in.CloseWithError(io.EOF) // the reader below ends
		s.ended <- err
	}()
	lines := bufio.NewScanner(out)
	for last := false; !last && lines.Scan(); {
		s.output += lines.Text() + "\n"
		if url, ok := strings.CutPrefix(lines.Text(), "Cartwright is at "); ok {
			s.url = url
		}
		last = s.url != "" && lines.Text() == "Documentation: "+s.url+"/api/docs"
	}
	if s.url == "" {
		t.Fatalf("the server did not start: %v", <-s.ended)
	}
	go func() { _, _ = io.Copy(io.Discard, out) }()
	t.Cleanup(func() {
		if err := s.stop(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// stop ends the server as SIGTERM does; a second call returns nil.
func (s *runningServer) stop() error {
	s.cancel()
	err, first := <-s.ended
	if first {
		close(s.ended)
	}
	return err
}

// requestJSON sends a request with headers "Name: value" and decodes the JSON body of the response.
func requestJSON(t *testing.T, method, url, body string, headers ...string) (int, map[string]any) {
	t.Helper()
	res := sendRequest(t, method, url, body, headers...)
	var out map[string]any
	if err := json.Unmarshal([]byte(res.body), &out); err != nil {
		t.Fatalf("%s %s: %v", method, url, err)
	}
	return res.status, out
}

// textAt is the text at a path of members and indexes of a decoded response; "" if there is none.
func textAt(from any, path ...string) string {
	for _, name := range path {
		switch at := from.(type) {
		case map[string]any:
			from = at[name]
		case []any:
			i, err := strconv.Atoi(name)
			if err != nil || i >= len(at) {
				return ""
			}
			from = at[i]
		}
	}
	text, _ := from.(string)
	return text
}

// apiResponse is a response with its exact body.
type apiResponse struct {
	status   int
	body     string
	replayed bool
	tag      string // header ETag
}

// sendRequest sends a request with headers "Name: value"; its body, if any, is JSON.
func sendRequest(t *testing.T, method, url, body string, headers ...string) apiResponse {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if body != "" {
		req.Header.Set("Content-Type", "application/json")
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		req.Header.Set(name, value)
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		t.Fatal(err)
	}
	return apiResponse{res.StatusCode, string(raw), res.Header.Get("Idempotency-Replayed") == "true", res.Header.Get("ETag")}
}

// patience is how long tests wait for something that must happen: long enough for the busiest machine, so that only a
// server that hangs exceeds it.
const patience = 3 * time.Minute

// waitUntil polls a condition until it is true.
func waitUntil(t *testing.T, condition func() bool) {
	t.Helper()
	ticker := time.NewTicker(2 * time.Millisecond)
	defer ticker.Stop()
	for end := time.Now().Add(patience); !condition(); <-ticker.C {
		if time.Now().After(end) {
			t.Fatalf("the condition is still false after %s", patience)
		}
	}
}
