// Command attack plays guests who mean no good against a server that it starts, on SQLite unless -database names
// empty Postgres databases, and tells what a neighbor notices: the time of a cart's creation in another shop (p50 and
// p99) before and during each attack, the peak of the server's memory, and how much the data folder grew. It asserts
// nothing: figures depend on the machine. The attackers are a process of their own at the lowest priority, since in
// life they have processors of their own: only what the server does for them may slow down the neighbor. What they and
// their requests cost all programs of the machine shows while another server, of no interest, is attacked instead.
//
//	go run ./cmd/torture/attack -server bin/cartwright [-only carts] [-length 20s] [-database "postgres://… postgres://…"]
package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/testservers"
)

// credentials is credentials.json, and what tenant create prints.
type credentials struct {
	Tenant        string `json:"tenantId"`
	ClientKey     string `json:"clientKey"`
	AdminEmail    string `json:"adminEmail"`
	AdminPassword string `json:"adminPassword"`
}

// target is the server under attack.
type target struct {
	url, data   string
	env         []string // of the server and its commands
	binary      string
	process     *exec.Cmd
	client      *http.Client
	mine, other credentials // the shop under attack, and the neighbor
}

// attack runs until ctx ends and tells what it was answered.
type attack struct {
	name string
	// prepare, if any, fills the shop under attack first.
	prepare func(ctx context.Context, t *target) error
	run     func(ctx context.Context, t *target) string
	// neighbor, if any, is measured in place of a cart's creation.
	neighbor func(ctx context.Context, t *target) error
}

func main() {
	binary := flag.String("server", "bin/cartwright", "server binary")
	only := flag.String("only", "", "name of one attack")
	length := flag.Duration("length", 20*time.Second, "duration of each attack")
	database := flag.String("database", "", "URLs of two empty Postgres databases, separated by a blank, for one attack; none: SQLite")
	attacker := flag.String("attacker", "", "name of the attack to run on the server that stdin describes; for the command itself")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	var err error
	if *attacker != "" {
		err = attackFromStdin(ctx, *attacker, *length)
	} else {
		err = playAll(ctx, *binary, *database, *only, *length)
	}
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "attack:", err)
		os.Exit(1)
	}
}

func playAll(ctx context.Context, binary, database, only string, length time.Duration) error {
	var databases [2]string
	copy(databases[:], strings.Fields(database))
	for _, a := range attacks {
		if only != "" && a.name != only {
			continue
		}
		if err := play(ctx, binary, databases, a, length); err != nil {
			return fmt.Errorf("%s: %w", a.name, err)
		}
	}
	return nil
}

// play runs one attack against a new server, with a second one that is attacked for comparison.
func play(ctx context.Context, binary string, databases [2]string, a attack, length time.Duration) (err error) {
	var servers [2]*target
	var dirs [2]string
	for i := range servers {
		if dirs[i], err = os.MkdirTemp("", "cartwright-attack-"); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(dirs[i])) }()
		t, err := start(ctx, binary, databases[i], dirs[i])
		if err != nil {
			return err
		}
		defer func() { _ = t.process.Process.Signal(syscall.SIGKILL); _ = t.process.Wait() }()
		if a.prepare != nil {
			if err := a.prepare(ctx, t); err != nil {
				return err
			}
		}
		servers[i] = t
	}
	t, other := servers[0], servers[1]
	before := t.measure(ctx, length, a.neighbor)
	beside, _, err := t.measureDuring(ctx, other, a, length)
	if err != nil {
		return err
	}
	memory, folder := t.memory("VmRSS"), folderSize(dirs[0])
	meanwhile, said, err := t.measureDuring(ctx, t, a, length)
	if err != nil {
		return err
	}
	fmt.Printf("%-10s neighbor %s, then %s (with another server attacked %s); memory %d MiB, then at most %d MiB; folder +%d MiB; %s\n",
		a.name, before, meanwhile, beside, memory>>20, t.memory("VmHWM")>>20, (folderSize(dirs[0])-folder)>>20, said)
	return nil
}

