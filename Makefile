.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
SHELL := bash
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready
export PATH := $(CURDIR)/$(BIN):$(PATH)

.PHONY: help
help: ## Say what there is to make
	@grep -hE '^[a-z0-9-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

.PHONY: setup
setup: $(READY) ## Install everything into .venv; does nothing when nothing changed

$(READY): requirements.lock pyproject.toml sdk/python/pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes --requirement requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation \
		--editable . --editable sdk/python
	touch $@

.PHONY: run
run: setup ## Serve on this machine: Valkey, workers, a key, and what to try first
	@exec $(BIN)/mextrain serve

.PHONY: demo
demo: setup ## Watch bots play a whole match
	@exec $(BIN)/mextrain demo

DEBIAN_PACKAGES := curl chromium fonts-wqy-microhei prometheus prometheus-redis-exporter redis-server

.PHONY: system
system: ## Install the Debian packages that tests need, where they are missing and may be installed
	@tools/debian_packages.sh $(DEBIAN_PACKAGES) \
		$$($(or $(wildcard $(BIN)/python),$(PYTHON)) tools/libpython_package.py)

CONNECT := examples/connect
SCHEMATHESIS := build/schemathesis

$(CONNECT)/node_modules: $(CONNECT)/package.json $(CONNECT)/package-lock.json | setup
	cd $(CONNECT) && npm ci --silent --ignore-scripts --no-audit --no-fund
	touch $@

