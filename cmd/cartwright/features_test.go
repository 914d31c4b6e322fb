package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cucumber/godog"
	"github.com/cucumber/godog/colors"

	"github.com/cartwright-dev/cartwright/adapters/rest"
	"github.com/cartwright-dev/cartwright/adapters/rest/openapi/openapitest"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/adapters/token"
	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/onboarding"
	"github.com/cartwright-dev/cartwright/domain/quota"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/features/steps"
	"github.com/cartwright-dev/cartwright/ports"
)

// asServer makes the test binary behave as the product's, so that the features run against real processes.
const asServer = "CARTWRIGHT_FEATURES_AS_SERVER"

func TestMain(m *testing.M) {
	if os.Getenv(asServer) != "" {
		p := osProcess()
		p.passwordCost = token.MinimumCost
		os.Exit(p.main())
	}
	code := m.Run()
	if err := chromium.quit(); err != nil {
		fmt.Fprintln(os.Stderr, err)
	}
	os.Exit(code)
}

// wholeMatrix has every scenario played on every setup; make torture sets it. Without it each scenario is played on one
// setup with Postgres, and those about storage on SQLite too.
const wholeMatrix = "CARTWRIGHT_TEST_WHOLE_MATRIX"

func isWholeMatrix() bool { return os.Getenv(wholeMatrix) != "" }

// TestFeatures plays the business stories: on one server with SQLite; on one with Postgres and Redis those that move the
// clock, since that of another process cannot be moved; all others on two processes that share Postgres and Redis, and those
// about concurrency there once more without the mailbox. It takes longest and runs before what is parallel.
func TestFeatures(t *testing.T) {
	for _, on := range []struct {
		name string
		play func(*testing.T)
	}{
		{"two processes", func(t *testing.T) { runFeatures(t, twoProcesses(t, "on"), "~@clock", 4) }},
		{"two processes with the mailbox off", func(t *testing.T) { runFeatures(t, twoProcesses(t, "off"), "@concurrency", 1) }},
		{"SQLite", featuresOnSQLite},
		{"Postgres and Redis", featuresOnPostgresAndRedis},
	} {
		t.Run(on.name, func(t *testing.T) {
			t.Parallel()
			on.play(t)
		})
	}
}

func featuresOnSQLite(t *testing.T) {
	t.Helper()
	tags := "@storage,@concurrency"
	if isWholeMatrix() {
		tags = ""
	}
	runFeatures(t, inProcess(t, Config{}), and(tags, "~@clock"), 4)
	runFeatures(t, inProcess(t, limitingBursts(Config{})), and(tags, "@clock"), 1)
}

func featuresOnPostgresAndRedis(t *testing.T) {
	t.Helper()
	fresh := func() Config { return Config{Database: migratedDB.Postgres(t), Redis: testservers.Redis(t)} }
	if isWholeMatrix() {
		runFeatures(t, inProcess(t, fresh()), "~@clock", 4)
	}
	runFeatures(t, inProcess(t, limitingBursts(fresh())), "@clock", 1)
}

// limitingBursts is for scenarios that move the clock, which are played one at a time: with each move the server looks after
// every shop that it has. There alone bursts are limited: crowds share an address.
func limitingBursts(c Config) Config {
	c.BurstPerMinute = defaults().BurstPerMinute
	return c
}

// and are the tags of scenarios that have both; "" is any.
func and(some, others string) string {
	if some == "" {
		return others
	}
	return some + " && " + others
}

// runFeatures runs the features with these tags. Scenarios at the same time share the server, each in a shop of its own.
func runFeatures(t *testing.T, target steps.Target, tags string, atOnce int) {
	t.Helper()
	var out bytes.Buffer
	suite := godog.TestSuite{
		Name:                "features",
		ScenarioInitializer: func(sc *godog.ScenarioContext) { steps.Register(sc, target) },
		Options: &godog.Options{
			Format: "progress", Paths: []string{"../../features"}, Tags: tags, Strict: true, Randomize: -1,
			Concurrency: atOnce, NoColors: true, Output: colors.Uncolored(&out),
		},
	}
	status := suite.Run()
	t.Logf("%s: %s", tags, strings.TrimSpace(out.String()))
	if status != 0 {
		t.Fatalf("the features %s failed with status %d", tags, status)
	}
}

