"""The HTML page: self-contained, well formed, safe against its own texts, complete, and small."""

from __future__ import annotations

import re

import pytest
from report import extreme_data, page_parser, sample_data

from tfmigrate.model import Conversion
from tfmigrate.report import html
from tfmigrate.report.view import SourcePair
from tfmigrate.verify.results import ScriptReport

Input = tuple[Conversion | None, tuple[ScriptReport, ...]]

EXTREMES: dict[str, Input] = {
    "nothing": (None, ()),
    "no file": (extreme_data.empty(), ()),
    "all refused": (extreme_data.all_refused(), ()),
    "long names": extreme_data.named(extreme_data.LONG),
    "unicode": extreme_data.named(extreme_data.UNICODE),
    "hostile": extreme_data.named(extreme_data.HOSTILE),
    "lone surrogate": extreme_data.named("caf\udce9.py"),
    "empty name": extreme_data.named(""),
    "no numbers": (None, (extreme_data.without_numbers(),)),
    "huge": (None, (extreme_data.huge(),)),
    "odd": (None, (extreme_data.odd(),)),
    "same entry twice": (None, (extreme_data.odd(), extreme_data.odd())),
    "conversion only": (sample_data.conversion(), ()),
    "reports only": (None, sample_data.reports()),
    "both": (sample_data.conversion(), sample_data.reports()),
}


@pytest.fixture(scope="module")
def sample() -> str:
    return html.render(sample_data.conversion(), sample_data.reports(), title="legacy")


@pytest.mark.parametrize("name", EXTREMES)
def test_any_input_gives_a_well_formed_page_without_outside_parts(name: str) -> None:
    conversion, reports = EXTREMES[name]
    text = html.render(conversion, reports)
    page = page_parser.read(text)
    text.encode("utf-8")
    ids = page.with_attribute("id")
    assert len(ids) == len(set(ids)), "an anchor is given twice"
    links = [h for h in page.with_attribute("href") if h.startswith("#")]
    assert {h[1:] for h in links} <= set(ids), "a link leads nowhere"
    assert links == page.with_attribute("href"), "a link leads out of the page"
    assert not page.with_attribute("src")
    assert not page.with_attribute("style"), "an inline style would be refused by the page's own policy"
    assert not [e.tag for e in page.elements if e.tag in ("img", "iframe", "link", "object", "embed", "form", "base")]
    assert not re.search(r"url\(|@import", next(e.text for e in page.elements if e.tag == "style"))
    assert len(text.encode()) <= 1_000_000


@pytest.mark.parametrize("name", ["hostile", "unicode"])
def test_texts_of_programs_stay_texts(name: str) -> None:
    page = page_parser.read(html.render(*EXTREMES[name], title=extreme_data.HOSTILE))
    assert len([e for e in page.elements if e.tag == "script"]) == 1
    handlers = [a for e in page.elements for a in e.attributes if a.startswith("on")]
    assert handlers == []
    wanted = extreme_data.HOSTILE if name == "hostile" else extreme_data.UNICODE
    title = next(e.text for e in page.elements if e.tag == "h2" and "program-" in e.attributes.get("id", ""))
    assert title == ""
    names = [e.text for e in page.elements if e.attributes.get("href", "").startswith("#program-")]
    assert any(wanted.split()[0] in n for n in names)


def test_the_policy_names_the_very_style_and_script_of_the_page(sample: str) -> None:
    page = page_parser.read(sample)
    policy = next(e.attributes["content"] for e in page.elements if "http-equiv" in e.attributes)
    assert policy.startswith("default-src 'none';")
    assert "unsafe" not in policy
    for tag in ("style", "script"):
        body = re.search(rf"<{tag}>(.*?)</{tag}>", sample, re.DOTALL)
        assert body is not None
        assert html._hash(body[1]) in policy


def test_every_program_has_a_card_with_its_charts_and_every_finding_an_anchor(sample: str) -> None:
    page = page_parser.read(sample)
    conversion, reports = sample_data.conversion(), sample_data.reports()
    assert len(page.classed("program")) == len(conversion.programs)
    measured = [r for r in reports if r.sites]
    assert len(page.classed("chart")) == 3 * len(measured)
    ids = page.with_attribute("id")
    for result in conversion.files:
        for finding in result.findings:
            assert any(i.startswith(f"finding-{finding.code}-") and f"-{finding.place.line}-" in i for i in ids)


