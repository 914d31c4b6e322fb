package faultproxy

import (
	"encoding/json"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

const controlPath = "/__faults"

func isControlPath(path string) bool {
	return path == controlPath || strings.HasPrefix(path, controlPath+"/")
}

// control serves the calls about faults.
func (p *Proxy) control() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("POST "+controlPath, func(w http.ResponseWriter, r *http.Request) {
		var f Fault
		read := json.NewDecoder(r.Body)
		read.DisallowUnknownFields() // an unknown field would order another fault than intended
		err := read.Decode(&f)
		var o *Injection
		if err == nil {
			o, err = p.inject(f)
		}
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		writeJSON(w, http.StatusCreated, map[string]int{"id": o.id})
	})
	mux.HandleFunc("POST "+controlPath+"/{id}/await", p.onInjection(func(r *http.Request, o *Injection) {
		select {
		case <-o.Triggered():
		case <-r.Context().Done(): // the caller has gone
		case <-p.ctx.Done():
		}
	}))
	mux.HandleFunc("POST "+controlPath+"/{id}/release", p.onInjection(func(_ *http.Request, o *Injection) { o.Release() }))
	mux.HandleFunc("GET "+controlPath+"/requests", func(w http.ResponseWriter, _ *http.Request) {
		writeJSON(w, http.StatusOK, map[string][]Request{"requests": p.Requests()})
	})
	mux.HandleFunc("DELETE "+controlPath, func(w http.ResponseWriter, _ *http.Request) {
		unmet := p.Untriggered()
		p.Clear()
		writeJSON(w, http.StatusOK, map[string][]Fault{"unmet": unmet})
	})
	return mux
}

// onInjection finds the fault of the path, applies do to it, and answers how often it was triggered.
func (p *Proxy) onInjection(do func(*http.Request, *Injection)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		o := p.find(r.PathValue("id"))
		if o == nil {
			http.Error(w, "no such fault", http.StatusNotFound)
			return
		}
		do(r, o)
		writeJSON(w, http.StatusOK, map[string]int{"struck": o.TriggerCount()})
	}
}

func (p *Proxy) find(id string) *Injection {
	p.mu.Lock()
	defer p.mu.Unlock()
	at := slices.IndexFunc(p.injections, func(o *Injection) bool { return strconv.Itoa(o.id) == id })
	if at < 0 {
		return nil
	}
	return p.injections[at]
}

func writeJSON(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body) // a caller that left needs no answer
}
