package openapitest

import (
	"bytes"
	"io"
	"net/http"
)

// Client is a client that checks its exchanges with a server against c. It passes differences to report,
// which may be called from several goroutines.
func (c *Contract) Client(report func(method, path, problem string)) *http.Client {
	return &http.Client{Transport: checkingTransport{c, report}}
}

type checkingTransport struct {
	contract *Contract
	report   func(method, path, problem string)
}

// RoundTrip implements http.RoundTripper.
func (w checkingTransport) RoundTrip(req *http.Request) (*http.Response, error) {
	var sent []byte
	if req.Body != nil {
		var err error
		if sent, err = io.ReadAll(req.Body); err != nil {
			return nil, err
		}
		req = req.Clone(req.Context())
		req.Body = io.NopCloser(bytes.NewReader(sent))
	}
	res, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	got, err := io.ReadAll(res.Body)
	_ = res.Body.Close() // it was only read
	if err != nil {
		return nil, err
	}
	res.Body = io.NopCloser(bytes.NewReader(got))
	for _, problem := range w.contract.Check(Exchange{
		Method: req.Method, Path: req.URL.Path, Query: req.URL.RawQuery, Header: req.Header, Body: sent,
		Status: res.StatusCode, AnswerHeader: res.Header, Answer: got,
	}) {
		w.report(req.Method, req.URL.Path, problem)
	}
	return res, nil
}
