package stripe

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	api "github.com/stripe/stripe-go/v85"

	"github.com/cartwright-dev/cartwright/adapters/payment"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// postRequest is a request that changes something.
type postRequest struct{ path, key, body string }

func (p *Provider) post(ctx context.Context, conn ports.Connection, r postRequest, into any) error {
	header, err := p.authHeader(conn)
	if err != nil {
		return err
	}
	header.Set("Content-Type", "application/x-www-form-urlencoded")
	header.Set("Idempotency-Key", r.key)
	return p.exchange(ctx, payment.Request{
		Connection: conn.ID, Method: http.MethodPost, URL: p.base + r.path, Header: header, Body: []byte(r.body),
		AcceptsServerError: isReplayed,
	}, into)
}

// isReplayed reports whether Stripe repeated its answer to an earlier request of the key. A replayed failure
// does not show that Stripe fails now, and is repeated for a day.
func isReplayed(a payment.Response) bool { return a.Header.Get("Idempotent-Replayed") == "true" }

func (p *Provider) get(ctx context.Context, conn ports.Connection, path string, query url.Values, into any) error {
	header, err := p.authHeader(conn)
	if err != nil {
		return err
	}
	to := p.base + path
	if len(query) > 0 {
		to += "?" + query.Encode()
	}
	return p.exchange(ctx, payment.Request{Connection: conn.ID, Method: http.MethodGet, URL: to, Header: header, Lookup: true}, into)
}

// authHeader is the authorization, and the connected account that the platform's key acts for. Errors:
// ports.ErrProviderRejected for an invalid key, one of the other environment, or another account than the connection's,
// before any call: what was begun at one account is never repeated at another, where the idempotency key is new. Fact
// stripe-12.
func (p *Provider) authHeader(conn ports.Connection) (http.Header, error) {
	key := conn.Credentials[credSecretKey]
	if key == "" || strings.ContainsFunc(key, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return nil, refusal("invalid_api_key", nil)
	}
	if live, test := strings.Contains(key, "_live_"), strings.Contains(key, "_test_"); live != test &&
		environment(live) != conn.Environment {
		return nil, refusal(string(api.ErrorCodeLivemodeMismatch), errors.New("stripe: a key of the other environment"))
	}
	header := http.Header{"Authorization": {"Bearer " + key}, "Accept": {"application/json"}, "Stripe-Version": {api.APIVersion}}
	switch connected := conn.Credentials[credConnectedAccount]; {
	case connected == "":
	case connected != conn.AccountKey || !accountPattern.MatchString(connected):
		return nil, refusal(codeAccountMismatch, errors.New("stripe: the connected account is not that of the connection"))
	default:
		header.Set("Stripe-Account", connected)
	}
	return header, nil
}

const codeAccountMismatch = "account_mismatch" // our own code

func environment(live bool) tenant.Environment {
	if live {
		return tenant.Live
	}
	return tenant.Test
}

// account is the id of the account that the connection's calls act for; no other answer of Stripe names it. Fact stripe-12.
func (p *Provider) account(ctx context.Context, conn ports.Connection) (string, error) {
	name := sha256.Sum256([]byte(conn.Credentials[credSecretKey] + " " + conn.Credentials[credConnectedAccount]))
	if id, known := p.accounts.Load(name); known {
		return id.(string), nil
	}
	var got struct{ ID, Object string }
	if err := expect(p.get(ctx, conn, "/v1/account", nil, &got), got.ID != "" && got.Object == "account"); err != nil {
		return "", err
	}
	p.accounts.Store(name, got.ID)
	return got.ID, nil
}

// checkAccount refuses a key of another account than the connection's: what that account does not have, the connection's may.
// Errors: ports.ErrProviderRejected, ports.ErrProviderUnavailable.
func (p *Provider) checkAccount(ctx context.Context, conn ports.Connection) error {
	account, err := p.account(ctx, conn)
	if err == nil && account != conn.AccountKey {
		err = refusal(codeAccountMismatch, errors.New("stripe: the key belongs to another account"))
	}
	return err
}

// exchange decodes a success into into. A success that cannot be decoded is ports.ErrProviderUnavailable:
// Stripe may have acted, with an unknown result.
func (p *Provider) exchange(ctx context.Context, r payment.Request, into any) error {
	answer, err := p.client.Do(ctx, r)
	if err != nil {
		return err
	}
	if !answer.Success() {
		return rejectionOf(answer)
	}
	if err := json.Unmarshal(answer.Body, into); err != nil {
		return ports.ErrProviderUnavailable.WithCause(fmt.Errorf("stripe: answer: %w", err))
	}
	return nil
}

// expect is err, or ports.ErrProviderUnavailable for a success about another object.
func expect(err error, thing bool) error {
	if err == nil && !thing {
		return ports.ErrProviderUnavailable.WithCause(errors.New("stripe: an answer about another object"))
	}
	return err
}

// rejectionOf is the error of an unsuccessful answer. A conflict means two concurrent requests, and is
// temporary; another request under a used key is a bug of ours; a replayed failure is final. Stripe's message
// is left out, since it may quote the request.
func rejectionOf(a payment.Response) error {
	var said struct {
		Error struct {
			Type api.ErrorType `json:"type"`
			Code string        `json:"code"`
		} `json:"error"`
	}
	_ = json.Unmarshal(a.Body, &said) // an unreadable answer has no code
	cause := fmt.Errorf("stripe answered %d %s %s", a.Status, said.Error.Type, said.Error.Code)
	switch {
	case said.Error.Type == api.ErrorTypeIdempotency && a.Status != http.StatusConflict:
		return fault.ErrInternal.WithCause(cause)
	case a.Status == http.StatusConflict:
		return ports.ErrProviderUnavailable.WithCause(cause)
	case a.Status >= http.StatusInternalServerError:
		return refusal(codeReplayedFailure, cause)
	case said.Error.Code != "":
		return refusal(said.Error.Code, cause)
	case said.Error.Type != "":
		return refusal(string(said.Error.Type), cause)
	}
	return refusal("HTTP_"+strconv.Itoa(a.Status), cause)
}

const codeReplayedFailure = "replayed_failure" // our own code

// isReplayedFailure reports whether Stripe repeated its failure to answer an earlier request of the key.
func isReplayedFailure(err error) bool {
	return errors.Is(err, ports.ErrProviderRejected) && fault.From(err).Data["providerCode"] == codeReplayedFailure
}

func refusal(code string, cause error) error {
	if cause == nil {
		cause = errors.New("stripe: " + code)
	}
	return ports.ErrProviderRejected.WithData("providerCode", code).WithCause(cause)
}

// isMissing reports whether Stripe does not know the object.
func isMissing(err error) bool {
	return errors.Is(err, ports.ErrProviderRejected) && fault.From(err).Data["providerCode"] == string(api.ErrorCodeResourceMissing)
}
