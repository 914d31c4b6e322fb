package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/cmd/torture/wire"
)

// patience bounds each step of a start, and the wait for a count that Postgres publishes.
const patience = time.Minute

// configuration is the servers and databases of a testbed.
type configuration struct {
	binary     string
	dir        string // for data folders
	onPostgres bool   // two servers on Postgres and Redis, else one on SQLite
	mailbox    string // "on" or "off"
	// failpoints are points at which a server kills itself, besides the random kills.
	failpoints []string
	traced     bool // SQLite: count syncs to disk
}

// testbed is a running configuration: servers and their databases.
type testbed struct {
	configuration

	servers         []*testservers.Process
	proxies         []serverProxy        // from the servers to their databases
	bank            *testservers.Process // the sandbox provider, which no fault affects
	postgres, redis *testservers.Server
	database        string // URL, or path of the SQLite file
	caller          *caller
	variants        []string // with ample stock
	scarceVariant   string   // a variant with little stock
	digitalVariant  string   // a variant that is not shipped
	marketVariant   string   // what the traders of the market compete for
	marketDiscount  string   // id of its code
}

// serverProxy is the proxy between one server and one of its databases.
type serverProxy struct {
	*wire.Proxy

	name string
}

func startTestbed(ctx context.Context, s configuration) (st *testbed, err error) {
	st = &testbed{configuration: s}
	defer func() {
		if err != nil {
			err = errors.Join(err, st.stop())
		}
	}()
	if err := within(ctx, st.startBank); err != nil {
		return st, err
	}
	env := []string{
		"CARTWRIGHT_SANDBOX_URL=" + st.bank.URL, "CARTWRIGHT_MAILBOX=" + s.mailbox, "CARTWRIGHT_DATA=" + filepath.Join(s.dir, "shop"),
		"CARTWRIGHT_LOG_LEVEL=error", "CARTWRIGHT_BURST_PER_MINUTE=0", "CARTWRIGHT_ALLOW_PRIVATE_WEBHOOKS=true",
	}
	servers := 1
	if s.onPostgres {
		servers = 2
		if err := within(ctx, st.startDatabases); err != nil {
			return st, err
		}
	}
	var bases []string
	for i := range servers {
		own, err := st.startProxies(i)
		if err != nil {
			return st, err
		}
		p, err := st.program(slices.Concat(env, own))
		if err != nil {
			return st, err
		}
		st.servers = append(st.servers, p)
		if err := within(ctx, p.Start); err != nil {
			return st, err
		}
		bases = append(bases, p.URL)
	}
	return st, within(ctx, func(ctx context.Context) error { return st.openShop(ctx, bases) })
}

func (st *testbed) startBank(ctx context.Context) (err error) {
	addr, err := testservers.FreeAddr()
	if err != nil {
		return err
	}
	st.bank = &testservers.Process{
		Path: st.binary, Args: []string{"sandbox", "--addr", addr}, URL: "http://" + addr, Probe: "/healthz",
		Env: []string{"CARTWRIGHT_DATA=" + filepath.Join(st.dir, "shop")},
	}
	return st.bank.Start(ctx)
}

func (st *testbed) startDatabases(ctx context.Context) (err error) {
	if st.postgres, err = testservers.StartPostgres(ctx); err != nil {
		return err
	}
	if st.redis, err = testservers.StartRedis(ctx); err != nil {
		return err
	}
	st.database, _, err = testservers.Database(ctx, st.postgres.URL)
	return err
}

// startProxies starts the proxies of server i, and returns their addresses as environment variables.
func (st *testbed) startProxies(i int) (env []string, err error) {
	if !st.onPostgres {
		return nil, nil
	}
	for _, end := range []struct{ name, variable, url, at string }{
		{"postgres", "CARTWRIGHT_DATABASE_URL", st.database, st.postgres.URL},
		{"redis", "CARTWRIGHT_REDIS_URL", st.redis.URL, st.redis.URL},
	} {
		u, err := url.Parse(end.at)
		if err != nil {
			return nil, err
		}
		w, err := wire.Start(u.Host)
		if err != nil {
			return nil, err
		}
		st.proxies = append(st.proxies, serverProxy{w, fmt.Sprintf("server %d to %s", i+1, end.name)})
		env = append(env, end.variable+"="+w.Rewrite(end.url))
	}
	return env, nil
}

