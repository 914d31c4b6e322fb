package faultproxy

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

const controlPath = "/__faults"

func isControl(path string) bool {
	return path == controlPath || strings.HasPrefix(path, controlPath+"/")
}

// control serves the calls about faults.
func (p *Proxy) control() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST "+controlPath, func(w http.ResponseWriter, r *http.Request) {
		var f Fault
		read := json.NewDecoder(r.Body)
		read.DisallowUnknownFields() // a fault that is not the one meant would prove nothing
		err := read.Decode(&f)
		var o *Order
		if err == nil {
			o, err = p.order(f)
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		answer(w, http.StatusCreated, map[string]int{"id": o.id})
	})
	mux.HandleFunc("POST "+controlPath+"/{id}/await", p.onOrder(func(r *http.Request, o *Order) {
		select {
		case <-o.Struck():
		case <-r.Context().Done(): // nobody waits any more
		case <-p.life.Done():
		}
	}))
	mux.HandleFunc("POST "+controlPath+"/{id}/release", p.onOrder(func(_ *http.Request, o *Order) { o.Release() }))
	mux.HandleFunc("GET "+controlPath+"/requests", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, http.StatusOK, map[string][]Request{"requests": p.Requests()})
	})
	mux.HandleFunc("DELETE "+controlPath, func(w http.ResponseWriter, _ *http.Request) {
		unmet := p.Unmet()
		p.Forget()
		answer(w, http.StatusOK, map[string][]Fault{"unmet": unmet})
	})
	return mux
}

// onOrder finds the order of the path, does something with it, and answers how often it has struck.
func (p *Proxy) onOrder(do func(*http.Request, *Order)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		o := p.find(r.PathValue("id"))
		if o == nil {
			http.Error(w, "there is no such order", http.StatusNotFound)
			return
		}
		do(r, o)
		answer(w, http.StatusOK, map[string]int{"struck": o.Strikes()})
	}
}

func (p *Proxy) find(id string) *Order {
	p.mu.Lock()
	defer p.mu.Unlock()
	at := slices.IndexFunc(p.orders, func(o *Order) bool { return strconv.Itoa(o.id) == id })
	if at < 0 {
		return nil
	}
	return p.orders[at]
}

func answer(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // a caller that left misses it
}
