package program

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

// Two instances are restarted in turn while shoppers go on. No call fails, every acknowledged change took
// effect once, and a reader of the shop's events misses none.
func TestRollingRestartLosesNoRequest(t *testing.T) {
	t.Parallel()
	database, dir := demoDatabase(t)
	delay := "2s" // much longer than the balancer keeps an idle connection, also on a machine that stalls
	if os.Getenv(nginxEnv) != "" {
		delay = readCompose(t).Services["app-1"].Environment["CARTWRIGHT_SHUTDOWN_DELAY"]
	}
	env := []string{
		"CARTWRIGHT_DATA=" + dir, "CARTWRIGHT_DATABASE_URL=" + database, "CARTWRIGHT_REDIS_URL=" + testservers.Redis(t),
		"CARTWRIGHT_LOG_LEVEL=warn", unlimitedBurst + "=0", "CARTWRIGHT_SHUTDOWN_DELAY=" + delay,
	}
	instances := []serverProcess{startProcess(t, env...), startProcess(t, env...)}
	creds, err := readCredentials(dir + "/" + credentialsFile)
	if err != nil {
		t.Fatal(err)
	}
	b := newBalancer(t, instances[0].URL, instances[1].URL)
	f := newShopperLoad(t, b.url, creds.SecretKey)
	follower := followEvents(t, b.url, creds.SecretKey)
	f.start()
	f.waitForRequests(50)
	for range 2 {
		for i, p := range instances {
			restartGracefully(t, p)
			b.waitForBackend(i) // it has been down as long as a mark holds, and takes its share again
			f.waitForRequests(50)
		}
	}
	f.close()
	follower.close(len(f.brands))
	for _, p := range instances {
		if out := p.Output(); strings.Contains(out, `"level":"ERROR"`) {
			t.Errorf("an instance logged an error:\n%s", tail([]byte(out)))
		}
	}
}

// restartGracefully restarts a process after it has completed its accepted requests.
func restartGracefully(t *testing.T, p serverProcess) {
	t.Helper()
	p.Stop()
	if code := p.ExitCode(); code != 0 {
		t.Fatalf("it ended with %d:\n%s", code, tail([]byte(p.Output())))
	}
	ctx, cancel := context.WithTimeout(t.Context(), loadTimeout)
	defer cancel()
	if err := p.Start(ctx); err != nil {
		t.Fatal(err)
	}
}

// A single server on SQLite is unavailable while it restarts. Calls are then refused before they are sent,
// never interrupted; repeated calls take effect once.
func TestSingleServerRestartBreaksNoRequest(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	p := startProcess(t, "CARTWRIGHT_DATA="+dir, "CARTWRIGHT_LOG_LEVEL=warn", "CARTWRIGHT_SHUTDOWN_DELAY=2s", unlimitedBurst+"=0")
	creds, err := readCredentials(dir + "/" + credentialsFile)
	if err != nil {
		t.Fatal(err)
	}
	f := newShopperLoad(t, p.URL, creds.SecretKey)
	f.retryable = func(err error) bool {
		refused, dialling := errors.AsType[*net.OpError](err)
		return dialling && refused.Op == "dial"
	}
	f.start()
	f.waitForRequests(50)
	for range 2 {
		restartGracefully(t, p)
		f.waitForRequests(50)
	}
	f.close()
}

// eventFollower reads the shop's event stream, and reconnects whenever it ends.
type eventFollower struct {
	t    *testing.T
	stop context.CancelFunc
	done chan struct{}
	mu   sync.Mutex
	last string
	seen map[string]int // number of events of each brand
}

func followEvents(t *testing.T, base, secret string) *eventFollower {
	ctx, stop := context.WithCancel(t.Context())
	f := &eventFollower{t: t, stop: stop, done: make(chan struct{}), seen: map[string]int{}, last: "0"}
	go func() {
		defer close(f.done)
		for ctx.Err() == nil {
			if err := f.read(ctx, base, secret); err != nil && ctx.Err() == nil {
				t.Errorf("an event stream ended within a response: %v", err)
				return
			}
		}
	}()
	return f
}

// read reads events until the stream ends.
func (f *eventFollower) read(ctx context.Context, base, secret string) error {
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

func (f *eventFollower) take(line string) {
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

// close waits for events of n brands.
func (f *eventFollower) close(n int) {
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
			f.t.Errorf("%s had %d events", name, times)
		}
	}
}

// lineReader reads lines as they arrive.
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

// Two instances that start on an empty database at the same time create one shop; both have its keys in their
// shared folder.
func TestConcurrentStartsCreateOneShop(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	env := []string{"CARTWRIGHT_DATA=" + dir, "CARTWRIGHT_DATABASE_URL=" + migratedDB.Postgres(t), "CARTWRIGHT_LOG_LEVEL=warn"}
	var both [2]serverProcess
	var started sync.WaitGroup
	for i := range both {
		started.Go(func() { both[i] = startProcess(t, env...) })
	}
	started.Wait()
	if t.Failed() {
		return
	}
	creds, err := readCredentials(dir + "/" + credentialsFile)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range both {
		if status, got := requestJSON(t, "GET", p.URL+"/api/markets/count", "", "X-API-Key: "+creds.SecretKey); status != http.StatusOK ||
			got["totalDocs"] == 0.0 {
			t.Errorf("%d %v", status, got)
		}
	}
}
