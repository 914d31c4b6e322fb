package program

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/rest"
	"github.com/cartwright-dev/cartwright/adapters/rest/openapi/openapitest"
	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/onboarding"
	"github.com/cartwright-dev/cartwright/domain/quota"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/features/steps"
	"github.com/cartwright-dev/cartwright/ports"
)

// scenarioServer starts a server with given settings for a scenario; its shop is the demo shop.
func scenarioServer(t *testing.T) func(context.Context, map[string]string) (string, steps.Credentials, error) {
	t.Helper()
	return func(_ context.Context, settings map[string]string) (url string, shop steps.Credentials, err error) {
		c, err := commandEnv{settings}.config()
		if err != nil {
			return "", shop, err
		}
		c.Address, c.Data = "127.0.0.1:0", t.TempDir()
		s, err := build(t.Context(), c, time.Now, slog.New(slog.DiscardHandler)) // it outlives the scenario
		if err != nil {
			return "", shop, err
		}
		runUntilCleanup(t, s)
		return "http://" + s.listener.Addr().String(), printedCredentials(*s.NewCredentials), nil // as no public URL says
	}
}

// inProcess is a server in this process, with a clock that the features can move.
func inProcess(t *testing.T, change Config) steps.Target {
	t.Helper()
	c := testDefaults()
	c.Address, c.Data, c.Database, c.Redis, c.BurstPerMinute = "127.0.0.1:0", t.TempDir(), change.Database, change.Redis,
		change.BurstPerMinute
	c.AllowPrivateWebhooks = true // the webhook receivers of the features listen on 127.0.0.1
	c.EventRetention = 0          // scenarios move the clock by months, and checkEventLog reads every event
	var ahead atomic.Int64
	clock := func() time.Time { return time.Now().Add(time.Duration(ahead.Load())) }
	log, _ := captureLog(t)
	scanner := &secretScanner{secrets: map[string]string{}}
	t.Cleanup(func() { scanner.check(t) }) // when the server has ended
	s := startServer(t, c, clock, scanner.logger(log.Handler()))
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
		Start: checkSettings, Serve: scenarioServer(t),
		Mail: func(ctx context.Context, purpose, email string) (string, error) {
			s.access.Wait()
			token, err := shownEmailToken(ctx, s.BaseURL, purpose, email)
			scanner.addSecret("mailed", token)
			return token, err
		},
		Client: checkingClient(t, scanner, contract),
		Advance: func(d time.Duration) {
			ahead.Add(int64(d))
			s.deliveries.Wake()                                                     // it sleeps until a time of the old clock
			if _, err := s.store.Sweep(context.Background(), clock()); err != nil { // a server does this every few seconds
				t.Error(err)
			}
			for f, more := s.confirmations(), true; more; { // and this every few minutes
				var err error
				if more, err = f.RunRound(context.Background()); err != nil {
					t.Error(err)
				}
			}
		},
		Shop: enterpriseShop(open), ShopOn: open, Spend: addUsage(s.store, clock), Move: changePlan(t, s.onboarding, s.BaseURL),
		Platform: platformLogin(t, s.onboarding, open, s.BaseURL),
	}
}

