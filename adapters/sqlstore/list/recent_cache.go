package list

import (
	"sync"
)

// recentCache remembers the values used last: at least size of them, at most twice as many.
type recentCache[K comparable, V any] struct {
	size int

	mu         sync.Mutex
	young, old map[K]V
}

func (c *recentCache[K, V]) get(k K) (v V, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if v, ok = c.young[k]; ok {
		return v, true
	}
	if v, ok = c.old[k]; ok {
		c.store(k, v)
	}
	return v, ok
}

func (c *recentCache[K, V]) put(k K, v V) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.store(k, v)
}

// getOr returns the value of k, which is fresh() when there is none.
func (c *recentCache[K, V]) getOr(k K, fresh func() V) V {
	c.mu.Lock()
	defer c.mu.Unlock()
	v, ok := c.young[k]
	if !ok {
		if v, ok = c.old[k]; !ok {
			v = fresh()
		}
		c.store(k, v)
	}
	return v
}

func (c *recentCache[K, V]) store(k K, v V) {
	if len(c.young) >= c.size || c.young == nil {
		c.young, c.old = make(map[K]V, min(c.size, 64)), c.young
	}
	c.young[k] = v
}

func (c *recentCache[K, V]) forget() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.young, c.old = nil, nil
}
