package cartwright

import (
	"container/list"
	"encoding/json"
	"sync"
)

// maxCarts bounds the carts that a client remembers; the one not seen for longest goes.
const maxCarts = 1024

// cartCache is the newest of each cart that was seen.
type cartCache struct {
	mu    sync.Mutex
	carts map[string]*list.Element
	order *list.List // of Cart, the last seen first
}

// see takes note of a cart and answers the newest known: a replayed answer is a receipt and replaces nothing newer.
func (c *cartCache) see(seen Cart, replayed bool) Cart {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.order == nil {
		c.carts, c.order = map[string]*list.Element{}, list.New()
	}
	at := c.carts[seen.ID]
	if at == nil {
		c.carts[seen.ID] = c.order.PushFront(seen)
		if c.order.Len() > maxCarts {
			delete(c.carts, c.order.Remove(c.order.Back()).(Cart).ID)
		}
		return seen
	}
	c.order.MoveToFront(at)
	known := at.Value.(Cart)
	if seen.Revision > known.Revision || seen.Revision == known.Revision && !replayed {
		at.Value = seen
		return seen
	}
	return known
}

func (c *cartCache) get(id string) (Cart, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if at := c.carts[id]; at != nil {
		return at.Value.(Cart), true
	}
	return Cart{}, false
}

func (c *cartCache) forget(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if at := c.carts[id]; at != nil {
		c.order.Remove(at)
		delete(c.carts, id)
	}
}

// learn takes note of a cart in an answer of whatever operation.
func (c *cartCache) learn(a answer) {
	var said cartAnswer
	if json.Unmarshal(a.body, &said) == nil && said.Cart.ID != "" && said.Cart.Revision > 0 {
		c.see(said.Cart, a.replayed())
	}
}