// twoProcesses are two server processes that share a Postgres and a Redis. As with inProcess, every response is
// compared with the OpenAPI document, the logs must contain no secrets, and each change must have its event.
func twoProcesses(t *testing.T, mailbox string) steps.Target {
	t.Helper()
	env := []string{
		"CARTWRIGHT_DATA=" + t.TempDir(), "CARTWRIGHT_DATABASE_URL=" + migratedDB.Postgres(t),
		"CARTWRIGHT_REDIS_URL=" + testservers.Redis(t), "CARTWRIGHT_MAILBOX=" + mailbox, "CARTWRIGHT_LOG_LEVEL=debug",
		"CARTWRIGHT_LOG_FORMAT=json", "CARTWRIGHT_ALLOW_PRIVATE_WEBHOOKS=true",
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
	core := openCoreWith(t, env)
	t.Cleanup(func() {
		if !t.Failed() {
			checkEventLog(t, core)
		}
	})
	open, wait := shopFactory(t, core.onboarding), waitForEmailToken(processes...)
	return steps.Target{
		URLs: []string{processes[0].URL, processes[1].URL}, Start: checkSettings, Serve: scenarioServer(t),
		Mail: func(ctx context.Context, purpose, email string) (string, error) {
			token, err := wait(ctx, purpose, email)
			scanner.addSecret("mailed", token)
			return token, err
		},
		Client: checkingClient(t, scanner, printedContract(t)),
		Shop:   enterpriseShop(open), ShopOn: open, Spend: addUsage(core.store, time.Now),
		Move: changePlan(t, core.onboarding, processes[0].URL), Platform: platformLogin(t, core.onboarding, open, processes[0].URL),
	}
}

// checkingClient records the secrets in all requests and responses, and reports differences from the contract.
func checkingClient(t *testing.T, scanner *secretScanner, contract *openapitest.Contract) *http.Client {
	t.Helper()
	return &http.Client{Transport: recordingTransport{scanner, contract.Client(func(method, path, problem string) {
		t.Errorf("%s %s differs from the OpenAPI document: %s", method, path, problem)
	}).Transport}}
}

// printedContract is the OpenAPI document that the command openapi prints.
func printedContract(t *testing.T) *openapitest.Contract {
	t.Helper()
	contract, err := openapitest.Parse(printDocument(t))
	if err != nil {
		t.Fatal(err)
	}
	return contract
}

// printDocument is what the command openapi prints.
func printDocument(t *testing.T) []byte {
	t.Helper()
	var printed bytes.Buffer
	if err := run(t.Context(), process{
		args: []string{"openapi"}, getenv: func(string) string { return "" }, out: &printed, log: &printed,
	}); err != nil {
		t.Fatal(err)
	}
	return printed.Bytes()
}

// openCoreWith opens the core of a command that runs with the environment of a server, until the test ends.
func openCoreWith(t *testing.T, env []string) *core {
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

// checkSettings checks settings as a start of the server does.
func checkSettings(settings map[string]string) error {
	_, err := loadConfig(func(name string) string { return settings[name] })
	return err
}

// fixedPassword returns the known hash of the only password that it is given.
type fixedPassword struct {
	ports.Passwords

	hash string
}

func (h fixedPassword) Hash(context.Context, string) (string, error) { return h.hash, nil }

// shopFactory creates shops as the command does. Their admins share one password, which is hashed once: hashing is
// slow on purpose, and every scenario has a shop of its own.
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
		draft, err := f.Prepare(onboarding.TenantInput{
			Name: fmt.Sprintf("Shop %d on %s", shops.Add(1), plan), Plan: tenant.Plan(plan), Currency: "KRW", Locale: "en", TimeZone: "UTC",
		})
		if err != nil {
			return steps.Credentials{}, err
		}
		draft.AdminPassword = password
		return printedCredentials(newCredentials(draft, "")), f.Create(ctx, draft)
	}
}

// enterpriseShop creates shops on the plan without limits.
func enterpriseShop(open func(context.Context, string) (steps.Credentials, error)) func(context.Context) (steps.Credentials, error) {
	return func(ctx context.Context) (steps.Credentials, error) { return open(ctx, string(tenant.Enterprise)) }
}

// addUsage adds calls of a shop, as if an earlier instance had counted them.
func addUsage(store *sqlstore.Store, clock func() time.Time) func(context.Context, string, int) error {
	return func(ctx context.Context, id string, calls int) error {
		return store.Usage().Save(ctx, "earlier", []ports.CallCount{{
			Tenant: tenant.ID(id), Day: quota.DayOf(clock()), Count: int64(calls),
		}})
	}
}

// changePlan has a platform admin change the plan of a shop.
func changePlan(t *testing.T, f onboarding.Service, url string) func(ctx context.Context, id, plan string) error {
	t.Helper()
	return func(ctx context.Context, id, plan string) error {
		email := "root@" + id + ".example"
		root, err := f.AddMember(ctx, tenant.ID(id), onboarding.MemberInput{Email: email, Role: tenant.PlatformAdmin})
		if err != nil {
			return err
		}
		status, body := requestJSON(t, http.MethodPost, url+"/api/users/login", fmt.Sprintf(`{"email":%q,"password":%q}`, email, root.Password))
		if status == http.StatusOK {
			status, body = requestJSON(t, http.MethodPatch, url+"/api/tenants/"+id, fmt.Sprintf(`{"plan":%q}`, plan),
				"Authorization: Bearer "+textAt(body, "token"))
		}
		if status != http.StatusOK {
			return fmt.Errorf("%d %v", status, body)
		}
		return nil
	}
}

// platformLogin logs a platform admin in, who belongs to a shop of its own.
func platformLogin(
	t *testing.T, f onboarding.Service, open func(context.Context, string) (steps.Credentials, error), url string,
) func(ctx context.Context) (string, error) {
	t.Helper()
	return func(ctx context.Context) (string, error) {
		shop, err := open(ctx, string(tenant.Free))
		if err != nil {
			return "", err
		}
		email := "operator@" + shop.TenantID + ".example"
		root, err := f.AddMember(ctx, tenant.ID(shop.TenantID), onboarding.MemberInput{Email: email, Role: tenant.PlatformAdmin})
		if err != nil {
			return "", err
		}
		_, body := requestJSON(t, http.MethodPost, url+"/api/users/login", fmt.Sprintf(`{"email":%q,"password":%q}`, email, root.Password))
		return textAt(body, "token"), nil
	}
}

func printedCredentials(c credentials) (out steps.Credentials) {
	_ = json.Unmarshal(c.encode(), &out) // encode always writes valid JSON
	return out
}
