"""The page in a real Chromium: it loads without a complaint, lays out at both widths, and can be walked by keyboard."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from report import extreme_data, sample_data

from tfmigrate.report import html

pytestmark = pytest.mark.chromium

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
)
WIDTHS = (360, 1440)

OPEN_ALL = "document.querySelectorAll('details').forEach(d => { d.open = true; });"
BEYOND = """
    return [...document.querySelectorAll('main *')]
      .filter(e => !e.closest('.scroll, svg, .hidden, .symbols'))
      .filter(e => e.getBoundingClientRect().right > innerWidth + 1)
      .map(e => e.tagName + '.' + e.className);
"""
CHARTS = """
    return [...document.querySelectorAll('figure.chart')].map(f => [
      f.querySelector('svg').getBoundingClientRect().width,
      [...f.querySelectorAll('.line')].map(p => p.getTotalLength()),
      f.querySelectorAll('.label').length,
      [...f.querySelectorAll('text')].filter(t => t.getBoundingClientRect().right > innerWidth).length,
    ]);
"""
OVERLAPS = """
    const cover = (p, q) =>
      p.left < q.right - 1 && q.left < p.right - 1 && p.top < q.bottom - 3 && q.top < p.bottom - 3;
    return [...document.querySelectorAll('figure.chart svg')].filter(s => {
      const boxes = [...s.querySelectorAll('text:not(.read)')].map(t => t.getBoundingClientRect());
      return boxes.some((p, i) => boxes.some((q, j) => j > i && cover(p, q)));
    }).map(s => s.getAttribute('aria-label'));
"""
IN_VIEW = """
    const b = document.activeElement.getBoundingClientRect();
    return b.height > 0 && b.top < innerHeight && b.bottom > 0;
"""
CELLS = """
    const row = document.querySelector('.diff tr.x');
    return [...row.children].map(c => { const b = c.getBoundingClientRect(); return [b.left, b.top]; });
"""
WALK = """
    const file = [...document.querySelectorAll('details.file')].find(d => d.querySelectorAll('.hunk').length > 2);
    const at = () => [...file.querySelectorAll('.hunk')].findIndex(h => h.classList.contains('here'));
    const [back, on] = file.querySelectorAll('button');
    file.scrollIntoView();
    return [on, on, back].map(button => { button.click(); return at(); });
"""


@pytest.fixture(scope="module")
def browser(chromium_path: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """A Chromium with a fresh profile, driven over Debian's chromedriver."""
    from selenium import webdriver
    from selenium.webdriver.chrome import service

    options = webdriver.ChromeOptions()
    options.binary_location = str(chromium_path)
    for flag in (*FLAGS, f"--user-data-dir={tmp_path_factory.mktemp('profile')}"):
        options.add_argument(flag)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    chromium = webdriver.Chrome(options=options, service=service.Service(shutil.which("chromedriver")))
    yield chromium
    chromium.quit()


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report") / "report.html"
    path.write_text(html.render(sample_data.conversion(), sample_data.reports()), encoding="utf-8")
    return path


def _open(browser: Any, path: Path, width: int = 1440, scheme: str = "light") -> None:
    browser.execute_cdp_cmd(
        "Emulation.setDeviceMetricsOverride",
        {"width": width, "height": 900, "deviceScaleFactor": 1, "mobile": width < 600},
    )
    feature = {"name": "prefers-color-scheme", "value": scheme}
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [feature]})
    browser.get("about:blank")
    browser.get_log("browser")
    browser.get(path.as_uri())


def _press(browser: Any, keys: str) -> None:
    from selenium.webdriver.common.action_chains import ActionChains

    ActionChains(browser).send_keys(keys).perform()


def _focused(browser: Any) -> str:
    return str(browser.execute_script("return document.activeElement.id"))


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
def test_nothing_is_wider_than_the_window_and_nothing_is_complained_of(
    browser: Any, page: Path, width: int, scheme: str
) -> None:
    _open(browser, page, width, scheme)
    browser.execute_script(OPEN_ALL)
    assert browser.execute_script("return document.documentElement.scrollWidth") == width
    assert browser.execute_script(BEYOND) == []
    assert browser.get_log("browser") == []


@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize(
    "name", [extreme_data.LONG, extreme_data.UNICODE, extreme_data.HOSTILE], ids=["long", "unicode", "hostile"]
)
def test_extreme_texts_neither_run_nor_break_the_layout(browser: Any, tmp_path: Path, name: str, width: int) -> None:
    path = tmp_path / "extreme.html"
    path.write_text(html.render(*extreme_data.named(name), title=name), encoding="utf-8")
    _open(browser, path, width)
    browser.execute_script(OPEN_ALL)
    assert browser.execute_script("return document.documentElement.scrollWidth") == width
    assert browser.execute_script("return document.scripts.length") == 1
    assert browser.get_log("browser") == []


