package shops

import (
	"slices"
	"strings"
	"sync"
	"testing"
)

// Walk is something that steps change, and what is known of it.
type Walk interface {
	Check(path string) // what holds at any time, after the steps of path
	State() string     // everything that a later step could depend on, in words that are the same for every walk
}

// Step is one thing that may happen at any time. Refusals are part of it.
type Step[W Walk] struct {
	Name string
	Run  func(w W)
}

// Take takes steps, and checks after each.
func Take[W Walk](w W, steps ...Step[W]) {
	names := make([]string, len(steps))
	for i, s := range steps {
		names[i] = s.Name
		s.Run(w)
		w.Check(strings.Join(names[:i+1], ", "))
	}
}

// Closure tries every step in every state that steps lead to, until there is no new state: so every ordering of any length
// was tried. A walk goes on as long as its state has a step that nobody tried: most steps are refused somewhere and change
// nothing. Then others go the way to a state that is not finished, without what changed nothing. That they arrive shows
// that a state does tell everything.
func Closure[W Walk](t *testing.T, steps []Step[W], begin func() W) {
	t.Helper()
	c := closure[W]{t: t, steps: steps, states: map[string]*reachedState{}}
	c.walkFrom(begin(), nil)
	walks := 1
	for {
		unfinished := c.unfinished()
		if len(unfinished) == 0 || t.Failed() {
			break
		}
		walks += len(unfinished)
		InParallel(len(unfinished), func(i int) {
			w, to := begin(), unfinished[i]
			for _, step := range to.way {
				steps[step].Run(w)
			}
			if state := w.State(); state != to.state {
				t.Errorf("%s: again they lead to\n%s\nnot\n%s", c.names(to.way), state, to.state)
				return
			}
			c.walkFrom(w, to.way)
		})
	}
	t.Logf("%d states, by %d walks", len(c.states), walks)
}

type closure[W Walk] struct {
	t     *testing.T
	steps []Step[W]

	mu     sync.Mutex
	states map[string]*reachedState
}

// reachedState is a state that a walk reached, by the steps with these indexes. Those from tried on are untried there.
type reachedState struct {
	state string
	way   []int
	tried int
}

func (c *closure[W]) unfinished() (states []*reachedState) {
	for _, s := range c.states {
		if s.tried < len(c.steps) {
			states = append(states, s)
		}
	}
	slices.SortFunc(states, func(a, b *reachedState) int { return strings.Compare(a.state, b.state) })
	return states
}

// walkFrom takes untried steps with w, which steps led here, as long as there are any.
func (c *closure[W]) walkFrom(w W, way []int) {
	taken := slices.Clone(way)
	for state := w.State(); !c.t.Failed(); {
		step, ok := c.claim(state, way)
		if !ok {
			return
		}
		c.steps[step].Run(w)
		taken = append(taken, step)
		w.Check(c.names(taken))
		if next := w.State(); next != state {
			state, way = next, append(slices.Clip(way), step)
		}
	}
}

// claim is an untried step of a state that was reached in a way.
func (c *closure[W]) claim(state string, way []int) (step int, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.states[state]
	if s == nil {
		s = &reachedState{state: state, way: way}
		c.states[state] = s
	}
	if s.tried == len(c.steps) {
		return 0, false
	}
	s.tried++
	return s.tried - 1, true
}

func (c *closure[W]) names(way []int) string {
	names := make([]string, len(way))
	for i, step := range way {
		names[i] = c.steps[step].Name
	}
	return strings.Join(names, ", ")
}