// inProcess serves with a clock that the features can move.
func inProcess(t *testing.T, change Config) steps.Target {
	t.Helper()
	c := testDefaults()
	c.Address, c.Data, c.Database, c.Redis, c.BurstPerMinute = "127.0.0.1:0", t.TempDir(), change.Database, change.Redis, change.BurstPerMinute
	c.AllowPrivateWebhooks = true // the receivers of the features are at home
	var ahead atomic.Int64
	clock := func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }
	log, logged := captureLog(t)
	heard := &secretScanner{secrets: map[string]string{}}
	t.Cleanup(func() { heard.check(t) }) // when the server has ended
	s := running(t, c, clock, heard.logger(log.Handler()))
	t.Cleanup(func() {
		if !t.Failed() {
			checkEventLog(t, s.core)
		}
	})
	open := shopFactory(t, s.onboarding)
	contract, err := openapitest.Parse(rest.Document(s.routes(nil, "http://sandbox", nil)))
	if err != nil {
		t.Fatal(err)
	}
	return steps.Target{
		URLs:  []string{s.BaseURL},
		Start: start, Serve: serve(t),
		Mail: func(_ context.Context, purpose, email string) (string, error) {
			s.access.Wait()
			token, err := mailed(logged(), purpose, email)
			heard.addSecret("mailed", token)
			return token, err
		},
		Client: checkingClient(t, heard, contract),
		Advance: func(d time.Duration) {
			ahead.Add(int64(d))
			if _, err := s.store.Sweep(context.Background(), clock()); err != nil { // the sweeper's turn comes within seconds
				t.Error(err)
			}
			for f, more := s.confirmations(), true; more; { // its turn comes within minutes
				var err error
				if more, err = f.RunRound(context.Background()); err != nil {
					t.Error(err)
				}
			}
		},
		Shop: enterpriseShop(open), ShopOn: open, Spend: addUsage(s.store, clock), Move: changePlan(t, s.onboarding, s.BaseURL),
	}
}

// fixedPassword knows the hash of the one password that it is asked for.
type fixedPassword struct {
	ports.Passwords

	hash string
}

func (h fixedPassword) Hash(context.Context, string) (string, error) { return h.hash, nil }

// shopFactory founds shops as the command does. All their admins have one password, hashed once: that is slow on purpose, and
// a shop is opened for every scenario.
func shopFactory(t *testing.T, f onboarding.Service) func(ctx context.Context, plan string) (steps.Credentials, error) {
	t.Helper()
	password := access.RandomString(20)
	hash, err := f.Passwords.Hash(t.Context(), password)
	if err != nil {
		t.Fatal(err)
	}
	f.Passwords = fixedPassword{f.Passwords, hash}
	var shops atomic.Int64
	return func(ctx context.Context, plan string) (steps.Credentials, error) {
		draft, err := f.Prepare(onboarding.TenantInput{Name: fmt.Sprintf("Shop %d on %s", shops.Add(1), plan), Plan: tenant.Plan(plan), Currency: "KRW"})
		if err != nil {
			return steps.Credentials{}, err
		}
		draft.AdminPassword = password
		return printedCredentials(newCredentials(draft, "")), f.Create(ctx, draft)
	}
}

// enterpriseShop opens shops on the plan that limits nothing.
func enterpriseShop(open func(context.Context, string) (steps.Credentials, error)) func(context.Context) (steps.Credentials, error) {
	return func(ctx context.Context) (steps.Credentials, error) { return open(ctx, string(tenant.Enterprise)) }
}

// addUsage has an instance that is gone have counted calls of a shop.
func addUsage(store *sqlstore.Store, clock func() time.Time) func(context.Context, string, int) error {
	return func(ctx context.Context, id string, calls int) error {
		return store.Usage().Save(ctx, "earlier", []ports.CallCount{{Tenant: tenant.ID(id), Day: quota.DayOf(clock()), Count: int64(calls)}})
	}
}

