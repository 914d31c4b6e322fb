package productsearch

import "slices"

// Bounds of what is taken for a word that stands nowhere.
const (
	oneEdit  = 4  // letters from which on a word may be one edit away
	twoEdits = 8  // and from which on two
	maxNear  = 20 // words
)

// edits is how many edits a word may be away from another one.
func edits(letters []rune) int {
	switch {
	case len(letters) >= twoEdits:
		return 2 //nolint:mnd // see twoEdits
	case len(letters) >= oneEdit:
		return 1
	}
	return 0
}

// Near are those of words that are the fewest edits away from word, as far as these are few enough, in alphabetical order.
func Near(word string, words []string) []string {
	m := measure{typed: appendLetters(nil, word)}
	most := edits(m.typed)
	if most == 0 {
		return nil
	}
	var near []string
	var letters []rune
	for _, one := range words {
		if one == word || hasMore(one, len(m.typed)+most) {
			continue
		}
		letters = appendLetters(letters[:0], one)
		d := m.distance(letters, most)
		if d > most {
			continue
		}
		if d < most {
			near, most = nil, d
		}
		near = append(near, one)
	}
	slices.Sort(near)
	near = slices.Compact(near)
	return near[:min(len(near), maxNear)]
}

// hasMore reports whether a word surely has more than n letters: a syllable has two at least.
func hasMore(word string, n int) bool {
	for _, r := range word {
		if n--; isSyllable(r) {
			n--
		}
		if n < 0 {
			return true
		}
	}
	return false
}

// measure measures how far words are from one that was typed. Thousands are, so that it keeps what it calculates in.
type measure struct {
	typed []rune
	rows  [3][]int
}

// distance is how many letters have to be added, left out, replaced or swapped with their neighbor to make b of what was typed, each
// letter once; more than most is most+1.
func (m *measure) distance(b []rune, most int) int {
	a := m.typed
	if len(a)-len(b) > most || len(b)-len(a) > most {
		return most + 1
	}
	for i := range m.rows {
		m.rows[i] = slices.Grow(m.rows[i][:0], len(b)+1)[:len(b)+1]
	}
	for j := range m.rows[0] {
		m.rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		before, last, row := m.rows[(i+1)%3], m.rows[(i+2)%3], m.rows[i%3]
		row[0] = i
		least := i
		for j := 1; j <= len(b); j++ {
			change := 1
			if a[i-1] == b[j-1] {
				change = 0
			}
			row[j] = min(last[j]+1, row[j-1]+1, last[j-1]+change)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				row[j] = min(row[j], before[j-2]+1)
			}
			least = min(least, row[j])
		}
		if least > most {
			return most + 1
		}
	}
	return min(m.rows[len(a)%3][len(b)], most+1)
}

// LikeRange are the first and the last word that may be near to word: those that begin as it does.
func LikeRange(word string) (from, to string) {
	first := []rune(word)[0]
	if isSyllable(first) {
		from, to = sameInitial(first)
		return from, to + lastRune
	}
	return string(first), string(first) + lastRune
}

// lastRune follows every text that begins with what stands before it, by code points.
const lastRune = "\U0010FFFF"
