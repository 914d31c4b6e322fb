//go:build !unix

package program

import "os"

// lockFile does nothing here: the standard library has no lock of files for this system.
func lockFile(*os.File) error { return nil }