func (st *testbed) program(env []string) (*testservers.Process, error) {
	addr, err := testservers.FreeAddr()
	binary, args := st.command()
	return &testservers.Process{
		Path: binary, Args: args, URL: "http://" + addr, Env: append([]string{"CARTWRIGHT_ADDR=" + addr}, env...),
	}, err
}

// openShop reads the keys and creates the products.
func (st *testbed) openShop(ctx context.Context, bases []string) error {
	text, err := os.ReadFile(filepath.Join(st.dir, "shop", "credentials.json"))
	if err != nil {
		return err
	}
	var keys struct {
		TestSecretKey string `json:"testSecretKey"`
	}
	if err := json.Unmarshal(text, &keys); err != nil {
		return err
	}
	st.caller = newCaller(keys.TestSecretKey, bases...)
	for i := range cartVariants {
		variant, err := st.newVariant(ctx, map[string]any{
			"name": fmt.Sprintf("Tortured mug %d", i), "price": price(i), "stock": ampleStock,
		})
		if err != nil {
			return err
		}
		st.variants = append(st.variants, variant)
	}
	if st.scarceVariant, err = st.newVariant(ctx, map[string]any{
		"name": "Tortured lamp", "price": scarcePrice, "stock": scarceStock,
	}); err != nil {
		return err
	}
	if st.digitalVariant, err = st.newVariant(ctx, notShipped("Tortured guide", scarcePrice)); err != nil {
		return err
	}
	if _, err = st.newDiscount(ctx, map[string]any{"code": tenPercentCode, "type": "percentage", "value": 10}); err != nil {
		return err
	}
	if st.marketVariant, err = st.newVariant(ctx, map[string]any{
		"name": "Tortured chair", "price": marketPrice, "stock": marketUnits,
	}); err != nil {
		return err
	}
	st.marketDiscount, err = st.newDiscount(ctx, map[string]any{
		"code": marketCode, "type": "percentage", "value": 10, "usageLimit": marketUses,
	})
	return err
}

// newDiscount creates a discount.
func (st *testbed) newDiscount(ctx context.Context, discount map[string]any) (id string, err error) {
	var created struct{ Doc struct{ ID string } }
	_, err = st.caller.must(ctx, request{"POST", "/api/discounts", newKey(), discount}, &created)
	return created.Doc.ID, err
}

const (
	ampleStock     = 1_000_000 // more than a run can sell
	scarcePrice    = 500
	scarceStock    = 7
	tenPercentCode = "TENTH"
	unknownCode    = "UNKNOWN"
)

// price of the variant with this number.
func price(i int) int64 { return 1000 + 10*int64(i) }

// stocked are the variants whose stock is compared with what was sold.
func (st *testbed) stocked() []string {
	return append(slices.Clone(st.variants), st.digitalVariant, st.marketVariant)
}

// notShipped creates a product with ample stock that is not shipped.
func notShipped(name string, price int64) map[string]any {
	return map[string]any{"name": name, "price": price, "variants": []any{
		map[string]any{"title": name, "price": price, "kind": "digital", "requiresShipping": false, "stock": ampleStock},
	}}
}

// newVariant creates a product with one variant.
func (st *testbed) newVariant(ctx context.Context, product map[string]any) (id string, err error) {
	product["status"] = "published"
	var created struct{ Doc struct{ ID string } }
	if _, err := st.caller.must(ctx, request{"POST", "/api/products", newKey(), product}, &created); err != nil {
		return "", err
	}
	var list struct{ Docs []struct{ ID string } }
	if _, err := st.caller.must(ctx, request{
		"GET", "/api/product-variants?where[product][equals]=" + created.Doc.ID, "", nil,
	}, &list); err != nil {
		return "", err
	}
	if len(list.Docs) != 1 {
		return "", fmt.Errorf("product %s has %d variants", created.Doc.ID, len(list.Docs))
	}
	return list.Docs[0].ID, nil
}

// within calls start with a limit of patience.
func within(ctx context.Context, start func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return start(ctx)
}

func (st *testbed) stop() error {
	var errs []error
	for _, p := range append(st.servers, st.bank) {
		if p != nil {
			p.Kill()
		}
	}
	for _, w := range st.proxies {
		w.Cut()
	}
	for _, s := range []*testservers.Server{st.postgres, st.redis} {
		if s != nil {
			errs = append(errs, s.Stop())
		}
	}
	return errors.Join(errs...)
}
