package program

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
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

// errUnhealthy ends doctor with a failure; the findings are in its table.
var errUnhealthy = errors.New("some checks failed")

// finding is the result of one check.
type finding struct {
	Check  string `json:"check"`
	Status string `json:"status"` // ok, warning or FAILED
	Detail string `json:"detail"` // what was found, or the problem and its fix
}

// The statuses of a finding.
const (
	statusOK      = "ok"
	statusWarning = "warning"
	statusFailed  = "FAILED"
)

// findings are collected, so that all problems are reported together.
type findings []finding

func (f *findings) record(what string, err error, detail string) {
	if err != nil {
		*f = append(*f, finding{what, statusFailed, err.Error()})
		return
	}
	*f = append(*f, finding{what, statusOK, detail})
}

func (f *findings) warn(what, detail string) { *f = append(*f, finding{what, statusWarning, detail}) }

// runDoctor reports all problems of an installation, even when some checks fail: settings, folders, the
// database. It makes no database and migrates none of an older version.
func (p process) runDoctor(ctx context.Context, asJSON bool) error {
	var found findings
	c := p.checkSettings(&found)
	if c.checkDataDir(&found) {
		c.checkMachine(&found)
	}
	c.checkDatabaseTLS(ctx, &found)
	c.DatabaseWait = 0
	var k *core
	err := c.checkSchema(ctx, p.logger(c))
	if err == nil {
		k, err = openCore(ctx, c, nil, p.logger(c))
	}
	if err == nil {
		k.checkStore(ctx, &found)
		err = k.Close()
	} else {
		found.record("start", err, "")
		k = &core{platform: &platform{config: c, log: p.logger(c), now: time.Now}}
	}
	shared := "not configured; the database is used instead"
	if c.Redis != "" {
		shared = "wrote, read and deleted test data"
	}
	redisErr := k.checkRedis(ctx)
	found.record("redis", redisErr, shared)
	if c.Redis != "" && redisErr == nil {
		k.checkRedisSettings(ctx, &found)
	}
	k.checkMails(ctx, &found)
	if err != nil {
		found.record("files", errors.Join(k.openBlobs(ctx, true)), "the file store can be opened")
	}
	return p.printFindings(found, asJSON)
}

// checkDataDir reports whether the data folder can be used. One that is not there is not made: it may be a typing error.
func (c Config) checkDataDir(found *findings) bool {
	_, err := os.Stat(c.Data)
	if err != nil && c.Database != "" && errors.Is(err, fs.ErrNotExist) {
		found.warn("data folder", c.Data+" does not exist; the first start makes it.")
		return false
	}
	if err == nil {
		err = c.prepareDataDir()
	}
	found.record("data folder", err, c.Data)
	return err == nil
}

// checkSettings reports each problem of the configuration, and returns the settings that are valid.
func (p process) checkSettings(found *findings) Config {
	c, warnings, err := p.configWithWarnings()
	if err != nil {
		for line := range strings.Lines(err.Error()) {
			if text := strings.TrimSpace(line); text != errMisconfigured.Error() {
				found.record("setting", errors.New(text), "")
			}
		}
		if at, err := filepath.Abs(c.Data); err == nil {
			c.Data = at
		}
	}
	for _, w := range warnings {
		found.warn("setting", w)
	}
	if c.Mode == Production && c.LogLevel == "debug" {
		found.warn("setting", "CARTWRIGHT_LOG_LEVEL: debug is too verbose for production; use info.")
	}
	if c.Mode == Production && c.AllowPrivateWebhooks {
		found.warn("setting", "CARTWRIGHT_ALLOW_PRIVATE_WEBHOOKS: anyone who may create webhook endpoints can reach this network; remove the setting unless all tenants are yours.")
	}
	if c.Mode != Production {
		for _, n := range c.TrustedProxies {
			if isTooWide(n) {
				found.warn("setting", "CARTWRIGHT_TRUSTED_PROXIES: "+n+" lets almost anyone forge client addresses; production rejects it.")
			}
		}
	}
	found.record("mode", nil, string(c.Mode))
	return c
}

// checkStore checks an opened store.
func (k *core) checkStore(ctx context.Context, found *findings) {
	found.record("secrets", k.checkSecretPermissions(), "readable by their owner only")
	kind := "SQLite"
	if k.config.Database != "" {
		kind = "Postgres"
		k.checkPostgres(ctx, found)
	}
	found.record("database", k.store.Ready(ctx), kind)
	d, err := k.store.Durability(ctx)
	found.record("durability",
		errors.Join(err, checkDurability(d.Fsync == "off" || d.SynchronousCommit == "off" || d.Synchronous != "" && d.Synchronous < "2")),
		"acknowledged changes survive a crash")
	sealed, err := k.checkSealed(ctx)
	found.record("sealed", err, sealed)
	found.record("files", k.checkBlobs(ctx), "wrote, read and deleted a test file")
	k.checkBackground(ctx, found)
	k.checkJobs(ctx, found)
	k.checkConnections(ctx, found)
	k.checkDeletions(ctx, found)
	tenants, err := k.listTenants(ctx)
	found.record("tenants", err, strconv.Itoa(len(tenants)))
}

