"""Reads TensorBoard event files without TensorFlow: the record framing of TFRecord and the few protobuf fields that
summaries use.

Sources: tensorflow/core/util/event.proto, tensorflow/core/framework/summary.proto and tensor.proto,
tensorflow/core/lib/io/record_writer.cc. Version 1 writes `simple_value` and `histo`, version 2 a tensor with the
plugin's name; both come out as SummaryValue.
"""

from __future__ import annotations

import hashlib
import struct
from collections.abc import Iterator
from pathlib import Path

from tfmigrate.verify.trace import SummaryValue

Field = tuple[int, int, "int | bytes"]  # number, wire type, value


def read(path: Path) -> tuple[SummaryValue, ...]:
    """All values in the file, in its order. A record cut short (the program was killed) ends the reading."""
    data, position = path.read_bytes(), 0
    values: list[SummaryValue] = []
    while position + 12 <= len(data):
        (length,) = struct.unpack_from("<Q", data, position)
        body = data[position + 12 : position + 12 + length]
        if len(body) < length:
            break
        position += 16 + length
        values.extend(_event(body))
    return tuple(values)


def _event(body: bytes) -> Iterator[SummaryValue]:
    step, summaries = 0, []
    for number, _, value in _fields(body):
        if number == 2 and isinstance(value, int):
            step = value - (1 << 64) if value >> 63 else value
        elif number == 5 and isinstance(value, bytes):
            summaries.append(value)
    for summary in summaries:
        for number, _, value in _fields(summary):
            if number == 1 and isinstance(value, bytes):
                found = _value(value, step)
                if found is not None:
                    yield found


def _value(body: bytes, step: int) -> SummaryValue | None:
    parts = {number: value for number, _, value in _fields(body)}
    tag = _text(parts.get(1))
    simple, histogram, image, tensor = parts.get(2), parts.get(5), parts.get(4), parts.get(8)
    if isinstance(simple, int):
        return SummaryValue(tag, step, (struct.unpack("<f", struct.pack("<I", simple))[0],), "scalar")
    if isinstance(histogram, bytes):
        moments = {
            number: struct.unpack("<d", struct.pack("<Q", value))[0]
            for number, kind, value in _fields(histogram)
            if kind == 1 and isinstance(value, int)
        }
        return SummaryValue(tag, step, tuple(moments.get(number, 0.0) for number in range(1, 6)), "histogram")
    if isinstance(image, bytes):
        return SummaryValue(tag, step, _image(image), "image")
    if isinstance(tensor, bytes):
        metadata = parts.get(9)
        return _tensor(tag, step, _plugin(metadata) if isinstance(metadata, bytes) else "", tensor)
    return None


def _image(body: bytes) -> tuple[float, ...]:
    parts = {number: value for number, _, value in _fields(body)}
    return tuple(float(value) for value in (parts.get(1, 0), parts.get(2, 0)) if isinstance(value, int))


def _plugin(metadata: bytes) -> str:
    for number, _, value in _fields(metadata):
        if number == 1 and isinstance(value, bytes):
            return next((_text(name) for inner, _, name in _fields(value) if inner == 1), "")
    return ""


def _tensor(tag: str, step: int, plugin: str, body: bytes) -> SummaryValue | None:
    numbers, strings = _decode(body)
    if plugin == "scalars" or (plugin == "" and len(numbers) == 1):
        return SummaryValue(tag, step, tuple(numbers[:1]), "scalar")
    if plugin == "histograms":
        return SummaryValue(tag, step, _moments(numbers), "histogram")
    if plugin == "images":
        return SummaryValue(
            tag, step, tuple(float(_text(size)) for size in strings[:2][::-1] if _text(size).isdigit()), "image"
        )
    if plugin == "text" or strings:
        content = b"\n".join(strings)
        return SummaryValue(
            tag, step, (float(int.from_bytes(hashlib.blake2b(content, digest_size=6).digest(), "big")),), "text"
        )
    return SummaryValue(tag, step, tuple(numbers), "other") if tag != "keras" else None


def _moments(numbers: list[float]) -> tuple[float, ...]:
    """(min, max, num, sum, sum of squares) of buckets (left, right, count), values taken at the bucket's middle."""
    buckets = [bucket for bucket in zip(numbers[0::3], numbers[1::3], numbers[2::3], strict=True) if bucket[2] > 0]
    if not buckets:
        return (0.0,) * 5
    middles = [((left + right) / 2, count) for left, right, count in buckets]
    return (
        buckets[0][0],
        buckets[-1][1],
        sum(count for _, count in middles),
        sum(middle * count for middle, count in middles),
        sum(middle * middle * count for middle, count in middles),
    )


def _decode(body: bytes) -> tuple[list[float], list[bytes]]:
    """(numbers, strings) of a TensorProto of float, double, int32, int64 or string."""
    dtype, content = 0, b""
    numbers: list[float] = []
    strings: list[bytes] = []
    for number, kind, value in _fields(body):
        if number == 1 and isinstance(value, int):
            dtype = value
        elif number == 4 and isinstance(value, bytes):
            content = value
        elif number == 8 and isinstance(value, bytes):
            strings.append(value)
        elif number in (5, 6, 7, 10):
            numbers.extend(_numbers(number, kind, value))
    formats = {1: "f", 2: "d", 3: "i", 9: "q"}
    if content and dtype in formats:
        size = struct.calcsize("<" + formats[dtype])
        numbers = [
            float(item)
            for item in struct.unpack(
                f"<{len(content) // size}{formats[dtype]}", content[: len(content) // size * size]
            )
        ]
    return numbers, strings


def _numbers(number: int, kind: int, value: int | bytes) -> list[float]:
    code = {5: "f", 6: "d"}.get(number)
    if code is None:
        return [float(value)] if isinstance(value, int) else [float(item) for item in _varints(value)]
    if isinstance(value, int):
        return [float(struct.unpack("<" + code, struct.pack("<I" if code == "f" else "<Q", value))[0])]
    return [float(item) for item in struct.unpack(f"<{len(value) // struct.calcsize(code)}{code}", value)]


def _varints(data: bytes) -> Iterator[int]:
    position = 0
    while position < len(data):
        value, position = _varint(data, position)
        yield value


def _varint(data: bytes, position: int) -> tuple[int, int]:
    value, shift = 0, 0
    while True:
        byte = data[position]
        value |= (byte & 0x7F) << shift
        position, shift = position + 1, shift + 7
        if not byte & 0x80:
            return value, position


def _fields(data: bytes) -> Iterator[Field]:
    """(number, wire type, value) of each field; a message cut short ends."""
    position = 0
    try:
        while position < len(data):
            key, position = _varint(data, position)
            kind = key & 7
            if kind == 0:
                value, position = _varint(data, position)
                yield key >> 3, kind, value
            elif kind in (1, 5):
                size = 8 if kind == 1 else 4
                yield key >> 3, kind, int.from_bytes(data[position : position + size], "little")
                position += size
            elif kind == 2:
                size, position = _varint(data, position)
                yield key >> 3, kind, data[position : position + size]
                position += size
            else:
                return
    except IndexError:
        return


def _text(value: int | bytes | None) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else ""
