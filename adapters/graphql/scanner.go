package graphql

import (
	"bytes"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/cartwright-dev/cartwright/app/gqlrequest"
)

// Bounds of a document that are checked before it is parsed.
const (
	maxTokens  = 15_000
	maxNesting = 64  // nested brackets of any kind
	maxName    = 128 // bytes
)

// nullVariable stands for the literal null, which the parser does not support. It cannot clash with a
// variable of the document: names with the reserved prefix are refused.
const nullVariable = "__null"

// position is a place in a document as editors show it: line and character, from 1.
type position struct{ line, column int }

// canonicalText is a document in canonical form: one token a line, no comments, one style of quotes. The
// parser reads it instead of the original, because the parser's own scanner reports wrong positions after
// comments and non-ASCII text, does not read null, and takes quadratic time to describe an error in a long
// line.
type canonicalText struct {
	source    []byte
	starts    []int // of each token in source
	positions []position
	tokens    int
}

// positionAt is the position in the original of the byte at offset of the canonical form.
func (s *canonicalText) positionAt(offset int) position {
	i := sort.SearchInts(s.starts, offset+1) - 1
	if i < 0 {
		return position{1, 1}
	}
	return s.positions[i]
}

// scanner reads one document.
type scanner struct {
	canonicalText

	text      string
	at        int
	line      int
	lineStart int // offset up to which col has counted
	col       int // characters before lineStart on its line
	last      string
	open      [maxNesting + 1]byte // open brackets, by depth
	depth     int
}

// scan splits a document into tokens. Errors: ErrSyntax, ErrDocument.
func scan(text string) (*canonicalText, error) {
	s := &scanner{text: text, line: 1, canonicalText: canonicalText{source: make([]byte, 0, len(text)+len(text)/4)}}
	for {
		s.skipIgnored()
		if s.at == len(s.text) {
			return s.canonical(), nil
		}
		if s.tokens++; s.tokens > maxTokens {
			return nil, s.limitFault("The document has more than %d tokens.", maxTokens)
		}
		s.starts = append(s.starts, len(s.source))
		s.positions = append(s.positions, s.here())
		if err := s.token(); err != nil {
			return nil, err
		}
	}
}

// canonical is the result without the scanner and without room to grow: it is cached, and comments, which may be a megabyte,
// must not be.
func (s *scanner) canonical() *canonicalText {
	return &canonicalText{bytes.Clone(s.source), slices.Clone(s.starts), slices.Clone(s.positions), s.tokens}
}

// here is the position of the scanner.
func (s *scanner) here() position {
	s.col += utf8.RuneCountInString(s.text[s.lineStart:s.at])
	s.lineStart = s.at
	return position{s.line, s.col + 1}
}

// newLine starts a new line at offset.
func (s *scanner) newLine(offset int) { s.line, s.lineStart, s.col = s.line+1, offset, 0 }

func (s *scanner) syntaxFault(format string, args ...any) error {
	return locatedFault{gqlrequest.ErrSyntax.WithMessage(format, args...), s.here()}
}

// limitFault is a limit that the document exceeds at the scanner's position.
func (s *scanner) limitFault(format string, args ...any) error {
	return locatedFault{gqlrequest.ErrTooComplex.WithMessage(format, args...), s.here()}
}

// skipIgnored skips white space, commas and comments, and counts lines.
func (s *scanner) skipIgnored() {
	for s.at < len(s.text) {
		switch c := s.text[s.at]; {
		case c == '\n' || c == '\r' && !strings.HasPrefix(s.text[s.at:], "\r\n"):
			s.at++
			s.newLine(s.at)
		case c == ' ' || c == '\t' || c == ',' || c == '\r':
			s.at++
		case strings.HasPrefix(s.text[s.at:], "\ufeff"):
			s.at += len("\ufeff")
		case c == '#':
			end := strings.IndexAny(s.text[s.at:], "\r\n")
			if end < 0 {
				end = len(s.text) - s.at
			}
			s.at += end
		default:
			return
		}
	}
}

func (s *scanner) token() error {
	switch c := s.text[s.at]; {
	case nameStart(c):
		return s.name()
	case c == '-' || digit(c):
		return s.number()
	case c == '"':
		return s.quoted()
	case strings.HasPrefix(s.text[s.at:], "..."):
		s.emit(3)
	case c == '{' || c == '[' || c == '(':
		if s.depth++; s.depth > maxNesting {
			return s.limitFault("The document nests deeper than %d brackets.", maxNesting)
		}
		s.open[s.depth] = c
		s.emit(1)
	case c == '}' || c == ']' || c == ')':
		s.depth = max(0, s.depth-1)
		s.emit(1)
	case strings.IndexByte("!$&:=@|", c) >= 0:
		s.emit(1)
	default:
		r, _ := utf8.DecodeRuneInString(s.text[s.at:])
		return s.syntaxFault("The character %q is not expected here.", r)
	}
	return nil
}

// emit copies the next n bytes.
func (s *scanner) emit(n int) { s.write(s.text[s.at : s.at+n]); s.at += n }

func (s *scanner) write(token string) {
	s.source = append(append(s.source, token...), '\n')
	s.last = token
}

func (s *scanner) name() error {
	end := s.at + 1
	for end < len(s.text) && (nameStart(s.text[end]) || digit(s.text[end])) {
		end++
	}
	name := s.text[s.at:end]
	switch {
	case len(name) > maxName:
		return s.limitFault("A name in the document is longer than %d characters.", maxName)
	case s.last == "$" && strings.HasPrefix(name, "__"):
		return s.syntaxFault("The name of a variable must not begin with __.")
	case name == "null" && s.last == "=": // a default of null is the same as no default
		s.source = s.source[:len(s.source)-len("=\n")]
		s.starts, s.positions = s.starts[:len(s.starts)-1], s.positions[:len(s.positions)-1]
		s.starts[len(s.starts)-1] = len(s.source)
		s.last, s.at = "", end
		return nil
	case name == "null" && (s.last == ":" || s.open[s.depth] == '['):
		s.at = end
		s.write("$" + nullVariable)
		return nil
	}
	s.emit(len(name))
	return nil
}

func nameStart(c byte) bool { return c == '_' || c|0x20 >= 'a' && c|0x20 <= 'z' }
func digit(c byte) bool     { return c >= '0' && c <= '9' }
