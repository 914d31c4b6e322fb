package program

import (
	"context"
	"net/http"
	"net/http/pprof"
	"time"
)

// openDebug serves Go's profiler on an address of its own, if one is configured: never on the API's, since a
// profile reveals internals of the server.
func (s *Server) openDebug(ctx context.Context) error {
	if s.config.DebugAddress == "" {
		return nil
	}
	l, err := listen(ctx, s.config.DebugAddress)
	if err != nil {
		return err
	}
	routes := http.NewServeMux()
	routes.HandleFunc("/debug/pprof/", pprof.Index)
	routes.HandleFunc("/debug/pprof/profile", pprof.Profile)
	routes.HandleFunc("/debug/pprof/symbol", pprof.Symbol)
	routes.HandleFunc("/debug/pprof/trace", pprof.Trace)
	server := &http.Server{Handler: routes, ReadHeaderTimeout: 10 * time.Second}
	s.background.Task("profiler").Start(func() { _ = server.Serve(l) }) // ends with Close, which the closer below calls
	s.closers = append(s.closers, server.Close)
	s.log.Info("profiling", "address", l.Addr().String())
	return nil
}