// changePlan has somebody of the platform move a shop to another plan.
func changePlan(t *testing.T, f onboarding.Service, url string) func(ctx context.Context, id, plan string) error {
	t.Helper()
	return func(ctx context.Context, id, plan string) error {
		email := "root@" + id + ".example"
		password, err := f.AddMember(ctx, tenant.ID(id), onboarding.MemberInput{Email: email, Role: tenant.PlatformAdmin})
		if err != nil {
			return err
		}
		status, said := ask(t, http.MethodPost, url+"/api/users/login", fmt.Sprintf(`{"email":%q,"password":%q}`, email, password))
		if status == http.StatusOK {
			status, said = ask(t, http.MethodPatch, url+"/api/tenants/"+id, fmt.Sprintf(`{"plan":%q}`, plan), "Authorization: Bearer "+text(said, "token"))
		}
		if status != http.StatusOK {
			return fmt.Errorf("%d %v", status, said)
		}
		return nil
	}
}

// running is a server in this process, until the test ends.
func running(t *testing.T, c Config, clock func() time.Time, log *slog.Logger) *Server {
	t.Helper()
	s, err := build(t.Context(), c, clock, log)
	if err != nil {
		t.Fatal(err)
	}
	keepRunning(t, s)
	return s
}

func printedCredentials(c credentials) (out steps.Credentials) {
	_ = json.Unmarshal(c.encode(), &out) // our own encoding
	return out
}

// mailed is the token last printed for an address: development hands it out by its log until there are deliveries.
func mailed(log []byte, purpose, email string) (token string, err error) {
	for line := range bytes.Lines(log) {
		if found := printed.FindSubmatch(line); found != nil && string(found[1]) == email && bytes.HasPrefix(found[2], []byte(purpose+"_")) {
			token = string(found[2])
		}
	}
	if token == "" {
		return "", fmt.Errorf("no token was sent to %s", email)
	}
	return token, nil
}

var printed = regexp.MustCompile(`\bemail"?[=:]"?([^ "\n]+)"?.*\btoken"?[=:]"?([^ "\n]+)`)

// captureLog keeps what the server logs, and shows it when the test failed.
func captureLog(t *testing.T) (log *slog.Logger, logged func() []byte) {
	path := filepath.Join(t.TempDir(), "log")
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			text, _ := os.ReadFile(path)
			t.Logf("the server logged:\n%s", tail(text))
		}
		_ = file.Close()
	})
	return slog.New(slog.NewTextHandler(file, &slog.HandlerOptions{Level: slog.LevelWarn})), func() []byte {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Error(err)
		}
		return text
	}
}

func tail(text []byte) []byte {
	const most = 8 << 10
	return text[max(0, len(text)-most):]
}

func stderr(err error) []byte {
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return exit.Stderr
	}
	return nil
}

// twoProcesses serves one Postgres and one Redis by two processes of the product. As in one process, every answer is held
// against the OpenAPI document, nothing secret may stand in the logs, and each change must have its event.
func twoProcesses(t *testing.T, mailbox string) steps.Target {
	t.Helper()
	env := []string{
		"CARTWRIGHT_DATA=" + t.TempDir(), "CARTWRIGHT_DATABASE_URL=" + migratedDB.Postgres(t), "CARTWRIGHT_REDIS_URL=" + testservers.Redis(t),
		"CARTWRIGHT_MAILBOX=" + mailbox, "CARTWRIGHT_LOG_LEVEL=debug", "CARTWRIGHT_LOG_FORMAT=json", "CARTWRIGHT_ALLOW_PRIVATE_WEBHOOKS=true",
	}
	scanner := &secretScanner{secrets: map[string]string{}}
	var processes []serverProcess
	t.Cleanup(func() { // when the processes have ended
		for _, p := range processes {
			scanner.addLog([]byte(p.Output()))
		}
		scanner.check(t)
	})
	processes = append(processes, startProcess(t, env...), startProcess(t, env...))
	beside := commandEnvBeside(t, env)
	t.Cleanup(func() {
		if !t.Failed() {
			checkEventLog(t, beside)
		}
	})
	open, wait := shopFactory(t, beside.onboarding), waitForToken(processes...)
	return steps.Target{
		URLs: []string{processes[0].URL, processes[1].URL}, Start: start, Serve: serve(t),
		Mail: func(ctx context.Context, purpose, email string) (string, error) {
			token, err := wait(ctx, purpose, email)
			scanner.addSecret("mailed", token)
			return token, err
		},
		Client: checkingClient(t, scanner, printedContract(t)),
		Shop:   enterpriseShop(open), ShopOn: open, Spend: addUsage(beside.store, time.Now), Move: changePlan(t, beside.onboarding, processes[0].URL),
	}
}

