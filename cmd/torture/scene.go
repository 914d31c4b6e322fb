package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/testservers"
)

// patience bounds the start of a server.
const patience = time.Minute

// setup says what a scene runs on.
type setup struct {
	binary     string
	dir        string // for data folders
	onPostgres bool   // two servers on Postgres and Redis, else one on SQLite
	mailbox    string // "on" or "off"
	// failpoints are places at which a server is made to kill itself, besides the random kills.
	failpoints []string
	traced     bool // SQLite: count what is forced to disk
}

// stage is a set-up that runs: our servers, and what they stand on.
type stage struct {
	setup

	servers         []*testservers.Program
	bank            *testservers.Program // the sandbox provider: it survives whatever happens to the shop
	postgres, redis *testservers.Server
	database        string // URL, or path of the SQLite file
	caller          *caller
	variants        []string
}

func raise(ctx context.Context, s setup) (st *stage, err error) {
	st = &stage{setup: s}
	defer func() {
		if err != nil {
			err = errors.Join(err, st.end())
		}
	}()
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	if err := st.startBank(ctx); err != nil {
		return st, err
	}
	env := []string{"CARTWRIGHT_SANDBOX_URL=" + st.bank.URL, "CARTWRIGHT_MAILBOX=" + s.mailbox, "CARTWRIGHT_DATA=" + filepath.Join(s.dir, "shop"), "CARTWRIGHT_LOG_LEVEL=error"}
	servers := 1
	if s.onPostgres {
		servers = 2
		if err := st.startDatabases(ctx); err != nil {
			return st, err
		}
		env = append(env, "CARTWRIGHT_DATABASE_URL="+st.database, "CARTWRIGHT_REDIS_URL="+st.redis.URL)
	}
	var bases []string
	for range servers {
		p, err := st.program(env)
		if err != nil {
			return st, err
		}
		if err := p.Start(ctx); err != nil {
			return st, err
		}
		st.servers = append(st.servers, p)
		bases = append(bases, p.URL)
	}
	return st, st.openShop(ctx, bases)
}

func (st *stage) startBank(ctx context.Context) (err error) {
	addr, err := testservers.FreeAddr()
	if err != nil {
		return err
	}
	st.bank = &testservers.Program{Path: st.binary, Args: []string{"sandbox", "--addr", addr}, URL: "http://" + addr, Probe: "/healthz", Env: []string{"CARTWRIGHT_DATA=" + filepath.Join(st.dir, "shop")}}
	return st.bank.Start(ctx)
}

func (st *stage) startDatabases(ctx context.Context) (err error) {
	if st.postgres, err = testservers.StartPostgres(ctx); err != nil {
		return err
	}
	if st.redis, err = testservers.StartRedis(ctx); err != nil {
		return err
	}
	st.database, _, err = testservers.Database(ctx, st.postgres.URL)
	return err
}

func (st *stage) program(env []string) (*testservers.Program, error) {
	addr, err := testservers.FreeAddr()
	binary, args := st.command()
	return &testservers.Program{Path: binary, Args: args, URL: "http://" + addr, Env: append([]string{"CARTWRIGHT_ADDR=" + addr}, env...)}, err
}

// openShop reads the keys and makes variants with more stock than a run can sell.
func (st *stage) openShop(ctx context.Context, bases []string) error {
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
	for i := range linesInPlay {
		var product struct{ Doc struct{ ID string } }
		if _, err := st.caller.must(ctx, request{"POST", "/api/products", newKey(), map[string]any{
			"name": fmt.Sprintf("Tortured mug %d", i), "price": 1000 + i, "status": "published", "stock": 1_000_000,
		}}, &product); err != nil {
			return err
		}
		var list struct{ Docs []struct{ ID string } }
		if _, err := st.caller.must(ctx, request{"GET", "/api/product-variants?where[product][equals]=" + product.Doc.ID, "", nil}, &list); err != nil {
			return err
		}
		if len(list.Docs) != 1 {
			return fmt.Errorf("product %s has %d variants", product.Doc.ID, len(list.Docs))
		}
		st.variants = append(st.variants, list.Docs[0].ID)
	}
	return nil
}

// victims lists what may be killed here, by kind.
func (st *stage) victims(dice *rand.Rand) [][]victim {
	var servers, points []victim
	for i, p := range st.servers {
		servers = append(servers, victim{fmt.Sprintf("server %d", i+1), func(ctx context.Context) error {
			p.Kill()
			return within(ctx, p.Start)
		}})
		for _, point := range st.failpoints {
			points = append(points, victim{fmt.Sprintf("server %d at %s", i+1, point), func(ctx context.Context) error {
				return st.dieAt(ctx, p, point, dice)
			}})
		}
	}
	kinds := [][]victim{servers, points}
	for name, s := range map[string]*testservers.Server{"postgres": st.postgres, "redis": st.redis} {
		if s != nil {
			kinds = append(kinds, []victim{{name, func(ctx context.Context) error {
				s.Kill()
				return within(ctx, s.Start)
			}}})
		}
	}
	return kinds
}

// dieAt restarts p so that it kills itself at the point, waits for that (or a while: the load may not pass there), and
// brings it back as it was.
func (st *stage) dieAt(ctx context.Context, p *testservers.Program, point string, dice *rand.Rand) error {
	p.Kill()
	env := p.Env
	p.Env = append(slices.Clip(env), fmt.Sprintf("CARTWRIGHT_FAILPOINT=%s:%d", point, 1+dice.IntN(3)))
	err := within(ctx, p.Start)
	p.Env = env
	if err != nil && p.Alive() {
		return err
	}
	waiting, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()
	p.Wait(waiting)
	p.Kill()
	return within(ctx, p.Start)
}

func within(ctx context.Context, start func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	return start(ctx)
}

func (st *stage) end() error {
	var errs []error
	for _, p := range append(st.servers, st.bank) {
		if p != nil {
			p.Kill()
		}
	}
	for _, s := range []*testservers.Server{st.postgres, st.redis} {
		if s != nil {
			errs = append(errs, s.Stop())
		}
	}
	return errors.Join(errs...)
}
