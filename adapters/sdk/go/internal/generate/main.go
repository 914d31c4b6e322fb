// Command generate writes the types of the Go SDK from the OpenAPI document of the server, so that neither
// can say what the other does not. It reads the document from standard input; -check compares instead of
// writing.
//
//	go run ./cmd/cartwright openapi | go run ./adapters/sdk/go/internal/generate -o adapters/sdk/go/types_gen.go
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
)

func main() {
	out := flag.String("o", "types_gen.go", "the file to write")
	check := flag.Bool("check", false, "write nothing; fail if the file is not what would be written")
	flag.Parse()
	if err := run(os.Stdin, *out, *check); err != nil {
		fmt.Fprintln(os.Stderr, "generate:", err)
		os.Exit(1)
	}
}

func run(in io.Reader, path string, check bool) error {
	var doc document
	if err := json.NewDecoder(in).Decode(&doc); err != nil {
		return fmt.Errorf("read the document: %w", err)
	}
	text, err := source(&doc)
	if err != nil {
		return err
	}
	if !check {
		return os.WriteFile(path, text, 0o644) //nolint:gosec // source text
	}
	was, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	if !bytes.Equal(was, text) {
		return errors.New(path + " is not what the OpenAPI document says: generate it anew")
	}
	return nil
}