$(CONNECT)/gen: $(CONNECT)/node_modules $(CONNECT)/buf.gen.yaml $(wildcard proto/mextrain/v1/*.proto)
	cd $(CONNECT) && npm run --silent generate
	touch $@

tests/web/node_modules: tests/web/package.json tests/web/package-lock.json | setup
	cd tests/web && npm ci --silent --ignore-scripts --no-audit --no-fund
	touch $@

.PHONY: examples
examples: $(CONNECT)/gen ## Install what the examples need

WEB_PAGES := service/mextrain_service/front/pages/table
WEB_CLIENT := $(BIN)/buf generate --template web/buf.gen.yaml

web/node_modules: web/package.json web/package-lock.json | setup
	cd web && npm ci --silent --ignore-scripts --no-audit --no-fund
	touch $@

.PHONY: web
web: setup web/node_modules ## Write the table in the browser: its client of the contract, its pages
	$(WEB_CLIENT)
	cd web && npm run --silent build

.PHONY: web-test
web-test: setup web/node_modules ## Run the unit tests of the table in the browser
	cd web && NO_COLOR=1 npm run --silent test -- --reporter=dot

.PHONY: web-check
web-check: setup web/node_modules ## Gate: the table's types and layout; its client and pages are those of their sources
	cd web && npm run --silent type && npm run --silent lint
	rm -rf build/web && $(WEB_CLIENT) --output build/web
	diff -r build/web/web/src/gen web/src/gen || { echo 'run `make web`'; exit 1; }
	cd web && npm run --silent build -- --outDir ../build/web/pages --logLevel warn
	diff -qr build/web/pages $(WEB_PAGES) || { echo 'run `make web`'; exit 1; }

# One process more than there are cores: most tests wait for services that they started.
PYTEST := $(BIN)/pytest --numprocesses $(shell expr $$(nproc) + 1) --dist loadgroup
ENGINE_TESTS := engine tests/engine tests/fairness tests/golden tests/rulebook

.PHONY: test
test: setup system examples web-test tests/web/node_modules $(SCHEMATHESIS) ## Run all tests and hold the engine's coverage
	$(PYTEST) --cov --cov-report term $(ENGINE_TESTS)
	$(PYTEST) --durations 20 --durations-min 1 $(addprefix --ignore=,$(ENGINE_TESTS) tests/image tests/dist)

NEWEST_TESTS := tests/deploy/test_redis_tls.py tests/in_envoy/test_calls.py tests/in_envoy/test_process.py \
	tests/operations tests/worker tests/soak tests/storage tests/rpc/test_timers.py

.PHONY: test-313
test-313: ## Run a part of the tests on Python 3.13, in a Debian 13 that is made for it; as root
	@tools/debian_packages.sh mmdebstrap
	tools/debian_root.sh 'make setup system DEBIAN_PACKAGES="curl redis-server" && \
		$(PYTEST) $(NEWEST_TESTS)'

.PHONY: check
check: format-check lint type imports proto-lint proto-breaking gen-check docs-check openapi-lint web-check image-lint kubernetes-check ## Run every gate

.PHONY: format
format: setup ## Rewrite the layout of the Python and protobuf files
	$(BIN)/ruff format
	$(BIN)/ruff check --select I --fix --quiet
	$(BIN)/buf format --write

.PHONY: format-check
format-check: setup ## Gate: the layout of the Python and protobuf files
	$(BIN)/ruff format --check
	$(BIN)/buf format --diff --exit-code

.PHONY: lint
lint: setup ## Gate: ruff
	$(BIN)/ruff check

.PHONY: type
type: setup ## Gate: mypy, strict
	$(BIN)/mypy

.PHONY: imports
imports: setup ## Gate: which layer may import what
	$(BIN)/lint-imports

.PHONY: proto-lint
proto-lint: setup ## Gate: names and comments of the contract
	$(BIN)/buf lint

.PHONY: proto-breaking
proto-breaking: setup ## Gate: nothing in the contract breaks what main promised
	$(BIN)/python tools/breaking.py

.PHONY: gen
gen: setup ## Write the contract's options from the engine's, and the Python of the protobuf files
	$(BIN)/python -m tools.rule_contract
	$(BIN)/python tools/generate.py

.PHONY: gen-check
gen-check: setup ## Gate: the contract's options are the engine's; the Python is that of the protobuf files
	$(BIN)/python -m tools.rule_contract --check
	$(BIN)/python tools/generate.py --check

GNOSTIC := github.com/google/gnostic/cmd/protoc-gen-openapi@v0.7.1

build/bin/protoc-gen-openapi:
	GOBIN=$(CURDIR)/build/bin go install $(GNOSTIC)

.PHONY: openapi
openapi: setup build/bin/protoc-gen-openapi ## Write the OpenAPI document of the protobuf files; needs Go
	$(BIN)/python -m tools.openapi

.PHONY: openapi-lint
openapi-lint: setup docs/api/node_modules ## Gate: the OpenAPI document is sound
	cd docs/api && npx --no-install redocly lint --config redocly.yaml ../../service/mextrain_service/front/pages/openapi.json

$(SCHEMATHESIS): tools/schemathesis.lock | setup
	$(BIN)/uv venv --quiet --clear --python $(BIN)/python $@
	$(BIN)/uv pip install --quiet --python $@ --require-hashes --requirement $<
	touch $@

.PHONY: api-fuzz
api-fuzz: $(SCHEMATHESIS) ## Try made-up requests on a running service for a minute: URL=... KEY=...
	$</bin/schemathesis run $(URL)/openapi.json --url $(URL) --header "Authorization: Bearer $(KEY)" \
		--exclude-path-regex :watch --exclude-checks negative_data_rejection,unsupported_method \
		--max-time 60 --request-timeout 5

docs/api/node_modules: docs/api/package.json docs/api/package-lock.json
	cd docs/api && npm ci --ignore-scripts --omit=optional --no-audit --no-fund
	touch $@

CHECKOV := checkov==3.3.30

.PHONY: kubernetes-check
kubernetes-check: setup ## Gate: the manifests of Kubernetes keep to the policies of Checkov
	mkdir -p build/k8s
	for overlay in dev prod; do $(BIN)/kubectl kustomize k8s/overlays/$$overlay > build/k8s/$$overlay.yaml || exit 1; done
	CKV_SKIP_PACKAGE_UPDATE_CHECK=true $(BIN)/uv tool run --quiet --from $(CHECKOV) \
		checkov --config-file k8s/checkov.yaml --directory build/k8s

.PHONY: kubernetes-rules
kubernetes-rules: setup ## Write the rules of Prometheus as an object of Kubernetes
	$(BIN)/python tools/prometheus_rule.py

.PHONY: dashboard
dashboard: setup ## Write the dashboard for Grafana
	$(BIN)/python -m tools.dashboard

.PHONY: dashboard-picture
dashboard-picture: setup system ## Draw the dashboard with real data into docs/dashboard.png; takes three minutes
	$(BIN)/python -m tools.dashboard_picture

.PHONY: golden
golden: setup ## Write the kept prints of whole rounds anew; read the diff before you commit it
	$(BIN)/python -m tests.golden.records
	$(BIN)/python -m tests.golden.playthrough

SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct)
export SOURCE_DATE_EPOCH

.PHONY: release
release: setup ## Give what is unreleased in the changelog a version, everywhere that it stands: VERSION=1.2.3
	$(BIN)/python -m tools.release $(VERSION)

.PHONY: dist
dist: setup ## Build the wheels and the source archives into dist/; the same commit gives the same bytes
	rm -rf dist
	$(BIN)/python -m hatchling build --target sdist --target wheel
	cd sdk/python && ../../$(BIN)/python -m hatchling build --directory ../../dist

.PHONY: dist-test
dist-test: dist ## Install the wheel where nothing else is: it has all it needs; the archives can be made again
	$(BIN)/pytest tests/dist --numprocesses auto

IMAGE ?= localhost/mextrain
IMAGE_PACKAGES := buildah mmdebstrap
ENGINE_PACKAGES := aardvark-dns busybox-static iproute2 iptables netavark podman prometheus \
	prometheus-redis-exporter redis-tools runc

.PHONY: image
image: dist ## Build the image without a daemon, as root: IMAGE=name, IMAGE_BASE=debian from a registry
	@tools/debian_packages.sh $(IMAGE_PACKAGES)
	tools/image.sh build $(IMAGE)
	tools/image.sh unpack $(IMAGE) build/image/root

VALIDATOR := cyclonedx-python-lib[json-validation]==11.12.0

.PHONY: image-lint
image-lint: setup ## Gate: hadolint finds nothing in the Dockerfile
	$(BIN)/hadolint Dockerfile

.PHONY: sbom
sbom: image ## Write the bill of materials of the image to dist/, in CycloneDX, and hold it to its schema
	$(BIN)/python -m tools.sbom build/image/root dist/mextrain.cdx.json
	@$(BIN)/uv run --quiet --no-project --isolated --with '$(VALIDATOR)' tools/sbom_valid.py dist/mextrain.cdx.json

PIP_AUDIT := pip-audit==2.10.1

.PHONY: audit
audit: setup ## Ask OSV for known vulnerabilities of what the image installs; fails where OSV cannot be reached
	@$(BIN)/python -c 'import socket; socket.create_connection(("api.osv.dev", 443), 10)' 2>/dev/null || \
		{ echo 'audit: api.osv.dev cannot be reached from here, so nothing was checked' >&2; exit 2; }
	$(BIN)/uv tool run --quiet $(PIP_AUDIT) --strict --disable-pip --require-hashes \
		--vulnerability-service osv --requirement requirements-service.lock

# The tests have a network of their own, with every port free, so that documented lines run as they are.
.PHONY: image-test
image-test: sbom ## Run the image in podman, as root: it plays, writes nothing, stops; look at what is in it
	@tools/debian_packages.sh $(ENGINE_PACKAGES)
	@for left in 'rm --all --time 0' 'network prune' 'volume prune'; do tools/image.sh engine $$left --force; done
	unshare --net sh -c 'ip link set lo up && exec $(BIN)/pytest tests/image --numprocesses 0'

.PHONY: soak
soak: setup ## Play for ten minutes while workers die and watchers drop, then check all of it: ARGS="--seconds 60"
	@$(BIN)/python -m tests.soak $(ARGS)

.PHONY: faults
faults: setup ## Break service and store in 23 ways, ten minutes of play, then check all of it: ARGS="--only cut-tail"
	@$(BIN)/python -m tests.faults $(ARGS)

.PHONY: bench-setup
bench-setup: setup ## Install the peers that the benchmarks stand beside
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --requirement benchmarks/requirements.txt

.PHONY: bench-engine
bench-engine: bench-setup ## Measure the rules engine beside a peer; JSON=1 for one JSON object
	@$(BIN)/python -m benchmarks.engine

.PHONY: bench-service
bench-service: bench-setup ## Measure calls of the service beside a bare echo; JSON=1 for one JSON object
	@$(BIN)/python -m benchmarks.service $(ARGS)

.PHONY: bench-door
bench-door: bench-setup ## Measure calls that no transport carries; JSON=1 for one JSON object
	@$(BIN)/python -m benchmarks.door $(ARGS)

.PHONY: bench-against
bench-against: bench-setup ## Measure a benchmark beside an earlier commit: ARGS="<commit> door"
	@$(BIN)/python -m benchmarks.against $(ARGS)

.PHONY: bench-transports
bench-transports: bench-setup ## Measure PlayMove over both transports, and as JSON, beside a bare echo
	@$(BIN)/python -m benchmarks.transports $(ARGS)

.PHONY: bench-memory
bench-memory: bench-setup ## Measure what games and workers keep in memory; ARGS=--games=100000 for more
	@$(BIN)/python -m benchmarks.memory $(ARGS)

.PHONY: bench-steps
bench-steps: bench-setup ## Measure the longest step of the event loop at the worst tables
	@$(BIN)/python -m benchmarks.steps $(ARGS)

.PHONY: bench-flame
bench-flame: bench-setup ## Draw where the time of a move goes, into docs/move-flame.svg
	@$(BIN)/python -m benchmarks.flame $(ARGS)

.PHONY: bench-watch
bench-watch: bench-setup ## Measure 5,000 watchers on one worker; JSON=1 for one JSON object
	@$(BIN)/python -m benchmarks.watch $(ARGS)

.PHONY: bench-scale
bench-scale: bench-setup ## Measure moves with more and more workers on a Redis Cluster; JSON=1 for one JSON object
	@$(BIN)/python -m benchmarks.scale $(ARGS)

benchmarks/peers/node_modules: benchmarks/peers/package.json benchmarks/peers/package-lock.json
	cd benchmarks/peers && npm ci --ignore-scripts --no-audit --no-fund
	touch $@

.PHONY: bench-peers
bench-peers: bench-setup benchmarks/peers/node_modules ## Measure moves at the service and at other game servers; JSON=1 for one JSON object
	@$(BIN)/python -m benchmarks.peers $(ARGS)

.PHONY: capacity
capacity: setup ## Say what a load needs: ARGS="--games 1e6 --moves-per-day 1e9"; JSON=1 for one JSON object
	@$(BIN)/python -m benchmarks.capacity $(ARGS)

.PHONY: docs-capacity
docs-capacity: setup ## Write docs/capacity.md from the measured costs and the model
	$(BIN)/python -m benchmarks.capacity.page > docs/capacity.md

.PHONY: docs-rules
docs-rules: setup ## Write docs/rules.md from the rulebook and docs/rulebook
	$(BIN)/python -m tools.rules_page > docs/rules.md

.PHONY: docs-errors
docs-errors: setup ## Write docs/errors.md from the error table and the contract
	$(BIN)/python tools/error_page.py

.PHONY: docs-access
docs-access: setup ## Write docs/access.md from the matrix of callers
	$(BIN)/python -m tools.access_page

.PHONY: licences
licences: setup web/node_modules ## Write docs/licences.md, and the texts of what the pages are built of
	$(BIN)/python -m tools.licences

.PHONY: docs-check
docs-check: setup ## Gate: docs/rules.md is that of the rulebook
	$(BIN)/python -m tools.rules_page | diff docs/rules.md - || { echo 'run `make docs-rules`'; exit 1; }

.PHONY: lock
lock: setup ## Write the lock files anew from pyproject.toml; what still fits stays as it is
	$(BIN)/uv pip compile pyproject.toml --extra service --group dev --universal --python-version 3.11 \
		--generate-hashes --no-emit-index-url --no-emit-package mextrain-client --no-header --no-annotate --quiet \
		--output-file requirements.lock
	$(BIN)/uv pip compile pyproject.toml --extra hosted --extra tracing --universal --python-version 3.11 \
		--generate-hashes --no-emit-index-url --no-emit-package mextrain-client --no-header --no-annotate --quiet \
		--constraint requirements.lock --output-file requirements-service.lock
	echo schemathesis | $(BIN)/uv pip compile - --universal --python-version 3.11 \
		--generate-hashes --no-emit-index-url --no-header --no-annotate --quiet --output-file tools/schemathesis.lock

.PHONY: clean
clean: ## Remove what setup and the tools left
	rm -rf .venv build dist .coverage .hypothesis .mypy_cache .pytest_cache .ruff_cache .import_linter_cache
