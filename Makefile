# The doors into the project. `make` alone lists them.
# Coloured diagnostics are other flags to the compiler: a build in a pipe would do again what one on a terminal did.
SWIFT_BUILD = swift build -c release --static-swift-stdlib --no-color-diagnostics
SWIFT_BUILD_TESTS = swift build --build-tests --no-color-diagnostics
PREFIX = /usr/local
DESTDIR =
SOAK = 3600
SWIFT_SOURCES = Sources Tests Fuzz Package.swift Board/Sources Board/Tests Board/Package.swift Bridge/Sources Bridge/Tests Bridge/Package.swift

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help setup setup-test setup-deb setup-bench build build-board build-bridge build-tests build-board-tests build-bridge-tests run test test-all soak coverage fuzz bench install install-udev install-board install-bridge install-kiosk uninstall deb deb-board deb-bridge hwdb format check-format check-python clean

help: ## list what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## install the Debian packages that the build needs, where they are missing
	@scripts/install-packages build
	@scripts/require-swift

setup-test: ## install the Debian packages that the tests need
	@scripts/install-packages test
	@scripts/require-swift

setup-deb: ## install those that building the Debian package needs
	@scripts/install-packages deb
	@scripts/require-swift

setup-bench: ## install those that the benchmark needs
	@scripts/install-packages bench
	@scripts/require-swift

build: setup ## build tallyd, tally-inputd, tally-input and tally into .build/release
	@echo "==> Building for release (the first time takes a few minutes)"
	@$(SWIFT_BUILD)
	@scripts/write-manuals .build/release .build/share

build-board: setup ## build tally-board, which shows the counts in browsers, into .build/release
	@echo "==> Building the board for release (the first time takes some minutes)"
	@$(SWIFT_BUILD) --package-path Board
	@scripts/write-manuals .build/release .build/share

build-bridge: setup ## build tally-mqttd, which counts together with other machines, into .build/release
	@echo "==> Building the bridge for release (the first time takes some minutes)"
	@$(SWIFT_BUILD) --package-path Bridge
	@scripts/write-manuals .build/release .build/share

run: setup ## count: start the core, the gesture daemon and the page, and show the counts live
	@echo "==> Building for release (the first time takes a few minutes)"
	@for program in tallyd tally-inputd tally-input tally; do $(SWIFT_BUILD) --product $$program || exit; done
	@echo "==> Building the board for release (the first time takes some minutes)"
	@$(SWIFT_BUILD) --package-path Board --product tally-board
	@scripts/run

build-tests: setup-test ## build the unit tests, and the programs that they start, for debugging
	@echo "==> Building the tests (the first time takes a few minutes)"
	@$(SWIFT_BUILD_TESTS)

build-board-tests: setup-test ## build the board's unit tests and tally-board for debugging
	@echo "==> Building the board's tests (the first time takes some minutes)"
	@$(SWIFT_BUILD_TESTS) --package-path Board

build-bridge-tests: setup-test ## build the bridge's unit tests and tally-mqttd for debugging
	@echo "==> Building the bridge's tests (the first time takes some minutes)"
	@$(SWIFT_BUILD_TESTS) --package-path Bridge

test: setup-test ## the quick tests (10 to 20 minutes): units, a foreign client, and a press on a real kernel
	@Tests/run quick

test-all: setup-test ## all tests (30 to 45 minutes); Tests/run lists their parts, and runs one part or one test
	@Tests/run all

soak: setup-test build ## random calls, kills, round trips and hostile clients for SOAK seconds (3600), beside a model
	@Tests/Endurance/Soak/run $(SOAK)

coverage: setup-test ## print which share of Sources the tests run, and which files they run least
	@scripts/measure-coverage

fuzz: setup-test ## feed all that reads devices, files and sockets with random input for ten minutes
	@Tests/Endurance/Fuzz/run 600

bench: setup-bench build build-board build-bridge ## measure speed and size beside Redis, and print the figures
	@Benchmarks/run

install: ## install below PREFIX (/usr/local, or /usr), or as a tree in DESTDIR; run make build before, and this as root
	@PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' scripts/install install

install-udev: ## install only what gives the known devices to the person at the machine
	@PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' scripts/install udev

install-board: ## install tally-board beside an installed Tallymark; as root, after make build-board
	@PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' scripts/install board

install-bridge: ## install tally-mqttd beside an installed Tallymark; as root, after make build-bridge
	@PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' scripts/install bridge

install-kiosk: ## install the full-screen page beside tally-board, cage and chromium; as root
	@PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' scripts/install kiosk

uninstall: ## take away what install put there; counts and configuration stay
	@PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' scripts/install uninstall

deb: setup-deb build ## build the Debian package tallymark, without the board
	@echo "==> Building the Debian package"
	@scripts/make-deb

deb-board: setup-deb build build-board ## build the Debian packages tallymark, tallymark-board and tallymark-kiosk
	@echo "==> Building the Debian packages"
	@scripts/make-deb --board

deb-bridge: setup-deb build build-bridge ## build the Debian packages tallymark and tallymark-mqtt
	@echo "==> Building the Debian packages"
	@scripts/make-deb --bridge

hwdb: ## write what udev knows of devices out of known-devices.toml
	@udev/make-hwdb

format: ## lay out all Swift sources
	@swift format -i -r $(SWIFT_SOURCES)

check-format: ## check the layout of all Swift sources
	@echo "==> Checking the format"
	@swift format lint --strict -r $(SWIFT_SOURCES)

check-python: setup-test ## find undefined and unused names in Python
	@echo "==> Looking through the Python"
	@scripts/check-python

clean: ## remove what was built
	rm -rf .build .build .build .build-foreign .build-paho .build-browser .build-home-assistant .build-fuzz .build-bench .build-sanitized .build-coverage .build-mutation
