"""Kills board and core while a page counts."""

import sys
from pathlib import Path

from kit.browser import Browser
from kit import stories
from kit.pages import Stage


def main():
    browser = Browser()
    try:
        return stories.run(Path(__file__).resolve().parent, lambda programs: Stage(programs, browser))
    finally:
        browser.close()


if __name__ == "__main__":
    sys.exit(main())
