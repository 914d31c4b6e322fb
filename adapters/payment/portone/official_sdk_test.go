package portone_test

import (
	"encoding/json"
	"net/http/httptest"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/payment/portone/portonefake"
	"github.com/cartwright-dev/cartwright/adapters/testservers"
)

// PortOne's own SDK for servers works with the fake, unmodified: what it believes of PortOne, the fake does. Rule
// payments-50.
func TestOfficialServerSDKOfPortOne(t *testing.T) {
	t.Parallel()
	const folder = "../testdata/sdks"
	testservers.NoteInputs(t, folder+"/portone.mjs", folder+"/package.json", folder+"/node_modules/.lock")
	d := open(t)
	d.paid(t, "Payment1")
	server := httptest.NewServer(d.fake)
	t.Cleanup(server.Close)
	body := `{"type":"Transaction.Paid","timestamp":"2026-01-31T09:00:00Z","data":{"storeId":"` + portonefake.Store +
		`","paymentId":"Payment1","transactionId":"tx"}}`
	webhook := signed("msg_1", time.Now(), body, secrets[0]) // the SDK has the machine's clock
	headers := map[string]string{}
	for name, values := range webhook.Header {
		headers[name] = values[0]
	}
	fixture, err := json.Marshal(map[string]any{
		"baseUrl": server.URL, "secret": portonefake.Secret, "storeId": portonefake.Store, "paymentId": "Payment1",
		"webhook": map[string]any{"secret": secrets[0], "body": body, "headers": headers},
	})
	if err != nil {
		t.Fatal(err)
	}
	node := exec.CommandContext(t.Context(), "node", "portone.mjs")
	node.Dir = folder
	node.Env = append(os.Environ(), "FIXTURE="+string(fixture))
	if out, err := node.CombinedOutput(); err != nil {
		t.Errorf("%v: is the SDK installed (make clients)?\n%s", err, out)
	}
}
