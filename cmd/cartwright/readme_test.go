package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The README's shell block works as it stands: pasted beside a fresh server it ends with a paid order.
func TestTheReadmeLeadsToAPaidOrder(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, block, _ := strings.Cut(string(text), "```sh\n")
	block, _, found := strings.Cut(block, "\n```")
	if !found {
		t.Fatal("the README has no shell block")
	}
	folder := t.TempDir()
	m := newMachine(t).with("CARTWRIGHT_DATA", filepath.Join(folder, "data"))
	s := m.serve(t)
	script := strings.Replace(block, "http://127.0.0.1:8080", s.url, 1)
	if script == block {
		t.Fatal("the block does not name the default address")
	}
	bash := exec.CommandContext(t.Context(), "bash", "-euo", "pipefail", "-c", script)
	bash.Dir = folder
	var complaints strings.Builder
	bash.Stderr = &complaints
	out, err := bash.Output()
	if err != nil {
		t.Fatalf("%v\n%s\n%s", err, complaints.String(), out)
	}
	answers := json.NewDecoder(strings.NewReader(string(out)))
	var last map[string]any
	count := 0
	for answers.More() {
		last = nil
		if err := answers.Decode(&last); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		if last["errors"] != nil {
			t.Fatalf("refused: %v", last)
		}
		count++
	}
	if count != 5 {
		t.Errorf("the block shows %d answers, want 5", count)
	}
	if last["status"] != "paid" || last["totalAmount"] != 91_000.0 || last["email"] != "jiwoo@example.com" {
		t.Errorf("the order is %v", last)
	}
}
