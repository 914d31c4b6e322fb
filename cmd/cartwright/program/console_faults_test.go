package program

import (
	"context"
	"fmt"
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
// excepted text get their answers.
func (o *operator) loseAnswers(path, except string) (stop func()) {
	o.Helper()
	chromedp.ListenTarget(o.ctx, func(event any) {
		paused, is := event.(*fetch.EventRequestPaused)
		if !is {
			return
		}
		go func() { // events are told one after the other, and the answer to a command is one
			var then chromedp.Action = fetch.FailRequest(paused.RequestID, network.ErrorReasonConnectionReset)
			if strings.Contains(fmt.Sprint(paused.Request.PostDataEntries), except) {
				then = fetch.ContinueRequest(paused.RequestID)
			}
			_ = chromedp.Run(o.ctx, then) // the window may be closed
		}()
	})
	o.do(fetch.Enable().WithPatterns([]*fetch.RequestPattern{{URLPattern: "*" + path + "*", RequestStage: fetch.RequestStageResponse}}))
	return func() {
		o.Helper()
		o.do(fetch.Disable())
	}
}
