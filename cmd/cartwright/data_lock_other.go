//go:build !unix

package main

import "os"

// lockFile does nothing here: the standard library has no lock of files for this system.
func lockFile(*os.File) error { return nil }
