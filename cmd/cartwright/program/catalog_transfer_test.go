package program

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// shopFile is an invented export of another shop system, with the difficulties of real ones.
const shopFile = "../../../adapters/shopify/testdata/shop.csv"

// emptyShop is a new environment with one tenant, whose prices are in currency.
func emptyShop(t *testing.T, currency string) commandEnv {
	t.Helper()
	m := newCommandEnv(t)
	m.must(t, "migrate")
	m.must(t, "tenant", "create", "--name", "Import", "--currency", currency)
	return m
}

func wantSummary(t *testing.T, out, want string) {
	t.Helper()
	if !strings.Contains(out, want) {
		t.Fatalf("the summary is\n%swant %s", out, want)
	}
}

func TestRepeatedImportChangesNothing(t *testing.T) {
	t.Parallel()
	m := emptyShop(t, "USD")
	wantSummary(t, m.must(t, "import", "--format", "shopify", shopFile), "3 created, 0 updated, 0 unchanged, 0 rejected")
	wantSummary(t, m.must(t, "import", "--format", "shopify", shopFile), "0 created, 0 updated, 3 unchanged, 0 rejected")
}

func TestImportOfOwnExportChangesNothing(t *testing.T) {
	t.Parallel()
	m := newCommandEnv(t)
	m.must(t, "demo")
	out := filepath.Join(t.TempDir(), "demo.csv")
	m.must(t, "export", "--format", "shopify", "--output", out)
	wantSummary(t, m.must(t, "import", "--format", "shopify", out), "0 created, 0 updated, 50 unchanged, 0 rejected")

	other := emptyShop(t, "USD")
	other.must(t, "import", shopFile)
	first := other.must(t, "export")
	if err := os.WriteFile(out, []byte(first), 0o600); err != nil {
		t.Fatal(err)
	}
	wantSummary(t, other.must(t, "import", out), "0 created, 0 updated, 3 unchanged, 0 rejected")
	if again := other.must(t, "export"); again != first {
		t.Errorf("two exports differ:\n%s\n%s", first, again)
	}
	third := emptyShop(t, "USD")
	wantSummary(t, third.must(t, "import", out), "3 created, 0 updated, 0 unchanged, 0 rejected")
	if moved := third.must(t, "export"); moved != first {
		t.Errorf("a shop moved by export and import differs:\n%s\n%s", first, moved)
	}
}

func TestImportUpdatesOnlyDifferences(t *testing.T) {
	t.Parallel()
	m := emptyShop(t, "USD")
	m.must(t, "import", shopFile)
	text, err := os.ReadFile(shopFile)
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string][2]string{
		"a price": {"66.00", "67.00"},
		"a stock": {"shopify,12,deny", "shopify,11,deny"},
		"a new variant": {
			"letter-course,", "field-shirt,,,,,,,,L,,Moss,,,FS-L-MOSS,,shopify,5,deny,manual,70,,true,true,,,,,,,,,,,\r\nletter-course,",
		},
		"a tag":              {",linen,", ",\"linen, summer\","},
		"a description":      {"Washed, soft", "Washed, softer"},
		"a tax-free product": {"18.50,24,true,true", "18.50,24,true,false"},
		"a foreign field":    {"A mug like a river", "A mug like the sea"},
		"a cost":             {"shirt-sand.jpg,,,21", "shirt-sand.jpg,,,22"},
		"an image":           {"mug-2.jpg", "mug-3.jpg"},
	} {
		changed := strings.Replace(string(text), change[0], change[1], 1)
		file := filepath.Join(t.TempDir(), "shop.csv")
		if err := os.WriteFile(file, []byte(changed), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"0 created, 1 updated, 2 unchanged", "0 created, 0 updated, 3 unchanged"} {
			if out := m.must(t, "import", "--stock", "count", file); !strings.Contains(out, want) {
				t.Errorf("%s: the summary is %swant %s", name, out, want)
			}
		}
		m.must(t, "import", "--stock", "count", shopFile) // restore what an import can restore
	}
}

func TestImportRejectsRowsWithUnrepresentableAmounts(t *testing.T) {
	t.Parallel()
	m := emptyShop(t, "KRW")
	out := m.must(t, "import", shopFile)
	wantSummary(t, out, "2 created, 0 updated, 0 unchanged, 1 rejected")
	wantSummary(t, out, "row 2 (river-mug): The price 18.50 has more fraction digits than KRW allows (0).")
	if _, err := m.command(t, "import", "--strict", shopFile); err == nil {
		t.Error("a strict import with rejected rows succeeds")
	}
	if _, err := m.command(t, "import", "--currency", "USD", shopFile); err == nil || !strings.Contains(err.Error(), "set the rate") {
		t.Errorf("a currency without a rate: %v", err)
	}
	wantSummary(t, m.must(t, "import", "--currency", "USD", "--rate", "1380.5", "--round", "100", shopFile),
		"1 created, 2 updated, 0 unchanged, 0 rejected")
	wantSummary(t, m.must(t, "export"), ",25500,33100,") // 18.50 and 24 dollars
}

func TestImportRejectsForeignFiles(t *testing.T) {
	t.Parallel()
	m := emptyShop(t, "USD")
	for name, args := range map[string][]string{
		"no such file":    {"import", "missing.csv"},
		"another table":   {"import", "catalog_transfer_test.go"},
		"another format":  {"import", "--format", "woocommerce", shopFile},
		"another tenant":  {"import", "--tenant", "nobody", shopFile},
		"a rate in words": {"import", "--currency", "EUR", "--rate", "many", shopFile},
	} {
		if out, err := m.command(t, args...); err == nil {
			t.Errorf("%s was accepted: %s", name, out)
		}
	}
}

func TestImportLeavesStockAloneUnlessItSaysOtherwise(t *testing.T) {
	t.Parallel()
	m := emptyShop(t, "USD")
	m.must(t, "import", shopFile)
	text, err := os.ReadFile(shopFile)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "shop.csv")
	if err := os.WriteFile(file, []byte(strings.Replace(string(text), "shopify,12,deny", "shopify,5,deny", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ args, summary, stock string }{
		{"", "0 updated, 3 unchanged", ",12,deny"},
		{"", "1 variants kept a stock that differs from the file: see --stock", ",12,deny"},
		{"count", "1 updated, 2 unchanged", ",5,deny"},
		{"count", "0 updated, 3 unchanged", ",5,deny"},
		{"delta", "updated", ",10,deny"},
		{"delta", "updated", ",15,deny"},
	} {
		args := []string{"import", file}
		if c.args != "" {
			args = append(args, "--stock", c.args)
		}
		if out := m.must(t, args...); !strings.Contains(out, c.summary) {
			t.Errorf("%v: the summary is %swant %s", args, out, c.summary)
		}
		if out := m.must(t, "export"); !strings.Contains(out, c.stock) {
			t.Errorf("%v: the shop has\n%swant %s", args, out, c.stock)
		}
	}
	if _, err := m.command(t, "import", "--stock", "guess", file); err == nil {
		t.Error("an unknown meaning was accepted")
	}
}