def test_every_changed_region_says_why(sample: str) -> None:
    hunks = sample.split('class="hunk"')[1:]
    assert len(hunks) >= len([p for p in sample_data.conversion().programs if p.sites])
    assert all("<li" in h.split("</tbody>")[0] for h in hunks)


def test_findings_stand_above_the_line_they_speak_of(sample: str) -> None:
    at = sample.index('id="finding-TFM304-trainers-saver_in_loop.py')
    code = re.sub(r"<[^>]+>", "", sample[at : at + 3_000])
    assert "a Saver is made in each iteration" in code
    assert code.index("a Saver is made") < code.index("saver = tf.train.Saver()")


def test_thirty_programs_fit_into_a_megabyte_with_everything_in() -> None:
    text = html.render(sample_data.conversion(30), sample_data.reports(30))
    assert len(text.encode()) < 1_000_000
    assert "Left out to keep it small" not in text


def test_a_page_that_would_be_too_large_says_what_it_leaves_out() -> None:
    text = html.render(sample_data.conversion(50), sample_data.reports(50))
    assert len(text.encode()) < 1_000_000
    assert "Left out to keep it small" in text


def test_the_same_input_gives_the_same_page() -> None:
    assert html.render(*EXTREMES["both"]) == html.render(*EXTREMES["both"])


def test_a_pair_without_a_conversion_shows_its_sources() -> None:
    reports = sample_data.reports(1)
    pair = SourcePair(
        reports[0].entry, "old.py", "new.py", "import tensorflow as tf\nx = 1\n", "import tensorflow as tf\nx = 2\n"
    )
    page = page_parser.read(html.render(None, reports, sources=(pair,)))
    assert len(page.classed("diff")) == 1
    assert len(page.classed("hunk")) == 1


def test_long_series_keep_their_peak_and_stay_small() -> None:
    text = html.render(None, (extreme_data.huge(),))
    bands = re.findall(r'<path class="band [a-z]+" d="([^"]+)"', text)
    assert bands
    assert all(len(b) < 2_000 for b in bands)
    for band in bands:
        tops = sorted(float(y) for y in re.findall(r"[ML][\d.]+ ([\d.]+)", band))
        assert tops[0] < tops[1] - 20, "the peak was thinned away"


def _luminance(colour: str) -> float:
    digits = colour.lstrip("#")
    digits = "".join(d * 2 for d in digits) if len(digits) == 3 else digits
    parts = [int(digits[i : i + 2], 16) / 255 for i in (0, 2, 4)]
    linear = [p / 12.92 if p <= 0.04045 else ((p + 0.055) / 1.055) ** 2.4 for p in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def _contrast(a: str, b: str) -> float:
    high, low = sorted((_luminance(a), _luminance(b)), reverse=True)
    return (high + 0.05) / (low + 0.05)


TEXT_ON = {
    "ink": ("paper", "card", "soft", "before-bg", "after-bg", "before-strong", "after-strong", "bad-bg"),
    "muted": ("paper", "card", "soft", "before-bg", "after-bg", "bad-bg"),
    "before": ("paper", "card", "before-bg"),
    "after": ("paper", "card", "after-bg"),
    "good": ("paper", "card", "good-bg"),
    "bad": ("paper", "card", "bad-bg"),
    "open": ("paper", "card", "open-bg"),
    "keyword": ("card", "before-bg", "after-bg", "before-strong", "after-strong"),
    "string": ("card", "before-bg", "after-bg", "before-strong", "after-strong"),
    "number": ("card", "before-bg", "after-bg", "before-strong", "after-strong"),
}


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_text_has_the_contrast_that_wcag_asks_for(sample: str, theme: int) -> None:
    block = re.findall(r":root\{([^}]*--paper[^}]*--number[^}]*)\}", sample)[theme]
    colours = dict(re.findall(r"--([a-z-]+):(#[0-9a-f]{3,6})", block))
    ratios = {(t, b): _contrast(colours[t], colours[b]) for t, grounds in TEXT_ON.items() for b in grounds}
    assert {pair: round(r, 2) for pair, r in ratios.items() if r < 4.5} == {}
