package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers"
)

// Two instances are restarted in turn, again and again, while shoppers go on. Not one call fails, every acknowledged change
// is there once, and who follows the shop's events misses none.
func TestARollingRestartLosesNoRequest(t *testing.T) {
	t.Parallel()
	dir, delay := t.TempDir(), "400ms" // longer than the balancer keeps an idle connection
	if os.Getenv(nginxEnv) != "" {
		delay = readCompose(t).Services["app-1"].Environment["CARTWRIGHT_SHUTDOWN_DELAY"]
	}
	env := []string{
		"CARTWRIGHT_DATA=" + dir, "CARTWRIGHT_DATABASE_URL=" + migrated.Postgres(t), "CARTWRIGHT_REDIS_URL=" + testservers.Redis(t), "CARTWRIGHT_LOG_LEVEL=warn", unlimited + "=0",
		"CARTWRIGHT_SHUTDOWN_DELAY=" + delay,
	}
	instances := []served{startProcess(t, env...), startProcess(t, env...)}
	told, err := readCredentials(dir + "/" + credentialsFile)
	if err != nil {
		t.Fatal(err)
	}
	b := balance(t, instances[0].URL, instances[1].URL)
	f := openFloor(t, b.url, told.SecretKey)
	follower := follow(t, b.url, told.SecretKey)
	f.begin()
	f.sees(50)
	for range 2 {
		for i, p := range instances {
			roll(t, p)
			b.returned(i) // it has been down as long as a mark holds, and takes its share again
			f.sees(50)
		}
	}
	f.close()
	follower.close(len(f.brands))
	for _, p := range instances {
		if out := p.Output(); strings.Contains(out, `"level":"ERROR"`) {
			t.Errorf("an instance said:\n%s", tail([]byte(out)))
		}
	}
}

// roll restarts a process that has finished what it had accepted.
func roll(t *testing.T, p served) {
	t.Helper()
	p.Stop()
	if code := p.ExitCode(); code != 0 {
		t.Fatalf("it ended with %d:\n%s", code, tail([]byte(p.Output())))
	}
	ctx, cancel := context.WithTimeout(t.Context(), patient)
	defer cancel()
	if err := p.Start(ctx); err != nil {
		t.Fatal(err)
	}
}

// A single server on SQLite is away while it restarts. Calls are refused then, before they are sent, and never broken off:
// whoever sends them again has everything once.
func TestARestartOfASingleServerBreaksOffNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := startProcess(t, "CARTWRIGHT_DATA="+dir, "CARTWRIGHT_LOG_LEVEL=warn", "CARTWRIGHT_SHUTDOWN_DELAY=100ms", unlimited+"=0")
	told, err := readCredentials(dir + "/" + credentialsFile)
	if err != nil {
		t.Fatal(err)
	}
	f := openFloor(t, p.URL, told.SecretKey)
	f.again = func(err error) bool {
		refused, dialling := errors.AsType[*net.OpError](err)
		return dialling && refused.Op == "dial"
	}
	f.begin()
	f.sees(50)
	for range 2 {
		roll(t, p)
		f.sees(50)
	}
	f.close()
}

// follower reads the shop's stream of events, and comes again whenever it ends.
type follower struct {
	t    *testing.T
	stop context.CancelFunc
	done chan struct{}
	mu   sync.Mutex
	last string
	seen map[string]int // times that a brand was told of
}

func follow(t *testing.T, base, secret string) *follower {
	ctx, stop := context.WithCancel(t.Context())
	f := &follower{t: t, stop: stop, done: make(chan struct{}), seen: map[string]int{}, last: "0"}
	go func() {
		defer close(f.done)
		for ctx.Err() == nil {
			if err := f.read(ctx, base, secret); err != nil && ctx.Err() == nil {
				t.Errorf("a stream was broken off: %v", err)
				return
			}
		}
	}()
	return f
}

// read follows until the stream ends.
func (f *follower) read(ctx context.Context, base, secret string) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, base+"/api/events/stream?collection=brands", http.NoBody)
	if err != nil {
		return err
	}
	req.Header.Set("X-API-Key", secret)
	req.Header.Set("Last-Event-ID", f.last)
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("status %d", res.StatusCode)
	}
	text := &lineReader{from: res.Body}
	for {
		line, err := text.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		f.take(line)
	}
}

func (f *follower) take(line string) {
	if id, ok := strings.CutPrefix(line, "id: "); ok {
		f.last = id
	}
	data, ok := strings.CutPrefix(line, "data: ")
	if !ok {
		return
	}
	var e struct {
		Operation string
		Doc       struct{ Name string }
	}
	if err := json.Unmarshal([]byte(data), &e); err != nil {
		f.t.Errorf("%v: %s", err, data)
		return
	}
	if e.Operation == "create" && strings.HasPrefix(e.Doc.Name, "Brand ") {
		f.mu.Lock()
		f.seen[e.Doc.Name]++
		f.mu.Unlock()
	}
}

// close waits until n brands were told of.
func (f *follower) close(n int) {
	f.t.Helper()
	waitUntil(f.t, func() bool {
		f.mu.Lock()
		defer f.mu.Unlock()
		return len(f.seen) >= n || f.t.Failed()
	})
	f.stop()
	<-f.done
	for name, times := range f.seen {
		if times != 1 {
			f.t.Errorf("%s was told of %d times", name, times)
		}
	}
}

// lineReader gives lines as they come.
type lineReader struct {
	from io.Reader
	kept []byte
}

func (r *lineReader) next() (string, error) {
	b := make([]byte, 4<<10)
	for {
		if line, rest, ok := bytes.Cut(r.kept, []byte("\n")); ok {
			r.kept = rest
			return string(line), nil
		}
		n, err := r.from.Read(b)
		r.kept = append(r.kept, b[:n]...)
		if err != nil && n == 0 {
			return "", err
		}
	}
}

// Two instances that find an empty database at the same moment found one shop, whose keys both keep in the same folder.
func TestInstancesThatStartTogetherFoundOneShop(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	env := []string{"CARTWRIGHT_DATA=" + dir, "CARTWRIGHT_DATABASE_URL=" + migrated.Postgres(t), "CARTWRIGHT_LOG_LEVEL=warn"}
	var both [2]served
	var started sync.WaitGroup
	for i := range both {
		started.Go(func() { both[i] = startProcess(t, env...) })
	}
	started.Wait()
	if t.Failed() {
		return
	}
	told, err := readCredentials(dir + "/" + credentialsFile)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range both {
		if status, got := ask(t, "GET", p.URL+"/api/markets/count", "", "X-API-Key: "+told.SecretKey); status != http.StatusOK || got["totalDocs"] == 0.0 {
			t.Errorf("%d %v", status, got)
		}
	}
}
