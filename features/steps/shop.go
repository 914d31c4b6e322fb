package steps

import (
	"context"
	"errors"
	"time"
)

// shopSteps opens the shop of a scenario, changes its settings and lets time pass.
type shopSteps struct {
	*client
}

func newShopSteps(c *client) *shopSteps {
	return &shopSteps{client: c}
}

func (s *shopSteps) definitions() []stepDefinition {
	return []stepDefinition{
		{`^the shop turns commerce off$`, func(ctx context.Context) error {
			_, err := s.must(ctx, request{"PATCH", "/api/tenants/" + s.shop.TenantID, object{
				"settings": object{"features": object{"ecommerce": false}},
			}, s.asServer()})
			return err
		}},
		{`^a shop on the "([^"]*)" plan$`, func(ctx context.Context, plan string) (err error) {
			s.shop, err = s.target.ShopOn(ctx, plan)
			return err
		}},
		{`^a shop$`, s.openShop},
		{`^(\d+) (second|minute|hour|day)s? pass(?:es)?$`, s.wait},
	}
}

// wait moves the server's clock.
func (s *shopSteps) wait(amount int, unit string) error {
	if s.target.Advance == nil {
		return errors.New("this server's clock cannot be moved; tag the scenario @clock")
	}
	s.target.Advance(time.Duration(amount) * timeUnits[unit])
	return nil
}

var timeUnits = map[string]time.Duration{"second": time.Second, "minute": time.Minute, "hour": time.Hour, "day": 24 * time.Hour}
