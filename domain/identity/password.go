package identity

import (
	"unicode/utf8"

	"github.com/cartwright-dev/cartwright/domain/fault"
)

// The length of a password in characters.
const (
	MinPassword = 8
	MaxPassword = 256
)

// CheckPassword validates a password as a client sends it. An update may leave it out (given false), a new
// account may not. Errors: fault.ErrValidation.
func CheckPassword(password string, given, create bool) error {
	switch n := utf8.RuneCountInString(password); {
	case !given && !create:
		return nil
	case n == 0:
		return fault.Invalidf("password", "This field is required.")
	case n < MinPassword:
		return fault.Invalidf("password", "A password has at least %d characters.", MinPassword)
	case n > MaxPassword:
		return fault.Invalidf("password", "A password has at most %d characters.", MaxPassword)
	}
	return nil
}
