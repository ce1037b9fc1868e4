# The doors into the project. `make` alone lists them.
# Coloured diagnostics are other flags to the compiler: a build in a pipe would do again what one on a terminal did.
SWIFT_BUILD = swift build -c release --static-swift-stdlib --no-color-diagnostics
SWIFT_BUILD_TESTS = swift build --build-tests --no-color-diagnostics
PREFIX = /usr/local
DESTDIR =
SWIFT_SOURCES = Sources Tests Fuzz Package.swift

.DEFAULT_GOAL := help
.NOTPARALLEL:
.PHONY: help setup setup-test setup-deb setup-bench build run test unit-test fuzz-test kill-test foreign-test manual-test vm-test fuzz bench install install-udev uninstall deb hwdb format check-format check-python clean

help: ## list what can be made
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: ## install the Debian packages that the build needs, where they are missing
	@scripts/install-packages build
	@scripts/require-swift

setup-test: ## the same for the tests
	@scripts/install-packages test
	@scripts/require-swift

setup-deb: ## the same for the Debian package
	@scripts/install-packages deb
	@scripts/require-swift

setup-bench: ## the same for the benchmark
	@scripts/install-packages bench
	@scripts/require-swift

build: setup ## build tallyd, tally-inputd and tally into .build/release
	@echo "==> Building for release (the first time takes a few minutes)"
	@$(SWIFT_BUILD)
	@scripts/write-manuals .build/release .build/share

run: build ## count: start the core and the gesture daemon, and show the counts live
	@scripts/run

test: setup-test check-python unit-test fuzz-test kill-test foreign-test manual-test vm-test ## run all tests, those in the virtual machine too
	@echo "==> All tests passed"

unit-test: build ## run the unit tests only
	@udev/make-hwdb --check
	@scripts/check-daemons .build/release
	@echo "==> Building the unit tests (the first time takes a few minutes)"
	@$(SWIFT_BUILD_TESTS)
	@echo "==> Unit tests (a few minutes, in which only failures are told)"
	@scripts/unit-test

fuzz-test: setup-test ## feed the readers and recognisers with random input, each for a minute
	@echo "==> Random input for what reads devices, files and sockets"
	@Fuzz/run 60

fuzz: setup-test ## the same for ten minutes; says what broke
	@Fuzz/run 600

kill-test: build ## kill the daemons 200 times while a pedal is pressed; Tests/Kills/run 10000 does it longer
	@echo "==> Killing either daemon or both at random moments"
	@Tests/Kills/run 200

foreign-test: build ## run the test with PyPI's Varlink client only
	@echo "==> A client that nobody here wrote: PyPI's varlink"
	@Tests/ForeignClient/run

manual-test: setup-test build ## hold the manual pages against the programs only
	@echo "==> Manual pages and completions"
	@Tests/Manuals/run

vm-test: deb ## run the tests on a real kernel only
	@echo "==> Tests on a real kernel: USB pedal, presenter and touchscreen in virtual machines"
	@Tests/VirtualMachine/all

bench: setup-bench build ## measure speed and size beside Redis, and print the figures
	@Benchmarks/run

install: ## install below PREFIX (/usr/local, or /usr), or as a tree in DESTDIR; run make build before, and this as root
	@PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' scripts/install install

install-udev: ## install only what gives the known devices to the person at the machine
	@PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' scripts/install udev

uninstall: ## take away what install put there; counts and configuration stay
	@PREFIX='$(PREFIX)' DESTDIR='$(DESTDIR)' scripts/install uninstall

deb: setup-deb build ## build a Debian package of the programs
	@echo "==> Building the Debian package"
	@scripts/make-deb

hwdb: ## write what udev knows of devices out of known-devices.toml
	@udev/make-hwdb

format: ## lay out all Swift sources
	@swift format -i -r $(SWIFT_SOURCES)

check-format: ## check the layout of all Swift sources
	@echo "==> Checking the format"
	@swift format lint --strict -r $(SWIFT_SOURCES)

check-python: setup-test ## look through all Python for names that are nowhere defined, imported or used
	@echo "==> Looking through the Python"
	@scripts/check-python

clean: ## remove what was built
	rm -rf .build .build-foreign .build-fuzz .build-bench
