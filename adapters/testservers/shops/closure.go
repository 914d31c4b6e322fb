package shops

import (
	"slices"
	"sync"
	"testing"
)

// Closure tries every step in every state that steps lead to, until there is no new state: so every ordering of any length
// was tried. walk takes a path, checks what holds after its last step, since the others were checked when they were the
// last, and returns the state that it leads to, in words.
func Closure[S any](t *testing.T, steps []S, walk func(path []S) (state string)) {
	t.Helper()
	var mu sync.Mutex
	states := map[string]bool{}
	for fresh := [][]S{nil}; len(fresh) > 0 && !t.Failed(); {
		var next [][]S
		InParallel(len(fresh)*len(steps), func(i int) {
			path := append(slices.Clip(fresh[i/len(steps)]), steps[i%len(steps)])
			state := walk(path)
			mu.Lock()
			defer mu.Unlock()
			if !states[state] {
				states[state] = true
				next = append(next, path)
			}
		})
		t.Logf("%d states, %d of them new", len(states), len(next))
		fresh = next
	}
}
