package program

import (
	"encoding/csv"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/carrier"
)

func TestCarrierFileCommands(t *testing.T) {
	t.Parallel()
	m := emptyShop(t, "KRW")
	out := filepath.Join(t.TempDir(), "carrier.csv")
	m.must(t, "fulfillments", "export", "--environment", "test", "--carrier", "CJ대한통운", "--output", out)
	file, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	header, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(string(file), "\uFEFF"))).Read()
	if err != nil || len(header) != len(carrier.Columns) || !slices.Contains(header, string(carrier.TrackingNumber)) {
		t.Fatalf("%q %v", file, err)
	}
	if text, err := m.command(t, "fulfillments", "export", "--environment", "test", "--tenant", "nobody", "--output", out); err == nil {
		t.Error(text)
	}
	wantSummary(t, m.must(t, "fulfillments", "import", out), "0 applied, 0 unchanged, 0 rejected")
	if text := m.must(t, "fulfillments", "export", "--format", "xlsx"); !strings.HasPrefix(text, "PK") {
		t.Errorf("%.20q", text)
	}
	numbers := filepath.Join(t.TempDir(), "numbers.csv")
	if err := os.WriteFile(numbers, []byte("주문번호,택배사,운송장번호\nA-1,cj,123456789012\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	wantSummary(t, m.must(t, "fulfillments", "import", numbers), "0 applied, 0 unchanged, 1 rejected\n  row 2: There is no order A-1.")
	for name, args := range map[string][]string{
		"a strict import": {"import", "--strict", numbers}, "no file": {"import", "nowhere.csv"},
		"a file of something else": {"import", shopFile}, "an unknown format": {"export", "--format", "pdf"},
		"an unknown environment": {"export", "--environment", "staging"},
	} {
		if text, err := m.command(t, append([]string{"fulfillments"}, args...)...); err == nil {
			t.Errorf("%s: %s", name, text)
		}
	}
}

func TestCarrierBatchCommands(t *testing.T) {
	t.Parallel()
	m := emptyShop(t, "KRW")
	for name, args := range map[string][]string{
		"nothing to export": {"batch"}, "an unknown carrier": {"batch", "--carrier", "pigeon"}, "no batch": {"batch-file"},
		"an unknown batch": {"batch-file", exampleBatch}, "a format": {"batch-file", exampleBatch, "--format", "pdf"},
		"nothing to release": {"batch-release", exampleBatch},
	} {
		if text, err := m.command(t, append([]string{"fulfillments"}, args...)...); err == nil {
			t.Errorf("%s: %s", name, text)
		}
	}
}

func TestFailedExportKeepsExistingFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	name, linked := filepath.Join(dir, "carrier.csv"), filepath.Join(dir, "latest.csv")
	if err := errors.Join(os.WriteFile(name, []byte("yesterday"), 0o640), os.Symlink(name, linked)); err != nil {
		t.Fatal(err)
	}
	broken := errors.New("the disk is full")
	if err := replaceOutputFile(linked, func(f io.Writer) error {
		_, err := io.WriteString(f, "half")
		return errors.Join(err, broken)
	}); !errors.Is(err, broken) {
		t.Error(err)
	}
	if got, err := os.ReadFile(name); string(got) != "yesterday" {
		t.Errorf("%q %v", got, err)
	}
	if err := replaceOutputFile(linked, func(f io.Writer) error { _, err := io.WriteString(f, "today"); return err }); err != nil {
		t.Error(err)
	}
	info, err := os.Stat(name)
	if got, _ := os.ReadFile(name); err != nil || string(got) != "today" || info.Mode().Perm() != 0o640 {
		t.Errorf("%q %v %v", got, info, err)
	}
	if files, err := os.ReadDir(dir); err != nil || len(files) != 2 {
		t.Error(files, err)
	}
	if err := replaceOutputFile(os.DevNull, func(f io.Writer) error { _, err := io.WriteString(f, "gone"); return err }); err != nil {
		t.Error(err)
	}
}
