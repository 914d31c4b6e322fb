package productsearch

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxWord is how many characters of a word count.
const maxWord = 40

// piece is a part of a text that is one word: letters and digits of scripts with spaces, or characters of scripts without.
type piece struct {
	text     string
	unspaced bool
	joins    bool // nothing but space stands between it and the piece before
}

// The classes of characters.
const (
	between = iota // no part of a word
	spaced
	unspaced
)

func classOf(r rune) int {
	switch {
	case unicode.In(r, unicode.Hangul, unicode.Han, unicode.Hiragana, unicode.Katakana) || r == 'ー':
		return unspaced
	case unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r):
		return spaced
	}
	return between
}

// piecesOf are the words of a text, in order.
func piecesOf(text string) (all []piece) {
	var word strings.Builder
	class, joins := between, false
	end := func() {
		if word.Len() > 0 {
			all = append(all, piece{cutTo(word.String(), maxWord), class == unspaced, joins})
			joins = true
		}
		word.Reset()
	}
	for _, r := range text {
		c := classOf(r)
		if c != class || c == between {
			end()
		}
		if c == between {
			joins = joins && (unicode.IsSpace(r) || r == '-' || r == '·')
		} else {
			word.WriteRune(r)
		}
		class = c
	}
	end()
	return all
}

// cutTo is the beginning of text, n characters at most.
func cutTo(text string, n int) string {
	for i := range text {
		if n--; n < 0 {
			return text[:i]
		}
	}
	return text
}

// grams are the runs of n characters of text.
func grams(text string, n int) (all []string) {
	var starts []int
	for i := range text {
		starts = append(starts, i)
	}
	starts = append(starts, len(text))
	for i := 0; i+n < len(starts); i++ {
		all = append(all, text[starts[i]:starts[i+n]])
	}
	return all
}

// beginnings are the first 1 to n characters of text, each as far as there are so many.
func beginnings(text string, n int) (all []string) {
	for i := range text {
		if i > 0 && n > 0 {
			all, n = append(all, text[:i]), n-1
		}
	}
	if n > 0 {
		all = append(all, text)
	}
	return all
}

// withoutTags is a text without the tags of HTML.
func withoutTags(text string) string {
	if !strings.Contains(text, "<") {
		return text
	}
	var plain strings.Builder
	for {
		before, rest, tag := strings.Cut(text, "<")
		plain.WriteString(before)
		if !tag {
			return plain.String()
		}
		plain.WriteByte(' ')
		_, text, _ = strings.Cut(rest, ">")
	}
}

// length counts characters.
func length(text string) int { return utf8.RuneCountInString(text) }
