package toss_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/payment"
	"github.com/cartwright-dev/cartwright/adapters/payment/toss"
	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/domain/money"
	domain "github.com/cartwright-dev/cartwright/domain/payment"
)

// The action of a widget session is what Toss' own browser SDK takes, by its types. Rule payments-50.
func TestActionFitsTheBrowserSDKOfToss(t *testing.T) {
	t.Parallel()
	r := request("Payment12345")
	r.TaxFree = money.Of(4000, "KRW")
	r.SuccessURL, r.FailURL = "https://shop.example/ok", "https://shop.example/no"
	act, err := toss.New("", payment.NewClient(payment.Limits{}, nil)).Action(connection(), r, domain.Prepared{})
	if err != nil {
		t.Fatal(err)
	}
	action, err := json.Marshal(act)
	if err != nil {
		t.Fatal(err)
	}
	const folder = "../testdata/sdks"
	testservers.NoteInputs(t, folder+"/toss.ts", folder+"/tsconfig.json", folder+"/package.json", folder+"/node_modules/.lock")
	at, err := filepath.Abs(folder)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"action.ts": "export const action = " + string(action) + " as const;\n",
		"tsconfig.json": `{"extends":"` + at + `/tsconfig.json","files":["` + at + `/toss.ts"],"compilerOptions":{"paths":{"action":["` +
			dir + `/action.ts"]}}}`,
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	tsc := exec.CommandContext(t.Context(), "node", at+"/node_modules/typescript/bin/tsc", "-p", dir)
	if out, err := tsc.CombinedOutput(); err != nil {
		t.Errorf("%v: are the SDKs installed (make clients)?\n%s", err, out)
	}
}
