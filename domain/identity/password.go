package identity

import (
	"strings"
	"unicode/utf8"

	"github.com/cartwright-dev/cartwright/domain/fault"
)

// The length of a password in characters. A tenant may require more than MinPassword, up to MaxMinPassword.
const (
	MinPassword    = 8
	MaxMinPassword = 64
	MaxPassword    = 256
)

// minAddressPart is how many characters the part of an address before the @ has at least that no password may contain:
// shorter ones are part of too many words.
const minAddressPart = 4

// PasswordPolicy is what a new password has to be: long enough, and not what a guesser tries first. There are no rules on
// the kinds of characters, and passwords do not age: both make people choose worse ones (NIST SP 800-63B). Rule
// access-43.
type PasswordPolicy struct {
	MinLength int64  // characters that the tenant requires; fewer than MinPassword, 0 among them, are MinPassword
	Email     string // of the person; "": unknown
}

// Check validates a new password. Errors: fault.ErrValidation.
func (p PasswordPolicy) Check(password string) error {
	least := max(p.MinLength, MinPassword)
	lower := strings.ToLower(password)
	switch n := int64(utf8.RuneCountInString(password)); {
	case n == 0:
		return fault.Invalidf("password", "This field is required.")
	case n < least:
		return fault.Invalidf("password", "A password has at least %d characters.", least)
	case n > MaxPassword:
		return fault.Invalidf("password", "A password has at most %d characters.", MaxPassword)
	case commonPasswords[lower]:
		return fault.Invalidf("password", "This password is among those that are guessed first. Choose another one.")
	case containsAddress(lower, strings.ToLower(p.Email)):
		return fault.Invalidf("password", "A password must not contain the email address.")
	}
	return nil
}

// containsAddress reports whether a password contains an address, or what stands before its @.
func containsAddress(password, email string) bool {
	person, _, _ := strings.Cut(email, "@")
	return email != "" && strings.Contains(password, email) ||
		utf8.RuneCountInString(person) >= minAddressPart && strings.Contains(password, person)
}

// CheckPasswordGiven requires a password of somebody who creates an account, and a text of everybody who sends one.
// Errors: fault.ErrValidation.
func CheckPasswordGiven(password string, given, create bool) error {
	if given && password == "" || create && !given {
		return fault.Invalidf("password", "This field is required.")
	}
	return nil
}
