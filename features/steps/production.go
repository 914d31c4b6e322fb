package steps

import (
	"fmt"
	"strings"
)

// productionSteps starts servers with settings of production.
type productionSteps struct {
	*client

	err error // of the start
}

func newProductionSteps(c *client) *productionSteps {
	return &productionSteps{client: c}
}

func (s *productionSteps) definitions() []stepDefinition {
	return []stepDefinition{
		{`^production starts with a public address (with|without) HTTPS$`, s.start},
		{`^the start is refused because of the public address$`, s.wantRefusedStart},
		{`^the start succeeds$`, s.wantStarted},
	}
}

func (s *productionSteps) start(with string) error {
	address := map[string]string{"with": "https://shop.example", "without": "http://shop.example"}[with]
	s.err = s.target.Start(map[string]string{
		"CARTWRIGHT_ENV": "production", "CARTWRIGHT_PUBLIC_URL": address, "CARTWRIGHT_SECRETS": "1:Vb9dQ2xkTz7mLw4RcY8sJf1GhN6pAe3U",
	})
	return nil
}

func (s *productionSteps) wantRefusedStart() error {
	if said := fmt.Sprint(s.err); !strings.Contains(said, "CARTWRIGHT_PUBLIC_URL") {
		return fmt.Errorf("the server said: %s", said)
	}
	return nil
}

func (s *productionSteps) wantStarted() error { return s.err }