// measureDuring measures t while victim is attacked, and returns what the attackers tell.
func (t *target) measureDuring(ctx context.Context, victim *target, a attack, length time.Duration) (seen figures, said string, err error) {
	var all sync.WaitGroup
	all.Go(func() { said, err = victim.attackFromProcess(ctx, a.name, length) })
	seen = t.measure(ctx, length, a.neighbor)
	all.Wait()
	return seen, said, err
}

// view is what the attackers know of the server.
type view struct {
	URL  string      `json:"url"`
	Mine credentials `json:"mine"`
}

// attackFromProcess runs an attack in a process of its own, at the lowest priority, and returns what it tells.
func (t *target) attackFromProcess(ctx context.Context, name string, length time.Duration) (string, error) {
	known, err := json.Marshal(view{t.url, t.mine})
	if err != nil {
		return "", err
	}
	c := exec.CommandContext(ctx, "nice", "-n", "19", os.Args[0], "-attacker", name, "-length", length.String())
	c.Stdin, c.Stderr = bytes.NewReader(known), os.Stderr
	c.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	said, err := c.Output()
	return string(bytes.TrimSpace(said)), err
}

// attackFromStdin runs the named attack for a while.
func attackFromStdin(ctx context.Context, name string, length time.Duration) error {
	var known view
	if err := json.NewDecoder(os.Stdin).Decode(&known); err != nil {
		return err
	}
	i := slices.IndexFunc(attacks, func(a attack) bool { return a.name == name })
	if i < 0 {
		return fmt.Errorf("no attack is named %q", name)
	}
	ctx, cancel := context.WithTimeout(ctx, length)
	defer cancel()
	fmt.Println(attacks[i].run(ctx, &target{url: known.URL, mine: known.Mine, client: newClient()}))
	return nil
}

func newClient() *http.Client {
	return &http.Client{Timeout: 30 * time.Second, Transport: &http.Transport{MaxIdleConnsPerHost: 1000}}
}

func start(ctx context.Context, binary, database, dir string) (*target, error) {
	addr, err := testservers.FreeAddr()
	if err != nil {
		return nil, err
	}
	t := &target{url: "http://" + addr, data: dir, binary: binary, client: newClient()}
	t.env = []string{"CARTWRIGHT_DATA=" + dir, "CARTWRIGHT_ADDR=" + addr, "CARTWRIGHT_TRUSTED_PROXIES=127.0.0.1/32",
		"CARTWRIGHT_DATABASE_URL=" + database, "PATH=" + os.Getenv("PATH"), "HOME=" + os.Getenv("HOME")}
	t.process = exec.CommandContext(ctx, binary, "serve")
	t.process.Env = t.env
	t.process.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := t.process.Start(); err != nil {
		return nil, err
	}
	ready := time.NewTicker(50 * time.Millisecond)
	defer ready.Stop()
	for ; ctx.Err() == nil; <-ready.C {
		if _, err := t.call(ctx, "GET", "/readyz", nil, nil); err == nil {
			break
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, "credentials.json"))
	if err == nil {
		err = json.Unmarshal(text, &t.mine)
	}
	if err != nil {
		return nil, err
	}
	if text, err = t.command(ctx, "tenant", "create", "--json", "--plan", "enterprise", "--name", "Neighbor"); err == nil {
		err = json.Unmarshal(text, &t.other)
	}
	return t, err
}

// command runs a command of the binary beside the server, and returns its output.
func (t *target) command(ctx context.Context, args ...string) ([]byte, error) {
	c := exec.CommandContext(ctx, t.binary, args...)
	c.Env = t.env
	return c.Output()
}

// statusError is an answer other than 2xx.
type statusError struct {
	status int
	reason string
	limit  int
}

