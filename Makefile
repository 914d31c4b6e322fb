# Everything here needs Go and make only; `make test` brings its own databases, C compiler and Node.
.DEFAULT_GOAL := help
SHELL := /bin/sh
GO ?= go
STATIC := CGO_ENABLED=0 $(GO)
TESTENV := $(STATIC) run ./cmd/testenv --
# Finds all that go vet does, too. Its cache, ~/.cache/golangci-lint, goes by content: other clones find it there.
LINT := $(STATIC) run github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0 run ./...
# The folder of the checkout is not compiled in: another clone of the same commit finds everything in Go's build cache.
export GOFLAGS := $(GOFLAGS) -trimpath

# Installs packages where it may: as root on Debian and its kin.
APT = [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && apt-get update -q && apt-get install -qy --no-install-recommends

.PHONY: help run build test gcc node chromium clients fuzz race flakes features contract bench torture mutate lint golden assets fmt

help: ## List the targets
	@sed -n 's/^\([a-z][a-z]*\):.*## /\1\t/p' $(MAKEFILE_LIST) | expand -t 12

run: build ## Build, then serve on 127.0.0.1:8080 from ./data
	@bin/cartwright serve

build: ## Build one static binary into bin/
	@$(STATIC) build -tags grpcnotrace -ldflags '-s -w' -o bin/cartwright ./cmd/cartwright

test: gcc clients chromium ## Run everything and the linters, on a throwaway Postgres and Redis
	@$(TESTENV) env $(STATIC) run ./cmd/testall -first '$(LINT)'

race: gcc ## Run what the race detector watches
	@$(TESTENV) env $(STATIC) run ./cmd/testall -only raced

gcc:
	@command -v gcc >/dev/null || { $(APT) gcc libc6-dev; } \
	|| { echo 'The race detector needs a C compiler: apt-get install -y gcc libc6-dev'; exit 1; }

node:
	@command -v npm >/dev/null || { $(APT) nodejs npm; } \
	|| { echo 'The Payload client needs Node 18 or newer: install nodejs and npm'; exit 1; }

# Pages are tested in a real browser, as they ship: beside the race detector, not under it. The headless shell is Chromium
# without a user interface, which takes a third of the processor time; where it is not packaged, Chromium itself will do.
chromium:
	@command -v chromium-headless-shell >/dev/null || { $(APT) chromium-headless-shell; } || command -v chromium >/dev/null || { $(APT) chromium; } \
	|| { echo 'Pages are tested in Chromium: apt-get install -y chromium-headless-shell'; exit 1; }

# Other people's clients that the tests drive and the TypeScript SDK, with packages at the versions of their lock files;
# nothing to do when they are there. The SDK is compiled anew when a file of it, or the list of its files, is newer.
clients: node
	@cd cmd/cartwright/program/testdata/payload && { $(NPMCI); }
	@cd adapters/payment/testdata/sdks && { $(NPMCI); }
	@cd adapters/sdk/typescript && { $(NPMCI); } && { [ -e dist/.built ] && [ -z "$$(find src package.json tsconfig.json -newer dist/.built)" ] || \
		{ npm run --silent build && touch dist/.built; }; }
	@cd adapters/console && { $(NPMCI); }

# Packages are installed once per lock file and machine, and linked: other clones find them there. What no clone has
# linked for 60 days is removed; a clone whose link leads nowhere installs again.
define NPMCI
cmp -s package-lock.json node_modules/.lock || { \
	cache="$${XDG_CACHE_HOME:-$$HOME/.cache}/cartwright" && all="$$cache/npm-$$(cat package.json package-lock.json | cksum | tr ' ' -)" && mkdir -p "$$cache" && \
	{ [ -d "$$all" ] || { \
		new=$$(mktemp -d "$$cache/new-XXXXXX") && cp package.json package-lock.json "$$new" && \
		{ (cd "$$new" && npm ci --loglevel=error --no-audit --no-fund && cp package-lock.json node_modules/.lock) || { rm -rf "$$new"; exit 1; }; } && \
		{ mv "$$new" "$$all" && rm -rf "$$all/$${new##*/}"; }; \
	}; } && touch "$$all" && find "$$cache" -maxdepth 1 -name 'npm-*' -mtime +60 -exec rm -rf {} + && \
	rm -rf node_modules && ln -s "$$all/node_modules" node_modules; }
endef

# Keep stores out of the tests of packages with fuzz targets: everything a fuzzed test is linked with is compiled again for
# it. Each package is linked once, and as many targets run at a time as there are processors, one worker each. Go sometimes
# reports the end of the time as a failure (golang/go#75804, fixed in 1.27): only that is tried once more. By default Go also
# spends up to a minute on minimizing each new input, even when nothing failed.
FUZZ ?= 6s
fuzz: ## Fuzz every parser of input, for $(FUZZ) each
	@tests=$$(mktemp -d) && trap 'rm -rf "$$tests"' EXIT && cache=$$($(GO) env GOCACHE)/fuzz && \
	for dir in $$(grep -rl --include='*_test.go' '^func Fuzz' domain app adapters | xargs -n1 dirname | sort -u); do \
		test=$$tests/$$(echo $$dir | tr / -) && $(STATIC) test -c -fuzz . -o $$test ./$$dir || exit 1; \
		for target in $$(sed -n 's/^func \(Fuzz[A-Za-z0-9_]*\)(.*/\1/p' $$dir/*_test.go); do \
			echo "$$test $$dir $$target $$cache/$$($(GO) list ./$$dir)"; \
		done; \
	done > $$tests/all && xargs -P "$$(getconf _NPROCESSORS_ONLN)" -L 1 sh -c '$(FUZZONE)' < $$tests/all

define FUZZONE
cd $$1 || exit 255; for try in 1 2; do \
	out=$$($$0 -test.run "^$$" -test.fuzz "^$$2$$" -test.fuzztime $(FUZZ) -test.fuzzminimizetime 20x -test.parallel 1 -test.fuzzcachedir $$3 2>&1) && break; \
	[ $$try = 1 ] && echo "$$out" | grep -q "^    context deadline exceeded$$" || { echo "$$1 $$2"; echo "$$out"; exit 255; }; \
done; echo "$$1 $$2: $$(echo "$$out" | sed -n "s/^fuzz: \(.*execs.*\)/\1/p" | tail -1)"
endef

# What fails here once fails by chance, which is a defect like any other. RUN and WHEN (of alone,single,busy) narrow it down.
COUNT ?= 20
WHEN ?= alone,single,busy
flakes: clients chromium ## Run tests that start processes $(COUNT) times alone, on one processor and beside a busy neighbor
	@$(TESTENV) env $(STATIC) run ./cmd/testenv/flakes -count $(COUNT) -run '$(RUN)' -when $(WHEN)

features: ## Play the business stories against real servers
	@$(TESTENV) env $(STATIC) test -count=1 -run TestFeatures -v ./cmd/cartwright/program ./features/...

contract: ## Run the contract suite of every port on every adapter
	@$(TESTENV) env $(STATIC) test -count=1 ./adapters/...

bench: build ## Measure carts, collections and product search beside peers doing the same work without it
	@$(TESTENV) env $(STATIC) run ./cmd/bench
	@env $(STATIC) test -run '^$$' -bench Call -benchmem ./app/metering
	@$(TESTENV) env $(STATIC) test -run '^$$' -bench Languages ./adapters/sqlstore
	@CARTWRIGHT_BENCH_PRODUCTS=20000 $(TESTENV) env $(STATIC) test -run '^$$' -bench Search -benchtime 1x ./adapters/sqlstore/productindex
	@env $(STATIC) test -run '^$$' -bench Summary -benchtime 200x ./app/reports

torture: build ## Kill, freeze and cut off servers and databases at random moments, and fuzz, for long
	@$(TESTENV) env $(STATIC) run ./cmd/torture
	@CARTWRIGHT_TEST_EVERY_PAIR=yes $(TESTENV) env $(STATIC) test -count=1 -timeout 60m -run TestPaymentSignalsOnTwoServersPlaceOneOrder ./cmd/cartwright/program
	@CARTWRIGHT_TEST_WHOLE_MATRIX=yes $(TESTENV) env $(STATIC) test -count=1 -timeout 60m -run TestFeatures ./cmd/cartwright/program
	@$(TESTENV) env $(STATIC) test -count=1 -timeout 60m -run 'TestCachedCountsAreExact|TestPagesFromCursors' ./adapters/sqlstore -rapid.checks 2000
	@$(MAKE) --no-print-directory fuzz FUZZ=5m

# Gremlins has a threshold of its own, and ignores it.
mutate: ## Change the rules one by one and see the tests fail: at least 90 % must, in every domain package
	@for package in domain/*/; do \
		echo "$$package"; \
		out=$$($(GO) run github.com/go-gremlins/gremlins/cmd/gremlins@v0.6.0 unleash "./$${package%/}" --workers 2 --timeout-coefficient 20) || { echo "$$out"; exit 1; }; \
		echo "$$out" | grep -v 'KILLED'; \
		echo "$$out" | grep -q 'No results to report' && continue; \
		share=$$(echo "$$out" | sed -n 's/^Test efficacy: \([0-9]*\)\..*/\1/p'); \
		[ "$${share:-0}" -ge 90 ] || { echo "$$package: fewer than 90 % were noticed"; exit 1; }; \
	done

lint: ## Run the linters, as make test does
	@$(LINT)

# The tests that know -update, which a test of features holds to be all of them.
GOLDEN = TestReasons|TestBatchStatementsMatchTheGoldenFile|TestDocumentsReadAsReviewed|TestEveryKindHasAMailInThreeLanguages|TestGoSDKTypesAreUpToDate|TestGraphQLSchemaMatchesGolden|TestHelpMatchesGolden$\
|TestOpenAPIMatchesGolden|TestReferenceCoversEverySetting|TestTypeScriptSDKTypesAreUpToDate|TestUnauthorizedCallersAreRefused
golden: clients ## Write the golden files anew; review the diff
	@$(TESTENV) env $(STATIC) test -count=1 ./adapters/pdf ./adapters/rest ./adapters/sqlstore/commit ./cmd/cartwright/program ./domain/mail -run '^($(GOLDEN))$$' -update

assets: node ## Fetch the pages that are part of the binary anew, at the versions their scripts name
	@for script in adapters/rest/*/assets.sh; do $$script; done

fmt: ## Format the code
	@gofmt -w domain ports app adapters cmd features
