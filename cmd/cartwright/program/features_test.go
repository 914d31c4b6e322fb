package program

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"github.com/cucumber/godog"
	"github.com/cucumber/godog/colors"

	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/features/steps"
)

// wholeMatrix is the variable that runs every scenario on every setup; make torture sets it. Without it each scenario
// runs on one setup with Postgres, and those about storage on SQLite too.
const wholeMatrix = "CARTWRIGHT_TEST_WHOLE_MATRIX"

func isWholeMatrix() bool { return os.Getenv(wholeMatrix) != "" }

// TestFeatures runs the business stories. Those that move the clock run on a server in this process with Postgres and
// Redis, since the clock of another process cannot be moved; all others on two processes that share Postgres and Redis,
// and those about concurrency once more there, with the mailbox off. Those about storage also run on SQLite.
// TestFeatures takes longest, so it is not parallel itself: it starts before the parallel tests.
func TestFeatures(t *testing.T) {
	for _, setup := range []struct {
		name string
		run  func(*testing.T)
	}{
		{"two processes", func(t *testing.T) { runFeatures(t, twoProcesses(t, "on"), "~@clock", 4) }},
		{"two processes with the mailbox off", func(t *testing.T) { runFeatures(t, twoProcesses(t, "off"), "@concurrency", 1) }},
		{"SQLite", featuresOnSQLite},
		{"Postgres and Redis", featuresOnPostgresAndRedis},
	} {
		t.Run(setup.name, func(t *testing.T) {
			t.Parallel()
			setup.run(t)
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
	runFeatures(t, inProcess(t, withBurstLimit(Config{})), and(tags, "@clock"), 1)
}

func featuresOnPostgresAndRedis(t *testing.T) {
	t.Helper()
	fresh := func() Config { return Config{Database: migratedDB.Postgres(t), Redis: testservers.Redis(t)} }
	if isWholeMatrix() {
		runFeatures(t, inProcess(t, fresh()), "~@clock", 4)
	}
	runFeatures(t, inProcess(t, withBurstLimit(fresh())), "@clock", 1)
}

// withBurstLimit is c with the default burst limit, for the scenarios that move the clock. These run one at a time;
// the others run concurrently from one address and would exceed the limit.
func withBurstLimit(c Config) Config {
	c.BurstPerMinute = defaults().BurstPerMinute
	return c
}

// and is a tag expression for scenarios that match both a and b; a may be "", which matches all.
func and(a, b string) string {
	if a == "" {
		return b
	}
	return a + " && " + b
}

// runFeatures runs the scenarios that match tags. Concurrent scenarios share the server, each with a shop of its own.
func runFeatures(t *testing.T, target steps.Target, tags string, concurrency int) {
	t.Helper()
	var out bytes.Buffer
	suite := godog.TestSuite{
		Name:                "features",
		ScenarioInitializer: func(sc *godog.ScenarioContext) { steps.Register(sc, target) },
		Options: &godog.Options{
			Format: "progress", Paths: []string{"../../../features"}, Tags: tags, Strict: true, Randomize: -1,
			Concurrency: concurrency, NoColors: true, Output: colors.Uncolored(&out),
		},
	}
	status := suite.Run()
	text := strings.TrimSpace(out.String())
	t.Logf("%s: %s", tags, text)
	if status != 0 {
		t.Fatalf("the features %s failed with status %d\n%s", tags, status, failedSteps(text))
	}
}

// failedSteps is the part of godog's output that tells which steps failed and why. It stands last in the failure, since
// a report of a long run keeps only the end of a test's output.
func failedSteps(text string) string {
	_, failed, _ := strings.Cut(text, "--- Failed steps:")
	return strings.TrimSpace(failed)
}