func (e statusError) Error() string { return fmt.Sprint(e.status, " ", e.reason) }

// call sends a request and reads the answer. Errors: statusError.
func (t *target) call(ctx context.Context, method, path string, headers map[string]string, body any) (map[string]any, error) {
	var text []byte
	if body != nil {
		var err error
		if text, err = json.Marshal(body); err != nil {
			return nil, err
		}
	}
	req, err := http.NewRequestWithContext(ctx, method, t.url+path, bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Content-Type", "application/json")
	for name, value := range headers {
		req.Header.Set(name, value)
	}
	res, err := t.client.Do(req)
	if err != nil {
		return nil, err
	}
	defer func() { _ = res.Body.Close() }()
	answer := map[string]any{}
	raw, err := io.ReadAll(res.Body)
	if err != nil {
		return nil, err
	}
	_ = json.Unmarshal(raw, &answer)
	if res.StatusCode/100 != 2 {
		return nil, refusalOf(res.StatusCode, answer)
	}
	return answer, nil
}

func refusalOf(status int, answer map[string]any) statusError {
	e := statusError{status: status}
	list, _ := answer["errors"].([]any)
	for _, one := range list {
		one, _ := one.(map[string]any)
		extensions, _ := one["extensions"].(map[string]any)
		e.reason, _ = extensions["reason"].(string)
		data, _ := one["data"].(map[string]any)
		limit, _ := data["limit"].(float64)
		e.limit = int(limit)
	}
	return e
}

// figures are the times of a neighbor's calls.
type figures struct {
	times  []time.Duration
	failed int
}

func (f figures) String() string {
	if len(f.times) == 0 {
		return fmt.Sprintf("no answer (%d failed)", f.failed)
	}
	slices.Sort(f.times)
	ms := func(q float64) float64 { return float64(f.times[int(q*float64(len(f.times)-1))].Microseconds()) / 1000 }
	return fmt.Sprintf("p50 %.1f p99 %.1f ms (%d failed of %d)", ms(0.5), ms(0.99), f.failed, f.failed+len(f.times))
}

// measure lets the neighbor call for a while, 25 times a second.
func (t *target) measure(ctx context.Context, length time.Duration, call func(context.Context, *target) error) (f figures) {
	if call == nil {
		call = createCart
	}
	ctx, cancel := context.WithTimeout(ctx, length)
	defer cancel()
	next := time.NewTicker(40 * time.Millisecond)
	defer next.Stop()
	for ; ctx.Err() == nil; <-next.C {
		began := time.Now()
		switch err := call(context.WithoutCancel(ctx), t); {
		case err != nil:
			f.failed++
		default:
			f.times = append(f.times, time.Since(began))
		}
	}
	return f
}

func createCart(ctx context.Context, t *target) error {
	_, err := t.call(ctx, "POST", "/api/commerce/carts", t.visitor(), map[string]any{})
	return err
}

// visitor is the headers of one of the neighbor's visitors, each with an address of their own, as a balancer says it.
func (t *target) visitor() map[string]string {
	return map[string]string{"X-Client-Key": t.other.ClientKey, "X-Forwarded-For": fmt.Sprint("203.0.113.", rand.IntN(256))}
}

// memory is a line of the process' status in bytes.
func (t *target) memory(name string) int64 {
	text, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", t.process.Process.Pid))
	for line := range strings.Lines(string(text)) {
		if rest, ok := strings.CutPrefix(line, name+":"); ok {
			n, _ := strconv.ParseInt(strings.Fields(cmp.Or(rest, "0"))[0], 10, 64)
			return n << 10
		}
	}
	return 0
}

func folderSize(dir string) (size int64) {
	_ = filepath.WalkDir(dir, func(_ string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil //nolint:nilerr // a file that just went away
		}
		if info, err := d.Info(); err == nil {
			size += info.Size()
		}
		return nil
	})
	return size
}
