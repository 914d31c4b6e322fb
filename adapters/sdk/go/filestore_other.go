//go:build !unix

package cartwright

import "os"

// lockFile does nothing here: the standard library has no lock for this system. Keep to one process for a folder.
func lockFile(*os.File) error { return nil }

// syncFolder does nothing here: folders cannot be synced.
func syncFolder(*os.File) error { return nil }
