package sqlstore_test

import (
	"flag"
	"os"
	"testing"
)

// TestMain has properties checked with fewer examples than rapid takes by itself, since each one works on a
// database. They differ from run to run, and make torture takes thousands.
func TestMain(m *testing.M) {
	if err := flag.Set("rapid.checks", "25"); err != nil {
		panic(err)
	}
	os.Exit(m.Run())
}
