package cartwright

import (
	"regexp"
	"strings"
	"testing"
)

func TestKeysAreRandomAndOfTheFormTheServerTakes(t *testing.T) {
	t.Parallel()
	form := regexp.MustCompile(`^ik_[0-9A-Za-z]{32}$`)
	seen, letters := map[string]bool{}, map[rune]int{}
	const n = 2000
	for range n {
		key := NewIdempotencyKey()
		if !form.MatchString(key) || seen[key] || !isKey(key) {
			t.Fatal(key)
		}
		seen[key] = true
		for _, r := range strings.TrimPrefix(key, keyPrefix) {
			letters[r]++
		}
	}
	even := n * keyLength / len(alphabet) // 1032; five standard deviations are 160
	for _, r := range alphabet {
		if letters[r] < even-160 || letters[r] > even+160 {
			t.Errorf("%c stands %d times in %d keys, about %d would be even", r, letters[r], n, even)
		}
	}
	for _, bad := range []string{"", "short", strings.Repeat("x", 256), "sixteen chars ab", "sixteen-chars-\n-", "schlüssel-schlüssel"} {
		if isKey(bad) {
			t.Errorf("%q counts as a key", bad)
		}
	}
}
