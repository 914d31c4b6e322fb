package program

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/valyala/fasthttp"

	"github.com/cartwright-dev/cartwright/adapters/rest"
)

// Shutdown, without an error for any client:
//
//  1. Readiness turns to 503, and every answer from here on closes its connection: load balancers send
//     nothing new, and no client keeps a connection that would close under its next request.
//  2. The delay passes (CARTWRIGHT_SHUTDOWN_DELAY) while everything is still served. It has to be longer
//     than a balancer takes to notice the readiness, and longer than it keeps an idle connection.
//  3. New connections are refused, see gracefulListener.shutdown.
//  4. Event streams end after a whole event; their clients reconnect at once, and by now to another instance.
//  5. Open requests are served (CARTWRIGHT_SHUTDOWN_TIMEOUT, with step 3).
//  6. Cart workers, tasks started by requests, and background loops end.
//
// Every step is bounded; a step that does not end in time ends the process with an error, so that it is
// noticed.
const backgroundStopTimeout = 5 * time.Second // for step 6, however long step 5 took

var errDraining = errors.New("the server is shutting down")

func (s *Server) checkServing(context.Context) error {
	if s.draining.Load() {
		return errDraining
	}
	return nil
}

// closeConnectionsWhileDraining closes the connection after each answer during shutdown.
func (s *Server) closeConnectionsWhileDraining() {
	answer := s.app.Server().Handler
	s.app.Server().Handler = func(c *fasthttp.RequestCtx) {
		answer(c)
		if s.draining.Load() {
			c.SetConnectionClose()
		}
	}
}

// Run serves until ctx ends, then completes the accepted requests.
func (s *Server) Run(ctx context.Context) error {
	loops, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	ended := s.startLoops(loops)
	listener := newGracefulListener(s.listener)
	served := make(chan error, 1)
	http := s.background.Task("http")
	http.Start(func() { served <- http.Call(func() error { return s.app.Listener(rest.Lingering(listener)) }) })
	select {
	case err := <-served:
		stop()
		ended()
		return err
	case <-ctx.Done():
	}
	s.draining.Store(true)
	s.log.Info("shutting down: finishing accepted requests")
	s.sleep(s.config.ShutdownDelay)
	err := s.drainRequests(context.WithoutCancel(ctx), listener)
	stopped := make(chan struct{})
	s.background.Task("shutdown").Start(func() {
		s.carts.Wait()
		s.access.Wait()
		stop()
		ended()
		close(stopped)
	})
	select {
	case <-stopped:
		return errors.Join(err, <-served)
	case <-time.After(backgroundStopTimeout):
		return errors.Join(err, errors.New("background work did not finish in time"))
	}
}

// drainRequests accepts no new connections, ends event streams and serves the other open requests.
func (s *Server) drainRequests(ctx context.Context, listener *gracefulListener) error {
	drain, cancel := context.WithTimeout(ctx, s.config.ShutdownTimeout)
	defer cancel()
	if err := listener.shutdown(drain); err != nil {
		return fmt.Errorf("stop listening: %w", err)
	}
	s.eventFeed.Stop()
	if err := s.app.ShutdownWithContext(drain); err != nil {
		return fmt.Errorf("some requests did not finish in time: %w", err)
	}
	return nil
}
