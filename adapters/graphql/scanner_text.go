package graphql

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/cartwright-dev/cartwright/domain/collection"
)

// number reads -?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][+-]?[0-9]+)?, which no letter may follow.
func (s *scanner) number() error {
	rest := s.text[s.at:]
	n := 0
	take := func(set string) bool {
		if n < len(rest) && strings.IndexByte(set, rest[n]) >= 0 {
			n++
			return true
		}
		return false
	}
	digits := func() bool {
		from := n
		for n < len(rest) && digit(rest[n]) {
			n++
		}
		return n > from
	}
	take("-")
	ok := take("0") || digits()
	if ok && take(".") {
		ok = digits()
	}
	if ok && take("eE") {
		take("+-")
		ok = digits()
	}
	if !ok || n < len(rest) && (nameStart(rest[n]) || digit(rest[n]) || rest[n] == '.') {
		return s.syntaxFault("This is not a number.")
	}
	s.emit(n)
	return nil
}

// quoted reads a string or block string, and writes it as a string.
func (s *scanner) quoted() error {
	var value, problem string
	var length int
	if strings.HasPrefix(s.text[s.at:], `"""`) {
		value, length, problem = blockText(s.text[s.at:])
	} else {
		value, length, problem = quotedText(s.text[s.at:])
	}
	if problem != "" {
		return s.syntaxFault("%s", problem)
	}
	s.write(string(collection.AppendString(nil, value)))
	taken := s.text[s.at : s.at+length]
	s.at += length
	for i := range len(taken) {
		if taken[i] == '\n' || taken[i] == '\r' && !strings.HasPrefix(taken[i:], "\r\n") {
			s.newLine(s.at - len(taken) + i + 1)
		}
	}
	return nil
}

// quotedText reads a string: its value, and its length in bytes with quotes.
func quotedText(in string) (value string, length int, problem string) {
	var b strings.Builder
	for i := 1; i < len(in); {
		switch c := in[i]; {
		case c == '"':
			return b.String(), i + 1, ""
		case c == '\n' || c == '\r':
			return "", 0, "A string must end with a quote on the same line."
		case c == '\\':
			text, n := escaped(in[i:])
			if n == 0 {
				return "", 0, "A string has an invalid escape."
			}
			b.WriteString(text)
			i += n
		case c == 0 || c < ' ' && c != '\t':
			return "", 0, "A string has a control character."
		default:
			b.WriteByte(c)
			i++
		}
	}
	return "", 0, "A string must end with a quote."
}

var escapes = map[byte]string{'"': `"`, '\\': `\`, '/': "/", 'b': "\b", 'f': "\f", 'n': "\n", 'r': "\r", 't': "\t"}

// escaped reads an escape; its length is 0 when it is invalid.
func escaped(in string) (text string, length int) {
	if len(in) < 2 {
		return "", 0
	}
	if in[1] != 'u' {
		text, ok := escapes[in[1]]
		if !ok {
			return "", 0
		}
		return text, 2
	}
	if strings.HasPrefix(in[2:], "{") {
		end := strings.IndexByte(in[:min(len(in), 12)], '}')
		if end < 0 {
			return "", 0
		}
		return character(in[3:end], end+1)
	}
	high, n := hexadecimal(in)
	if n == 0 || !utf16.IsSurrogate(high) {
		return string(high), zeroIfNUL(high, n)
	}
	low, m := hexadecimal(in[n:])
	if r := utf16.DecodeRune(high, low); m > 0 && r != utf8.RuneError {
		return string(r), n + m
	}
	return "", 0
}

// zeroIfNUL is n, or 0 for the NUL character, which databases cannot store.
func zeroIfNUL(r rune, n int) int {
	if r == 0 {
		return 0
	}
	return n
}

// hexadecimal reads the four digits of \uXXXX.
func hexadecimal(in string) (rune, int) {
	if len(in) < 6 || in[0] != '\\' || in[1] != 'u' {
		return 0, 0
	}
	v, err := strconv.ParseUint(in[2:6], 16, 16)
	if err != nil {
		return 0, 0
	}
	return rune(v), 6
}

// character is the character with this hexadecimal code point, as in \u{1F600}.
func character(hex string, length int) (string, int) {
	v, err := strconv.ParseUint(hex, 16, 32)
	if err != nil || v > utf8.MaxRune || !utf8.ValidRune(rune(v)) {
		return "", 0
	}
	return string(rune(v)), zeroIfNUL(rune(v), length)
}

// blockText reads a block string.
func blockText(in string) (value string, length int, problem string) {
	const fence = `"""`
	var b strings.Builder
	for i := len(fence); i < len(in); {
		switch {
		case strings.HasPrefix(in[i:], fence):
			return dedent(b.String()), i + len(fence), ""
		case strings.HasPrefix(in[i:], `\`+fence):
			b.WriteString(fence)
			i += len(fence) + 1
		case in[i] < ' ' && in[i] != '\t' && in[i] != '\n' && in[i] != '\r':
			return "", 0, "A string has a control character."
		default:
			b.WriteByte(in[i])
			i++
		}
	}
	return "", 0, "A block string must end with three quotes."
}

// dedent removes common indentation and leading and trailing blank lines of a block string.
func dedent(text string) string {
	lines := strings.Split(strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n"), "\n")
	indent := -1
	for i, line := range lines {
		n := len(line) - len(strings.TrimLeft(line, " \t"))
		if i > 0 && n < len(line) && (indent < 0 || n < indent) {
			indent = n
		}
	}
	for i := range lines {
		if i > 0 && indent > 0 {
			lines[i] = lines[i][min(indent, len(lines[i])):]
		}
	}
	for len(lines) > 0 && strings.Trim(lines[0], " \t") == "" {
		lines = lines[1:]
	}
	for len(lines) > 0 && strings.Trim(lines[len(lines)-1], " \t") == "" {
		lines = lines[:len(lines)-1]
	}
	return strings.Join(lines, "\n")
}
