package program

import (
	"context"
	"encoding/base64"
	"slices"
	"strings"

	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
)

// offline takes the network from the window, or gives it back.
func (o *operator) offline(gone bool) {
	o.Helper()
	all := []*network.Conditions{{DownloadThroughput: -1, UploadThroughput: -1}}
	o.do(chromedp.ActionFunc(func(ctx context.Context) error {
		_, err := network.EmulateNetworkConditionsByRule(gone, all).Do(ctx)
		return err
	}), network.OverrideNetworkState(gone, 0, -1, -1))
}

// loseAnswers lets the server do what it is asked for at a path, but loses what it answers, until it is told to stop. Requests with the
// excepted text get their answers, such as previews.
func (o *operator) loseAnswers(path, except string) (stop func()) {
	o.Helper()
	listening, end := context.WithCancel(o.ctx)
	chromedp.ListenTarget(listening, func(event any) {
		paused, is := event.(*fetch.EventRequestPaused)
		if !is {
			return
		}
		go func() { // events are told one after the other, and the answer to a command is one
			var then chromedp.Action = fetch.FailRequest(paused.RequestID, network.ErrorReasonConnectionReset)
			if sends(paused.Request, except) {
				then = fetch.ContinueRequest(paused.RequestID)
			}
			_ = chromedp.Run(o.ctx, then) // the window may be closed
		}()
	})
	o.do(fetch.Enable().WithPatterns([]*fetch.RequestPattern{{URLPattern: "*" + path + "*", RequestStage: fetch.RequestStageResponse}}))
	return func() {
		o.Helper()
		o.do(fetch.Disable())
		end()
	}
}

// sends tells whether a text is in what a request sends.
func sends(request *network.Request, text string) bool {
	return slices.ContainsFunc(request.PostDataEntries, func(part *network.PostDataEntry) bool {
		sent, err := base64.StdEncoding.DecodeString(part.Bytes)
		return err == nil && strings.Contains(string(sent), text)
	})
}
