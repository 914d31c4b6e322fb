// Command shop is the server of Cartwright with one payment provider more.
package main

import (
	"os"

	"example.com/examplepay"

	"github.com/cartwright-dev/cartwright/adapters/payment"
	"github.com/cartwright-dev/cartwright/cmd/cartwright/program"
	"github.com/cartwright-dev/cartwright/ports"
)

func main() { os.Exit(serve()) }

// serve runs the command line of Cartwright. EXAMPLEPAY_URL is for tests: it is empty in production.
func serve() int {
	return program.Main(func(client *payment.Client) ports.Provider {
		return examplepay.New(os.Getenv("EXAMPLEPAY_URL"), client)
	})
}