// maxClockSkew is the largest accepted difference between the clocks of the server and of its database.
const maxClockSkew = 5 * time.Second

// checkPostgres checks the settings of the database.
func (k *core) checkPostgres(ctx context.Context, found *findings) {
	conn, err := pgx.Connect(ctx, k.config.Database)
	if err != nil {
		found.record("connections",
			errors.New("the database accepts no more connections: raise max_connections, or run fewer instances"), "")
		return
	}
	defer conn.Close(ctx) //nolint:errcheck // it was only read
	var maxConnections int
	var databaseTime time.Time
	start := time.Now()
	if err := conn.QueryRow(ctx, "SELECT current_setting('max_connections')::int, clock_timestamp()").Scan(&maxConnections, &databaseTime); err != nil {
		found.record("connections", err, "")
		return
	}
	found.record("clock", checkClock(databaseTime.Sub(start), time.Since(start)), "in sync with the database")
	found.record("connections", checkConnectionLimit(maxConnections, instanceConnections()),
		fmt.Sprintf("enough for %d instances of this size", maxConnections/instanceConnections()))
}

// checkClock reports clocks that differ too much. Ahead is the other clock's time after the start of a query that
// took as long as elapsed; the clock was read at some time during it.
func checkClock(ahead, elapsed time.Duration) error {
	if ahead < -maxClockSkew || ahead > elapsed+maxClockSkew {
		return fmt.Errorf(
			"the clock of the database differs from this machine's by %s: synchronize both with NTP, because logs and the timestamps of webhooks depend on them",
			ahead.Round(time.Second))
	}
	return nil
}

// instanceConnections is how many Postgres connections one instance may open. See sqlstore.Options.
func instanceConnections() int {
	const perProcessor, others = 4, 3
	serving := perProcessor * runtime.GOMAXPROCS(0)
	return serving + max(2, serving/3) + others
}

func checkConnectionLimit(limit, need int) error {
	if limit < need {
		return fmt.Errorf(
			"max_connections of the database is %d but an instance of this size may open %d: raise it, or lower GOMAXPROCS", limit, need)
	}
	return nil
}

// printFindings prints a table or JSON, and fails if a check did.
func (p process) printFindings(found findings, asJSON bool) error {
	healthy := !slices.ContainsFunc(found, func(f finding) bool { return f.Status == statusFailed })
	text, err := json.Marshal(map[string]any{"well": healthy, "checks": found})
	if err != nil {
		return fmt.Errorf("encode the findings: %w", err)
	}
	err = p.printResult(commandResult{json: text, text: func(out io.Writer) error {
		for _, f := range found {
			if _, err := fmt.Fprintf(out, "%s\t%s\t%s\n", f.Check, f.Status, strings.ReplaceAll(f.Detail, "\n", " ")); err != nil {
				return err
			}
		}
		return nil
	}}, asJSON)
	if err == nil && !healthy {
		return errUnhealthy
	}
	return err
}

func checkDurability(unsafe bool) error {
	if unsafe {
		return errors.New("a crash may lose acknowledged changes: turn on fsync and synchronous_commit")
	}
	return nil
}

// checkSecretPermissions checks that generated secrets are readable by their owner only.
func (k *core) checkSecretPermissions() error {
	for _, name := range []string{secretsFile, credentialsFile} {
		info, err := os.Stat(k.config.File(name))
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			return fmt.Errorf("%s can be read by others: chmod 600", k.config.File(name))
		}
	}
	return nil
}

// checkRedis tries the configured Redis, if any, with the server's commands.
func (k *core) checkRedis(ctx context.Context) error {
	if k.config.Redis == "" {
		return nil
	}
	goredis.SetLogger(silentLogger{})
	client, err := redis.Connect(k.config.Redis, k.log)
	if err != nil {
		return err
	}
	if err := client.Diagnose(ctx, redisPrefix); err != nil {
		return errors.Join(fmt.Errorf("CARTWRIGHT_REDIS_URL: %w", err), client.Close())
	}
	return client.Close()
}

// checkBlobs stores, reads and deletes a file in the store of uploaded files.
func (k *core) checkBlobs(ctx context.Context) error {
	const content = "written by cartwright doctor"
	key := "doctor/" + newID()
	if err := k.blobs.Put(ctx, key, "text/plain", strings.NewReader(content)); err != nil {
		return err
	}
	r, err := k.blobs.Open(ctx, key, 0, -1)
	if err != nil {
		return err
	}
	text, err := io.ReadAll(r)
	if err == nil && string(text) != content {
		err = errors.New("the test file was read back with different contents")
	}
	return errors.Join(err, r.Close(), k.blobs.Delete(ctx, key))
}
