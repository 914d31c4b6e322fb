# Everything here needs Go and make only; `make test` brings its own databases.
.DEFAULT_GOAL := help
SHELL := /bin/sh
GO ?= go
STATIC := CGO_ENABLED=0 $(GO)
TESTENV := $(STATIC) run ./cmd/testenv --

.PHONY: help run build test suites race features contract bench torture mutate lint golden fmt

help: ## List the targets
	@sed -n 's/^\([a-z][a-z]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 12

run: build ## Build, then serve on 127.0.0.1:8080 from ./data
	@bin/cartwright serve

build: ## Build one static binary into bin/
	@$(STATIC) build -trimpath -ldflags '-s -w' -o bin/cartwright ./cmd/cartwright

test: ## Run everything, on a throwaway Postgres and Redis
	@$(TESTENV) $(MAKE) --no-print-directory suites

# The parts of test, inside the environment that testenv made. Race detection covers rules, use cases and the Postgres
# suites; it makes SQLite 45 times slower, so that one and whole processes run as they ship.
suites:
	$(STATIC) vet ./...
	$(STATIC) test ./...
	$(MAKE) --no-print-directory race

race: ## Unit tests and Postgres suites under the race detector (needs gcc; testenv installs it)
	CGO_ENABLED=1 $(GO) test -race ./domain/... ./ports/... ./app/... ./adapters/memory/... ./adapters/redis/...
	CGO_ENABLED=1 $(GO) test -race -run Postgres ./adapters/sqlstore/...

features: ## Play the business stories against real servers
	@$(TESTENV) $(STATIC) test -count=1 -run TestFeatures ./cmd/cartwright/

contract: ## Run the contract suite of every port on every adapter
	@$(TESTENV) $(STATIC) test -count=1 ./adapters/...

bench: ## Measure cart mutations over HTTP beside pgbench doing the same work
	@$(TESTENV) $(STATIC) run ./cmd/bench

torture: ## Kill server and database at random moments, for long
	@$(TESTENV) $(STATIC) run ./cmd/torture

mutate: ## Change the rules one by one and see the tests fail: at least 90 % must
	$(GO) run github.com/go-gremlins/gremlins/cmd/gremlins@v0.6.0 unleash --threshold-efficacy 90 ./domain/...

lint: ## Run the linters
	$(GO) run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0 run ./...

golden: ## Write the golden files anew; review the diff
	@$(TESTENV) $(STATIC) test ./... -update

fmt: ## Format the code
	@gofmt -w domain ports app adapters cmd features
