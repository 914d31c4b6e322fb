package program

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// readmeResponses runs the shell blocks of the README against a new server, and returns the JSON that they print.
func readmeResponses(t *testing.T) (shown []map[string]any) {
	t.Helper()
	text, err := os.ReadFile("../../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := ""
	for _, after := range strings.Split(string(text), "```sh\n")[1:] {
		block, _, _ := strings.Cut(after, "```")
		blocks += block
	}
	folder := t.TempDir()
	m := newCommandEnv(t).with("CARTWRIGHT_DATA", filepath.Join(folder, "data"))
	s := m.serve(t)
	script := strings.Replace(blocks, "http://127.0.0.1:8080", s.url, 1)
	if script == blocks {
		t.Fatal("no block names the default address")
	}
	keys, err := readCredentials(m.credentials())
	if err != nil {
		t.Fatal(err)
	}
	waitUntil(t, func() bool { // a busy machine takes longer than a reader until the goods are found
		_, found := requestJSON(t, "GET", s.url+"/api/commerce/products/search?q=celadon", "", "X-Client-Key: "+keys.TestClientKey)
		n, _ := found["totalDocs"].(float64)
		return n > 0
	})
	bash := exec.CommandContext(t.Context(), "bash", "-euo", "pipefail", "-c", script)
	bash.Dir = folder
	var stderr strings.Builder
	bash.Stderr = &stderr
	out, err := bash.Output()
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, stderr.String(), out)
	}
	answers := json.NewDecoder(strings.NewReader(string(out)))
	for answers.More() {
		var one map[string]any
		if err := answers.Decode(&one); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		if one["errors"] != nil {
			t.Fatalf("refused: %v", one)
		}
		shown = append(shown, one)
	}
	return shown
}

// The shell blocks of the README work as written: run in order against a new server, they lead to a paid order, its
// cancellation, a return, a draft order, a webhook endpoint, events, figures, a role, an export
// and an import.
func TestReadmeCommandsLeadToPaidOrder(t *testing.T) {
	t.Parallel()
	shown := readmeResponses(t)
	if len(shown) != 30 {
		t.Fatalf("the blocks print %d responses, want 30", len(shown))
	}
	if order := shown[4]; order["status"] != "paid" || order["totalAmount"] != 91_000.0 || order["email"] != "jiwoo@example.com" {
		t.Errorf("the order is %v", order)
	}
	if images := shown[7]["doc"].(map[string]any)["images"].([]any); images[0].(map[string]any)["alt"] != "A celadon cup" {
		t.Errorf("the product shows %v", images)
	}
	if found := shown[9]["docs"].([]any); len(found) == 0 || found[0].(map[string]any)["handle"] != "celadon-cup" {
		t.Errorf("the search finds %v", shown[9])
	}
	if shown[10]["allAvailable"] != true || shown[11]["discountAmount"] != 5600.0 || shown[12]["shippingAmount"] != 6000.0 {
		t.Errorf("the quotes are %v", shown[10:13])
	}
	if codes := shown[13]["explanation"].(map[string]any)["discountCodes"].([]any); codes[1].(map[string]any)["reason"] != "discount_not_found" {
		t.Errorf("the explained codes are %v", codes)
	}
	if order := shown[15]["order"].(map[string]any); order["status"] != "canceled" || order["paymentStatus"] != "refunded" {
		t.Errorf("the canceled order is %v", order)
	}
	if order := shown[17]["order"].(map[string]any); order["status"] != "delivered" || order["totalAmount"] != 91_000.0 {
		t.Errorf("the delivered order is %v", order)
	}
	if back := shown[18]["returnRequest"].(map[string]any); back["status"] != "refunded" ||
		back["refundAmount"].(float64) != back["lineRefundTotal"].(float64)-3000 {
		t.Errorf("the return is %v", back)
	}
	if total := shown[19]["total"]; total != 31_000.0 {
		t.Errorf("the total of the draft is %v", total)
	}
	if order := shown[20]["order"].(map[string]any); order["status"] != "paid" || order["source"] != "manual" ||
		order["totalAmount"] != 31_000.0 {
		t.Errorf("the order of the draft is %v", order)
	}
	if test := shown[21]["delivery"].(map[string]any); test["test"] != true {
		t.Errorf("the test delivery is %v", test)
	}
	if log := shown[22]["docs"].([]any); len(log) != 2 || log[0].(map[string]any)["collection"] != "orders" ||
		shown[22]["hasMore"] != true {
		t.Errorf("the page of events is %v", shown[22])
	}
	// The orders above, and those that the demo shop has.
	if sold := shown[24]["totals"].([]any)[0].(map[string]any); sold["currency"] != "KRW" || sold["orders"] != 3.0+29 || sold["ordersCanceled"] != 1.0+1 {
		t.Errorf("what was sold is %v", shown[24])
	}
	if role := shown[25]["doc"].(map[string]any); role["slug"] != "night-shift" {
		t.Errorf("the role is %v", role)
	}
	if export := shown[26]["export"].(map[string]any); export["status"] != "queued" || export["kind"] != "orders" || shown[27]["totalDocs"] != 1.0 {
		t.Errorf("the export is %v, the list %v", export, shown[27])
	}
	if begun := shown[28]["import"].(map[string]any); begun["status"] != "queued" || begun["total"] != 1.0 || shown[29]["totalDocs"] != 1.0 {
		t.Errorf("the import is %v, the list %v", begun, shown[29])
	}
}
