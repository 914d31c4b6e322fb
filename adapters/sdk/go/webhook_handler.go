package cartwright

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
)

// maxDelivery bounds the body of a delivery.
const maxDelivery = 8 << 20

// WebhookHandler serves an endpoint for deliveries signed with one of the secrets. It answers 200 when handle
// has taken the event, and 500 when handle fails or panics, so that the delivery is repeated; 400 to what is
// not signed. Deliveries come at least once: handle remembers Event.ID, and leaves long work to a queue.
// onError, which may be nil, hears of every failure.
func WebhookHandler(handle func(context.Context, *Event) error, onError func(*http.Request, error), secrets ...string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		status, err := deliver(w, r, handle, secrets)
		if err != nil && onError != nil {
			onError(r, err)
		}
		w.WriteHeader(status)
	})
}

func deliver(w http.ResponseWriter, r *http.Request, handle func(context.Context, *Event) error, secrets []string) (int, error) {
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)
		return http.StatusMethodNotAllowed, errors.New("cartwright: a webhook is posted")
	}
	payload, err := io.ReadAll(http.MaxBytesReader(w, r.Body, maxDelivery))
	if _, large := errors.AsType[*http.MaxBytesError](err); large {
		return http.StatusRequestEntityTooLarge, err
	}
	if err != nil {
		return http.StatusBadRequest, err
	}
	event, err := VerifyWebhook(payload, r.Header, secrets...)
	if errors.Is(err, ErrWebhookSecret) {
		return http.StatusInternalServerError, err // ours to mend: the delivery comes again
	}
	if err != nil {
		return http.StatusBadRequest, err
	}
	if err := guarded(r.Context(), event, handle); err != nil {
		return http.StatusInternalServerError, err
	}
	return http.StatusOK, nil
}

// guarded is handle, with a panic as an error.
func guarded(ctx context.Context, e *Event, handle func(context.Context, *Event) error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("cartwright: the handler of webhooks panicked: %v", p)
		}
	}()
	return handle(ctx, e)
}