@pytest.mark.parametrize("width", WIDTHS)
def test_every_chart_is_drawn(browser: Any, page: Path, width: int) -> None:
    _open(browser, page, width)
    charts = browser.execute_script(CHARTS)
    assert len(charts) == 3 * sum(bool(r.sites) for r in sample_data.reports())
    for drawn_width, lengths, labels, cut_off in charts:
        assert drawn_width > 280
        assert len(lengths) == labels == 2
        assert min(lengths) > 100
        assert cut_off == 0


def test_the_labels_of_a_chart_do_not_cover_each_other(browser: Any, page: Path) -> None:
    _open(browser, page)
    assert browser.execute_script(OVERLAPS) == []


@pytest.mark.parametrize("width", WIDTHS)
def test_changes_and_programs_are_walked_by_keyboard(browser: Any, page: Path, width: int) -> None:
    _open(browser, page, width)
    hunks = browser.execute_script("return [...document.querySelectorAll('.hunk')].map(h => h.id)")
    assert len(hunks) > 10
    _press(browser, "n")
    assert _focused(browser) == hunks[0]
    _press(browser, "nn")
    assert _focused(browser) == hunks[2]
    _press(browser, "p")
    assert _focused(browser) == hunks[1]
    assert browser.execute_script(IN_VIEW), "the change that has the focus is not in view"
    _press(browser, "p" * 5)
    assert _focused(browser) == hunks[0]
    _press(browser, "n" * (len(hunks) + 3))
    assert _focused(browser) == hunks[-1]
    programs = browser.execute_script("return [...document.querySelectorAll('.program')].map(p => p.id)")
    _press(browser, "o")
    assert _focused(browser) == "main"
    _press(browser, "jj")
    assert _focused(browser) == programs[1]
    _press(browser, "k")
    assert _focused(browser) == programs[0]
    assert browser.get_log("browser") == []


def test_the_buttons_walk_through_the_changes_of_their_file(browser: Any, page: Path) -> None:
    _open(browser, page, 360)
    browser.execute_script(OPEN_ALL)
    first, second, third = browser.execute_script(WALK)
    assert (second - first, third - second) == (1, -1)


def test_a_link_to_a_finding_opens_what_hides_it(browser: Any, page: Path) -> None:
    _open(browser, page)
    anchor = browser.execute_script(
        "return document.querySelector('#notes .places a.place').getAttribute('href').slice(1)"
    )
    browser.execute_script("document.querySelector('#notes .places a.place').click()")
    script = (
        "const b = document.getElementById(arguments[0]).getBoundingClientRect();"
        " return b.height > 0 && b.top >= 0 && b.bottom <= innerHeight"
    )
    from selenium.webdriver.support.ui import WebDriverWait

    WebDriverWait(browser, 5).until(lambda b: b.execute_script(script, anchor))


def test_a_pointer_reads_a_value_off_a_chart(browser: Any, page: Path) -> None:
    _open(browser, page)
    text = browser.execute_script(
        "const s = document.querySelector('figure.chart svg'); const b = s.getBoundingClientRect();"
        "s.dispatchEvent(new PointerEvent('pointermove', {clientX: b.left + b.width / 2, clientY: b.top + 50}));"
        "return s.querySelector('.read').textContent"
    )
    assert text.startswith("step ")
    assert "before " in text
    assert " ms" in text


def test_columns_stand_side_by_side_on_a_wide_page_and_below_each_other_on_a_phone(browser: Any, page: Path) -> None:
    _open(browser, page, 1440)
    browser.execute_script(OPEN_ALL)
    _, before, _, after = browser.execute_script(CELLS)
    assert before[1] == after[1]
    assert before[0] < after[0] - 200
    _open(browser, page, 360)
    browser.execute_script(OPEN_ALL)
    _, before, _, after = browser.execute_script(CELLS)
    assert before[0] == after[0]
    assert before[1] < after[1]


def test_the_page_works_without_its_script(browser: Any, page: Path) -> None:
    browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        _open(browser, page)
    finally:
        browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})
    counts = browser.execute_script(
        "return [document.querySelectorAll('.program').length, document.querySelectorAll('.chart .line').length,"
        " document.querySelectorAll('.diff tr').length]"
    )
    assert min(counts) > 5


def test_tables_have_headers_and_everything_to_press_has_a_name(browser: Any, page: Path) -> None:
    _open(browser, page)
    nameless = browser.execute_script(
        "return [...document.querySelectorAll('a, button, summary, svg[role=img]')]"
        ".filter(e => !(e.textContent.trim() || e.getAttribute('aria-label'))).length"
    )
    assert nameless == 0
    headless = browser.execute_script(
        "return [...document.querySelectorAll('table')].filter(t => !t.querySelector('th[scope]')).length"
    )
    assert headless == 0


def test_print_shows_the_diffs_and_leaves_out_the_controls(browser: Any, page: Path) -> None:
    _open(browser, page)
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
    browser.execute_script("dispatchEvent(new Event('beforeprint'))")
    shown = browser.execute_script(
        "return [getComputedStyle(document.querySelector('.toc')).display,"
        " document.querySelector('.diff').offsetHeight > 0]"
    )
    assert shown == ["none", True]
    browser.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})
