package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	goredis "github.com/redis/go-redis/v9"

	"github.com/cartwright-dev/cartwright/adapters/redis"
)

// errUnwell ends doctor with a failure; what is wrong stands in its table.
var errUnwell = errors.New("not everything is well")

// finding is what doctor has to say of one thing.
type finding struct {
	What   string `json:"check"`
	Status string `json:"status"` // ok, warning or FAILED
	Detail string `json:"detail"` // what was found, or what is wrong and how to mend it
}

// What a finding can be.
const (
	wellFound = "ok"
	doubtful  = "warning"
	failed    = "FAILED"
)

// findings are collected, so that all that is wrong is told at once.
type findings []finding

func (f *findings) look(what string, err error, detail string) {
	if err != nil {
		*f = append(*f, finding{what, failed, err.Error()})
		return
	}
	*f = append(*f, finding{what, wellFound, detail})
}

func (f *findings) doubt(what, detail string) { *f = append(*f, finding{what, doubtful, detail}) }

// examine tells everything that is wrong with an installation, whatever else is: a setting, a folder, a database. A
// database of an older version is left as it is; one with nothing in it gets its tables, as at a start.
func (p process) examine(ctx context.Context, asJSON bool) error {
	var found findings
	c := p.examineSettings(&found)
	err := c.openData()
	found.look("data folder", err, c.Data)
	if err == nil {
		c.examineMachine(&found)
	}
	c.examinePlainDatabase(ctx, &found)
	c.DatabaseWait = 0
	var k *core
	if err = c.behind(ctx, p.logger(c)); err == nil {
		k, err = openCore(ctx, c, time.Now, p.logger(c))
	}
	if err == nil {
		k.examineStore(ctx, &found)
		err = k.Close()
	} else {
		found.look("start", err, "")
		k = &core{config: c, log: p.logger(c), now: time.Now}
	}
	shared := "none is configured, the database does its work"
	if c.Redis != "" {
		shared = "stored, read and removed some"
	}
	away := k.tryRedis(ctx)
	found.look("redis", away, shared)
	if c.Redis != "" && away == nil {
		k.lookIntoRedis(ctx, &found)
	}
	if err != nil {
		found.look("files", errors.Join(k.openBlobs(ctx)), "can be opened")
	}
	return p.tellFindings(found, asJSON)
}

// examineSettings tells each problem of the configuration by itself, and answers as much of it as could be read.
func (p process) examineSettings(found *findings) Config {
	c, warnings, err := p.configured()
	if err != nil {
		for line := range strings.Lines(err.Error()) {
			if text := strings.TrimSpace(line); text != errMisconfigured.Error() {
				found.look("setting", errors.New(text), "")
			}
		}
		if at, err := filepath.Abs(c.Data); err == nil {
			c.Data = at
		}
	}
	for _, w := range warnings {
		found.doubt("setting", w)
	}
	if c.Mode == Production && c.LogLevel == "debug" {
		found.doubt("setting", "CARTWRIGHT_LOG_LEVEL: debug writes more than production needs; info is enough.")
	}
	if c.Mode == Production && c.PrivateWebhooks {
		found.doubt("setting", "CARTWRIGHT_ALLOW_PRIVATE_WEBHOOKS: whoever may make webhook endpoints reaches into this network; leave it away unless all of them are yours.")
	}
	if c.Mode != Production {
		for _, n := range c.TrustedProxies {
			if tooWide(n) {
				found.doubt("setting", "CARTWRIGHT_TRUSTED_PROXIES: "+n+" trusts everybody to say who they are; production refuses it.")
			}
		}
	}
	found.look("mode", nil, string(c.Mode))
	return c
}

// examineStore looks at what an opened store has.
func (k *core) examineStore(ctx context.Context, found *findings) {
	found.look("secrets", k.privateSecrets(), "for their owner's eyes only")
	kind := "SQLite"
	if k.config.Database != "" {
		kind = "Postgres"
		k.examinePostgres(ctx, found)
	}
	found.look("database", k.store.Ready(ctx), kind)
	d, err := k.store.Durability(ctx)
	found.look("durability", errors.Join(err, lossy(d.Fsync == "off" || d.SynchronousCommit == "off" || d.Synchronous != "" && d.Synchronous < "2")), "an acknowledged change survives a crash")
	seals, err := k.sealed(ctx)
	found.look("sealed", err, seals)
	found.look("files", k.tryBlobs(ctx), "stored, read and removed one")
	tenants, err := k.tenants(ctx)
	found.look("tenants", err, strconv.Itoa(len(tenants)))
}

