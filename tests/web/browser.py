"""A real Chromium, its windows, and what is asked of every page in them."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.async_api import (
    Browser,
    BrowserContext,
    ConsoleMessage,
    Page,
    async_playwright,
    expect,
)

from tests.project.tree import ROOT

CHROMIUM: Final = Path("/usr/bin/chromium")
FLAGS: Final = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update"),
)
SCREENSHOTS: Final = ROOT / "build" / "screenshots"
AXE: Final = ROOT / "tests" / "web" / "node_modules" / "axe-core" / "axe.min.js"

PATIENCE_MS: Final = 100_000
"""How long something may take to appear. Far more than it does, for machines that do much else."""

IN_BROWSER: Final = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.timeout(600)]
"""What the tests of a module that uses the browser are marked with."""

DESKTOP: Final = {"viewport": {"width": 1280, "height": 800}}
PHONE: Final = {
    "viewport": {"width": 390, "height": 844},
    "device_scale_factor": 2,
    "is_mobile": True,
    "has_touch": True,
}

expect.set_options(timeout=PATIENCE_MS)


@asynccontextmanager
async def chromium() -> AsyncIterator[Browser]:
    """Run Debian's Chromium while the context is open, with a profile of its own."""
    assert CHROMIUM.exists(), "chromium is needed; `make test` installs it where it may"
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(
            executable_path=CHROMIUM, args=FLAGS, timeout=2 * PATIENCE_MS
        )
        yield browser
        await browser.close()


@dataclass
class Windows:
    """The windows of one test, and what went wrong in them.

    Attributes:
        complaints: errors of scripts, refused resources, requests to anywhere else.
    """

    browser: Browser
    complaints: list[str] = field(default_factory=list)
    _contexts: list[BrowserContext] = field(default_factory=list)
    _expected: list[str] = field(default_factory=list)

    async def open(self, url: str, **looks: Any) -> Page:
        """Open an address as somebody who was never there; ``looks`` are Playwright's options."""
        settings = {"locale": "en-GB", "reduced_motion": "reduce", **DESKTOP, **looks}
        context = await self.browser.new_context(**settings)
        context.set_default_timeout(PATIENCE_MS)
        self._contexts.append(context)
        page = await context.new_page()
        origin = "/".join(url.split("/")[:3])
        page.on("request", lambda request: self._watch(request.url, origin))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", self._hear)
        await page.goto(url)
        return page

    def expect_complaint(self, part: str) -> None:
        """Pass over errors that have this in their text; the test brings them about."""
        self._expected.append(part)

    async def close(self) -> None:
        """Close all of them."""
        for context in self._contexts:
            await context.close()

    def _hear(self, said: ConsoleMessage) -> None:
        if said.type == "error" and not any(part in said.text for part in self._expected):
            self.complaints.append(said.text)

    def _watch(self, url: str, origin: str) -> None:
        if not url.startswith((f"{origin}/", "data:", "blob:")):
            self.complaints.append(f"asks {url}")


async def keep_picture(page: Page, name: str, *, whole: bool = False) -> None:
    """Keep a screenshot for people to look at."""
    SCREENSHOTS.mkdir(parents=True, exist_ok=True)
    await page.screenshot(path=SCREENSHOTS / f"{name}.png", full_page=whole)


async def assert_accessible(page: Page) -> None:
    """Fail with what axe finds on the page as it stands."""
    assert AXE.exists(), "`make tests/web/node_modules` installs axe"
    if not await page.evaluate("'axe' in window"):
        await page.evaluate(AXE.read_text("utf-8"))
    rules = await page.evaluate("axe.run().then(({violations}) => violations)")
    found = [f"{rule['id']}: {node['html']}" for rule in rules for node in rule["nodes"]]
    assert not found, "\n".join(found)


async def assert_fits(page: Page) -> None:
    """Fail if the page can be scrolled sideways."""
    over = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
    assert 0 == await page.evaluate(over)
