package program

import (
	"io/fs"

	"github.com/cartwright-dev/cartwright/adapters/console"
	"github.com/cartwright-dev/cartwright/adapters/rest"
)

// operatorsConsole is the console that is part of the binary.
func operatorsConsole() rest.Console {
	files, err := fs.Sub(console.Files, "dist")
	if err != nil {
		panic(err) // the name is no path: a defect of this function
	}
	return rest.Console{Files: files}
}
