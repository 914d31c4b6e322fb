package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"text/tabwriter"

	goredis "github.com/redis/go-redis/v9"

	"github.com/cartwright-dev/cartwright/adapters/redis"
)

// errUnwell ends doctor with a failure; what is wrong stands in its table.
var errUnwell = errors.New("not everything is well")

// examine prints one line per thing that can be wrong with an installation. Opening the store has proven configuration,
// data folder and migrations already.
func (k *core) examine(ctx context.Context, out io.Writer) error {
	well := true
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	line := func(what string, err error, detail string) {
		word := "ok"
		if err != nil {
			word, detail, well = "FAILED", err.Error(), false
		}
		fmt.Fprintf(table, "%s\t%s\t%s\n", what, word, detail)
	}
	line("mode", nil, string(k.config.Mode))
	line("data folder", nil, k.config.Data)
	line("secrets", k.privateSecrets(), "")
	kind := "SQLite"
	if k.config.Database != "" {
		kind = "Postgres"
	}
	line("database", k.store.Ready(ctx), kind)
	d, err := k.store.Durability(ctx)
	line("durability", errors.Join(err, lossy(d.Fsync == "off" || d.SynchronousCommit == "off" || d.Synchronous != "" && d.Synchronous < "2")), "an acknowledged change survives a crash")
	shared := "none is configured, the database does its work"
	if k.config.Redis != "" {
		shared = "stored, read and removed some"
	}
	seals, err := k.sealed(ctx)
	line("sealed", err, seals)
	line("redis", k.tryRedis(ctx), shared)
	line("files", k.tryBlobs(ctx), "stored, read and removed one")
	tenants, err := k.tenants(ctx)
	line("tenants", err, strconv.Itoa(len(tenants)))
	if err := table.Flush(); err != nil {
		return err
	}
	if !well {
		return errUnwell
	}
	return nil
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
