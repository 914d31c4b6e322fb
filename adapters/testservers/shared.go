package testservers

import (
	"context"
	"os"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
)

// Environment variables in which cmd/testenv passes the URLs of its servers to tests, and their versions.
const (
	PostgresEnv = "CARTWRIGHT_TEST_POSTGRES"
	RedisEnv    = "CARTWRIGHT_TEST_REDIS"
	VersionsEnv = "CARTWRIGHT_TEST_VERSIONS"
)

// given is the URL of a server of cmd/testenv; "": there is none. Go's test cache reuses a result while the variables that
// os.Getenv read are as they were. That goes by the versions of the servers, wherever they listen.
func given(name string) string {
	_ = os.Getenv(VersionsEnv)
	url, _ := syscall.Getenv(name)
	return url
}

// startTimeout bounds the start of a server on a busy machine.
const startTimeout = time.Minute

var ownPostgres = sync.OnceValues(func() (string, error) {
	return startOwn(StartPostgresWithoutFsync)
})
var ownDurable = sync.OnceValues(func() (string, error) { return startOwn(StartPostgres) })
var ownRedis = sync.OnceValues(func() (string, error) { return startOwn(StartRedis) })

// startOwn starts a server for this test process; it ends with the process.
func startOwn(start func(context.Context) (*Server, error)) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), startTimeout)
	defer cancel()
	s, err := start(ctx)
	if err != nil {
		return "", err
	}
	return s.URL, s.removeDirAtExit()
}

// Postgres returns the URL of a fresh database, as superuser; it is dropped with the test. The server is that
// of cmd/testenv, else one of this process.
func Postgres(t testing.TB) string {
	t.Helper()
	return postgresLike(t, "template1")
}

// DurablePostgres is Postgres on a server of this process with fsync on.
func DurablePostgres(t testing.TB) string {
	t.Helper()
	admin, err := ownDurable()
	if err != nil {
		t.Fatal(err)
	}
	return databaseOf(t, admin, "template1")
}

func adminPostgres(t testing.TB) string {
	t.Helper()
	admin := given(PostgresEnv)
	if admin == "" {
		var err error
		if admin, err = ownPostgres(); err != nil {
			t.Fatal(err)
		}
	}
	return admin
}

func postgresLike(t testing.TB, template string) string {
	t.Helper()
	return databaseOf(t, adminPostgres(t), template)
}

func databaseOf(t testing.TB, admin, template string) string {
	t.Helper()
	url, drop, err := databaseLike(context.Background(), admin, template)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := drop(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return url
}

// Redis returns the URL of an empty Redis database for this test alone.
func Redis(t testing.TB) string {
	t.Helper()
	base := given(RedisEnv)
	if base == "" {
		var err error
		if base, err = ownRedis(); err != nil {
			t.Fatal(err)
		}
	}
	url := base[:strings.LastIndex(base, "/")+1] + strconv.FormatInt(nextRedisDB(t, base), 10)
	return url
}

// nextRedisDB is the next database number, unique among the processes that share the server.
func nextRedisDB(t testing.TB, base string) int64 {
	t.Helper()
	options, err := redis.ParseURL(base)
	if err != nil {
		t.Fatal(err)
	}
	client := redis.NewClient(options)
	defer func() { _ = client.Close() }()                                    // the answers were read
	n, err := client.Incr(context.Background(), "cartwright-tests").Result() // stored in database 0
	if err != nil {
		t.Fatal(err)
	}
	n = 1 + (n-1)%511
	options.DB = int(n)
	mine := redis.NewClient(options)
	defer func() { _ = mine.Close() }()
	if err := mine.FlushDB(context.Background()).Err(); err != nil {
		t.Fatal(err)
	}
	return n
}