// skewed is how far apart the clocks of the server and of its database may be.
const skewed = 5 * time.Second

// examinePostgres looks at what the database is set to.
func (k *core) examinePostgres(ctx context.Context, found *findings) {
	on, err := pgx.Connect(ctx, k.config.Database)
	if err != nil {
		found.look("connections", errors.New("the database takes no further connection: raise its max_connections, or run fewer instances"), "")
		return
	}
	defer on.Close(ctx) //nolint:errcheck // it was only read
	var most int
	var there time.Time
	asked := time.Now()
	if err := on.QueryRow(ctx, "SELECT current_setting('max_connections')::int, clock_timestamp()").Scan(&most, &there); err != nil {
		found.look("connections", err, "")
		return
	}
	found.look("clock", skew(there.Sub(asked), time.Since(asked)), "the database's is ours")
	found.look("connections", tooFew(most, instanceConnections()), fmt.Sprintf("room for %d instances of this size", most/instanceConnections()))
}

// skew tells of clocks that are too far apart, of which the other was read at some time while we waited.
func skew(ahead, waited time.Duration) error {
	if ahead < -skewed || ahead > waited+skewed {
		return fmt.Errorf("the clock of the database is %s from ours: keep both by NTP, since what expires is decided by them", ahead.Round(time.Second))
	}
	return nil
}

// instanceConnections is how many connections to Postgres one instance may open. See sqlstore.Options.
func instanceConnections() int {
	const perProcessor, others = 4, 3
	serving := perProcessor * runtime.GOMAXPROCS(0)
	return serving + max(2, serving/3) + others
}

func tooFew(most, need int) error {
	if most < need {
		return fmt.Errorf("max_connections of the database is %d and an instance of this size may open %d: raise it, or put fewer processors to work with GOMAXPROCS", most, need)
	}
	return nil
}

// tellFindings prints a table or JSON, and fails if anything did.
func (p process) tellFindings(found findings, asJSON bool) error {
	well := !slices.ContainsFunc(found, func(f finding) bool { return f.Status == failed })
	text, err := json.Marshal(map[string]any{"well": well, "checks": found})
	if err != nil {
		return fmt.Errorf("encode the findings: %w", err)
	}
	err = p.say(answer{json: text, text: func(out io.Writer) error {
		for _, f := range found {
			if _, err := fmt.Fprintf(out, "%s\t%s\t%s\n", f.What, f.Status, strings.ReplaceAll(f.Detail, "\n", " ")); err != nil {
				return err
			}
		}
		return nil
	}}, asJSON)
	if err == nil && !well {
		return errUnwell
	}
	return err
}

func lossy(is bool) error {
	if is {
		return errors.New("the database may acknowledge what a crash takes back: turn fsync and synchronous commits on")
	}
	return nil
}

// privateSecrets checks that generated secrets are for their owner's eyes only.
func (k *core) privateSecrets() error {
	for _, name := range []string{secretsFile, credentialsFile} {
		info, err := os.Stat(k.config.File(name))
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			return fmt.Errorf("%s can be read by others: chmod 600", k.config.File(name))
		}
	}
	return nil
}

// tryRedis does with the configured Redis, if any, what the server does.
func (k *core) tryRedis(ctx context.Context) error {
	if k.config.Redis == "" {
		return nil
	}
	goredis.SetLogger(silent{})
	client, err := redis.Connect(k.config.Redis, k.log)
	if err != nil {
		return err
	}
	if err := client.Examine(ctx, redisPrefix); err != nil {
		return errors.Join(fmt.Errorf("CARTWRIGHT_REDIS_URL: %w", err), client.Close())
	}
	return client.Close()
}

// tryBlobs has a file make the whole way through the store of uploaded files.
func (k *core) tryBlobs(ctx context.Context) error {
	key := "doctor/" + newID()
	if err := k.blobs.Put(ctx, key, "text/plain", strings.NewReader("well?")); err != nil {
		return err
	}
	r, err := k.blobs.Open(ctx, key, 0, -1)
	if err != nil {
		return err
	}
	text, err := io.ReadAll(r)
	if err == nil && string(text) != "well?" {
		err = errors.New("what was stored comes back as something else")
	}
	return errors.Join(err, r.Close(), k.blobs.Delete(ctx, key))
}
