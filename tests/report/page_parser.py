"""Reads a page back: its elements with attributes and texts; complains where the page is not well formed."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser

_VOID = {"meta", "col", "br", "link", "img", "input"}
_OPTIONAL = {"td", "tr", "th", "tbody", "li"}  # elements whose end tag HTML lets go


@dataclass
class Element:
    """An element with its attributes and the text directly inside it."""

    tag: str
    attributes: dict[str, str]
    text: str = ""


@dataclass
class Page(HTMLParser):
    """The page's elements in order. Raises AssertionError on an end tag that closes nothing."""

    elements: list[Element] = field(default_factory=list)
    stack: list[Element] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__(convert_charrefs=True)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        assert len(names) == len(set(names)), f"an attribute is given twice on <{tag}>: {names}"
        element = Element(tag, {name: value or "" for name, value in attrs})
        self.elements.append(element)
        if tag not in _VOID:
            self.stack.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append(Element(tag, {name: value or "" for name, value in attrs}))

    def handle_endtag(self, tag: str) -> None:
        while self.stack and self.stack[-1].tag != tag:
            assert self.stack[-1].tag in _OPTIONAL, (
                f"</{tag}> closes <{self.stack[-1].tag}> {self.stack[-1].attributes}"
            )
            self.stack.pop()
        assert self.stack, f"</{tag}> closes nothing"
        self.stack.pop()

    def handle_data(self, data: str) -> None:
        if self.stack:
            self.stack[-1].text += data

    def with_attribute(self, name: str) -> list[str]:
        """The values of an attribute over all elements."""
        return [e.attributes[name] for e in self.elements if name in e.attributes]

    def classed(self, name: str) -> list[Element]:
        """The elements of a class."""
        return [e for e in self.elements if name in e.attributes.get("class", "").split()]


def read(text: str) -> Page:
    """The parsed page, all elements closed."""
    page = Page()
    page.feed(text)
    page.close()
    assert not [e.tag for e in page.stack if e.tag not in _OPTIONAL], [e.tag for e in page.stack]
    return page
