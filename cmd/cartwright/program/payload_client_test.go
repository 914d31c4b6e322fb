package program

import (
	"context"
	"os"
	"os/exec"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers"
)

// The official Payload client works with the server unmodified. Rule api-18.
func TestPayloadClientWorksUnmodified(t *testing.T) {
	t.Parallel()
	const folder = "testdata/payload"
	testservers.NoteInputs(t, folder+"/test.mjs", folder+"/package.json", folder+"/node_modules/.lock")
	if _, err := os.Stat(folder + "/node_modules/@payloadcms/sdk"); err != nil {
		t.Fatal("the Payload client is not installed: make clients")
	}
	for database, env := range demoVariables {
		t.Run(database, func(t *testing.T) {
			t.Parallel()
			s := startProcess(t, append(env(t), "CARTWRIGHT_LOG_LEVEL=warn")...)
			ctx, cancel := context.WithTimeout(t.Context(), patience)
			defer cancel()
			shop, err := s.createShop(ctx, "Mine")
			if err != nil {
				t.Fatal(err)
			}
			other, err := s.createShop(ctx, "Theirs")
			if err != nil {
				t.Fatal(err)
			}
			node := exec.CommandContext(ctx, "node", "--test-reporter=spec", "test.mjs")
			node.Dir = folder
			node.Env = append(os.Environ(), "SHOP="+string(shop), "OTHER_SHOP="+string(other))
			if out, err := node.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}