// checkingClient takes down what is secret in all that it sends and gets, and reports what differs from the contract.
func checkingClient(t *testing.T, scanner *secretScanner, contract *openapitest.Contract) *http.Client {
	t.Helper()
	return &http.Client{Transport: recordingTransport{scanner, contract.Client(func(method, path, problem string) {
		t.Errorf("%s %s differs from the OpenAPI document: %s", method, path, problem)
	}).Transport}}
}

// printedContract is the OpenAPI document as the command prints it.
func printedContract(t *testing.T) *openapitest.Contract {
	t.Helper()
	var printed bytes.Buffer
	if err := run(t.Context(), process{args: []string{"openapi"}, getenv: func(string) string { return "" }, out: &printed, log: &printed}); err != nil {
		t.Fatal(err)
	}
	contract, err := openapitest.Parse(printed.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	return contract
}

// commandEnvBeside is what a command has open beside servers with this environment, until the test ends.
func commandEnvBeside(t *testing.T, env []string) *core {
	t.Helper()
	settings := map[string]string{}
	for _, variable := range env {
		name, value, _ := strings.Cut(variable, "=")
		settings[name] = value
	}
	c, err := commandEnv{settings}.config()
	if err != nil {
		t.Fatal(err)
	}
	k, err := openCore(t.Context(), c, time.Now, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := k.Close(); err != nil {
			t.Error(err)
		}
	})
	return k
}

// start is what the command does first of all.
func start(settings map[string]string) error {
	_, err := loadConfig(func(name string) string { return settings[name] })
	return err
}

// tokenPoll is how often the output of the processes is read while a token is waited for.
const tokenPoll = 10 * time.Millisecond

// waitForToken waits for what one of the processes prints behind its answer to the request.
func waitForToken(processes ...serverProcess) func(context.Context, string, string) (string, error) {
	return func(ctx context.Context, purpose, email string) (token string, err error) {
		look := time.NewTicker(tokenPoll)
		defer look.Stop()
		for ctx.Err() == nil {
			var all []byte
			for _, p := range processes {
				all = append(all, p.Output()...)
			}
			if token, err = mailed(all, purpose, email); err == nil {
				break
			}
			select {
			case <-look.C:
			case <-ctx.Done():
			}
		}
		return token, err
	}
}

// serverProcess is the product as a process of its own.
type serverProcess struct {
	*testservers.Process

	env []string
}

// startProcess serves on a free address until the test ends.
func startProcess(t *testing.T, env ...string) serverProcess {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	address, err := testservers.FreeAddr()
	if err != nil {
		t.Fatal(err)
	}
	env = append([]string{asServer + "=yes", "CARTWRIGHT_BURST_PER_MINUTE=0"}, env...)
	p := &testservers.Process{Path: self, Args: []string{"serve"}, Env: append([]string{"CARTWRIGHT_ADDR=" + address}, env...), URL: "http://" + address}
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	if err := p.Start(ctx); err != nil {
		t.Fatalf("%v\n%s", err, p.Output())
	}
	t.Cleanup(func() {
		p.Stop()
		if t.Failed() {
			t.Logf("the server at %s said:\n%s", p.URL, tail([]byte(p.Output())))
		}
	})
	return serverProcess{p, env}
}

// createShop opens a shop beside the running server, and returns its credentials as they are printed.
func (p serverProcess) createShop(ctx context.Context, name string) ([]byte, error) {
	create := exec.CommandContext(ctx, p.Path, "tenant", "create", "--name", name, "--plan", "enterprise", "--json")
	create.Env = append(os.Environ(), p.env...)
	out, err := create.Output()
	if err != nil {
		return nil, fmt.Errorf("found a shop: %w: %s", err, stderr(err))
	}
	return out, nil
}
