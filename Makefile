# The doors into the project. `make` alone lists them.
# Coloured diagnostics are other flags to the compiler: a build in a pipe would do again what one on a terminal did.
# One process for a module, instead of another one that looks through all of it for what other modules need.
ONCE = -Xswiftc -no-emit-module-separately-wmo
SWIFT_BUILD = swift build -c release --static-swift-stdlib --no-color-diagnostics $(ONCE)
# Without optimisation, for those who try Tallymark and for the tests: a third of the time. The compiler takes a fifth less
# for whole modules than for their files, and needs no debugging information here.
SWIFT_BUILD_DEBUG = swift build --no-color-diagnostics \
  -Xswiftc -disable-batch-mode -Xswiftc -whole-module-optimization -Xswiftc -num-threads -Xswiftc 1 -Xswiftc -gnone $(ONCE)
# Said of each module, and nothing that a person could change.
WITHOUT_REMARKS = 2>&1 | grep --line-buffered -v 'Incremental compilation has been disabled'
SHELL = /bin/bash
.SHELLFLAGS = -o pipefail -c
# Whatever the locale is.
export PYTHONUTF8 = 1
PREFIX = /usr/local
DESTDIR =
SWIFT_SOURCES = Sources Tests Benchmarks Package.swift

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help setup setup-python setup-test setup-gate setup-deb setup-bench setup-root setup-swift build build-board build-bridge build-all build-tests run test gate endure bench install install-udev install-board install-bridge install-kiosk pictures uninstall deb deb-board deb-bridge deb-all hwdb types format check-format check-python check-house clean

help: ## list what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## install the Debian packages that the build needs, where they are missing
	@scripts/set-up build

# Tests/run is written in Python, and has the rest installed.
setup-python:
	@[[ -x /usr/bin/python3 ]] || scripts/set-up build

setup-test: ## install those that make test needs
	@scripts/set-up test

setup-gate: ## install those that all tests need
	@scripts/set-up gate

setup-deb: ## install those that building the Debian packages needs
	@scripts/set-up deb

setup-bench: ## install those that the benchmark needs
	@scripts/set-up bench

setup-root: ## check that the tests may become root
	@scripts/set-up root

build: setup ## build tallyd, tally-inputd, tally-input and tally into .build/release
	@echo "==> Building for release (the first time takes 3 minutes)"
	@$(SWIFT_BUILD) --target core-programs
	@scripts/write-manuals .build/release .build/share

build-board: build ## build tally-board as well, which shows the counts in browsers
	@echo "==> Building the board for release (the first time takes 2 minutes)"
	@$(SWIFT_BUILD) --product tally-board
	@scripts/write-manuals .build/release .build/share

build-bridge: build ## build tally-mqttd as well, which counts together with other machines
	@echo "==> Building the bridge for release (the first time takes a minute)"
	@$(SWIFT_BUILD) --product tally-mqttd
	@scripts/write-manuals .build/release .build/share

build-all: setup-deb ## build all programs
	@echo "==> Building all programs for release (the first time takes 7 minutes)"
	@$(SWIFT_BUILD) --target all-programs
	@scripts/write-manuals .build/release .build/share

build-tests: setup-test ## build the unit tests, and the programs that they start
	@echo "==> Building the tests (the first time takes 5 minutes)"
	@$(SWIFT_BUILD_DEBUG) --product tallymarkPackageTests $(WITHOUT_REMARKS)

run: setup ## count: start the core, the gesture daemon and the page, and show the counts live
	@echo "==> Building, without optimisation (the first time takes 2 minutes)"
	@$(SWIFT_BUILD_DEBUG) --target core-programs $(WITHOUT_REMARKS)
	@BUILD_BOARD='$(SWIFT_BUILD_DEBUG) --product tally-board' scripts/run

test: setup-python ## the quick tests (6 to 7 minutes the first time): units, a foreign client, and a press on a real kernel
	@Tests/run quick

gate: setup-python ## all tests that a change must pass (25 minutes the first time); Tests/run lists their parts, and runs one part or one test
	@Tests/run gate

endure: setup-python ## the long tests, one after the other (hours): fuzzing, kills, faults, times, mutation, coverage; keeps a report
	@Tests/run endure

pictures: build-board ## take the pictures of the page in Documentation, each view in six sizes, light and dark
	@Tests/Kit/Python/run browser Tests/Programs/Board/pictures.py

bench: setup-bench build-all ## measure speed and size beside Redis, and print the figures
	@Benchmarks/run

install: ## install below PREFIX (/usr/local, or /usr), or as a tree in DESTDIR; run make build before, and this as root
	@PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' scripts/install install

install-udev: ## install only what gives the known devices to the person at the machine
	@PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' scripts/install udev

install-board: ## install tally-board beside an installed Tallymark; as root, after make build-board
	@PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' scripts/install board

install-bridge: ## install tally-mqttd beside an installed Tallymark; as root, after make build-bridge
	@PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' scripts/install bridge

install-kiosk: ## install the full-screen page beside tally-board, weston and chromium; as root
	@PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' scripts/install kiosk

uninstall: ## take away what install put there; counts and configuration stay
	@PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' scripts/install uninstall

deb: setup-deb build ## build the Debian package tallymark
	@echo "==> Building the Debian package"
	@scripts/make-deb

deb-board: setup-deb build-board ## build the Debian packages tallymark, tallymark-board and tallymark-kiosk
	@echo "==> Building the Debian packages"
	@scripts/make-deb --board

deb-bridge: setup-deb build-bridge ## build the Debian packages tallymark and tallymark-mqtt
	@echo "==> Building the Debian packages"
	@scripts/make-deb --bridge

deb-all: build-all ## build all Debian packages
	@echo "==> Building the Debian packages"
	@scripts/make-deb --board --bridge

hwdb: ## write what udev knows of devices out of known-devices.toml
	@udev/make-hwdb

types: setup-swift ## write the Swift types of the interface out of its description
	@$(SWIFT_BUILD_DEBUG) --product write-types $(WITHOUT_REMARKS)
	@.build/debug/write-types Sources/Core/CoreService/org.tallymark.Counters.varlink Counters > .build/Interface.swift
	@mv .build/Interface.swift Sources/Core/CoreAPI/Interface.swift

# Says at once that there is no compiler, or an old one.
setup-swift:
	@scripts/set-up swift

format: setup-swift ## lay out all Swift sources
	@swift format -i -r $(SWIFT_SOURCES)

check-format: setup-swift ## check the layout of all Swift sources
	@echo "==> Checking the format"
	@swift format lint --strict -r $(SWIFT_SOURCES)

check-python: setup-test ## find undefined and unused names in Python
	@echo "==> Looking through the Python"
	@scripts/check-python

check-house: setup-swift ## check what uses what, the size of files, and the figure, links and words of the documents
	@echo "==> Looking at the house"
	@scripts/check-house
	@scripts/check-documents

clean: ## remove what was built
	rm -rf .build .build-python .build-home-assistant .build-fuzz .build-bench .build-sanitized .build-coverage .build-mutation .build-additions
