//go:build !linux

package program

import "errors"

// diskSpace is known for Linux only.
func diskSpace(string) (free, all uint64, err error) { return 0, 0, errors.ErrUnsupported }

// openFiles is known for Linux only.
func openFiles() (uint64, error) { return 0, errors.ErrUnsupported }
