// Command cartwright is the server and its tools in one binary. All of it is in the package program, so that a
// main of another module can be the same program with a payment provider of its own.
package main

import (
	"os"

	"github.com/cartwright-dev/cartwright/cmd/cartwright/program"
)

func main() { os.Exit(program.Main()) }
