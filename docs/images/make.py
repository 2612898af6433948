#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Makes the pictures of README.md from real output:

    docs/images/make.py --understudy build/release/bin/understudy

terminal.png is the screen of `understudy rehearse --slice v6e-8` on a terminal of 100 columns,
page.png the page of its receipt. Needs chromium, which nothing else in the project needs.
"""
import argparse
import fcntl
import html
import os
import pathlib
import pty
import re
import struct
import subprocess
import tempfile
import termios
import zlib

FOLDER = pathlib.Path(__file__).parent
COLUMNS, ROWS = 100, 40
MOST_BYTES = 60_000
COLOURS = {"31": "#ff7b6b", "32": "#4cc38a", "33": "#e0b040", "2": "#9aa3ae", "1": "#ffffff"}
CODE = re.compile(r"\x1b\[([0-9;?]*)([A-Za-z])")


def recorded(words, environment):
    """What the command writes to a terminal."""
    parent, child = pty.openpty()
    fcntl.ioctl(child, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
    process = subprocess.Popen(words, stdin=child, stdout=child, stderr=child, env=environment)
    os.close(child)
    output = b""
    while True:
        try:
            part = os.read(parent, 1 << 16)
        except OSError:  # the last writer closed the terminal
            break
        if not part:
            break
        output += part
    if process.wait() != 0:
        raise SystemExit(f"{' '.join(words)}: exit code {process.returncode}\n{output.decode()}")
    return output.decode()


class Screen:
    """As much of a terminal as the display of understudy uses: colours, erasing, moving up."""

    def __init__(self):
        self.lines, self.row, self.column, self.look = [[]], 0, 0, ""

    def write(self, output):
        at = 0
        while at < len(output):
            code = CODE.match(output, at)
            if code:
                self.obey(code.group(1), code.group(2))
                at = code.end()
                continue
            self.put(output[at])
            at += 1

    def put(self, letter):
        if letter == "\n":
            self.row += 1
            while len(self.lines) <= self.row:
                self.lines.append([])
        elif letter == "\r":
            self.column = 0
        elif letter >= " ":
            line = self.lines[self.row]
            line.extend([(" ", "")] * (self.column + 1 - len(line)))
            line[self.column] = (letter, self.look)
            self.column += 1

    def obey(self, numbers, letter):
        first = int(numbers.split(";")[0] or 0) if "?" not in numbers else 0
        if letter == "m":
            self.look = "" if numbers in ("", "0") else numbers
        elif letter == "A":
            self.row = max(0, self.row - max(1, first))
        elif letter == "K":
            del self.lines[self.row][self.column if first == 0 else 0:]
        elif letter == "J":
            del self.lines[self.row][self.column:]
            del self.lines[self.row + 1:]

    def as_html(self):
        rows = []
        for line in self.lines:
            row = ""
            for letter, look in line:
                text = html.escape(letter)
                styles = [COLOURS[code] for code in look.split(";") if code in COLOURS]
                row += f'<span style="color:{styles[0]}">{text}</span>' if styles else text
            rows.append(row)
        while rows and not rows[-1].strip():
            rows.pop()
        return "\n".join(rows), len(rows)


def pixels_of(data):
    """Width, height, bytes of a pixel, and the rows of an 8-bit RGB or RGBA picture."""
    at, packed = 8, b""
    while at < len(data):
        size, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        if kind == b"IHDR":
            width, height, _, colour = struct.unpack(">IIBB", body[:10])
        packed += body if kind == b"IDAT" else b""
        at += size + 12
    raw, step = zlib.decompress(packed), {2: 3, 6: 4}[colour]
    rows, before = [], bytes(width * step)
    for y in range(height):
        start = y * (width * step + 1)
        how, row = raw[start], bytearray(raw[start + 1:start + 1 + width * step])
        for i in range(len(row)):  # PNG specification, section 9: filters
            a = row[i - step] if i >= step else 0
            b, c = before[i], before[i - step] if i >= step else 0
            near = min((abs(b - c), 0, a), (abs(a - c), 1, b), (abs(a + b - 2 * c), 2, c))[2]
            row[i] = (row[i] + (0, a, b, (a + b) // 2, near)[how]) & 255
        rows.append(bytes(row))
        before = row
    return width, height, step, rows


def shrink(picture):
    """Writes the picture again with a palette of at most 256 colours, which text needs not more."""
    width, height, step, rows = pixels_of(picture.read_bytes())
    palette, lines = {}, []
    for shift in range(3, 8):
        palette, lines = {}, []
        for row in rows:
            line = bytearray([0])
            for x in range(0, len(row), step):
                colour = tuple(min(255, (v + (1 << shift >> 1)) >> shift << shift)
                               for v in row[x:x + 3])
                line.append(palette.setdefault(colour, len(palette)) & 255)
            lines.append(bytes(line))
        if len(palette) <= 256:
            break

    def chunk(kind, body):
        return struct.pack(">I", len(body)) + kind + body + struct.pack(
            ">I", zlib.crc32(kind + body))

    picture.write_bytes(
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0))
        + chunk(b"PLTE", b"".join(bytes(colour) for colour in palette))
        + chunk(b"IDAT", zlib.compress(b"".join(lines), 9)) + chunk(b"IEND", b""))


def shoot(page, picture, width, height):
    with tempfile.TemporaryDirectory() as profile:
        subprocess.run(
            ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
             "--disable-lcd-text",
             f"--user-data-dir={profile}", f"--window-size={width},{height}",
             f"--screenshot={picture}", page.resolve().as_uri()],
            check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=120)
    shrink(picture)
    if picture.stat().st_size > MOST_BYTES:
        raise SystemExit(f"{picture}: {picture.stat().st_size} bytes, at most {MOST_BYTES}")


def main():
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("--understudy", default="build/release/bin/understudy")
    binary = str(pathlib.Path(options.parse_args().understudy).resolve())
    with tempfile.TemporaryDirectory() as work:
        folder = pathlib.Path(work)
        home = {"XDG_CACHE_HOME": f"{work}/cache", "XDG_STATE_HOME": f"{work}/state"}
        words = ["rehearse", "--slice", "v6e-8"]
        receipt = folder / "receipt.json"
        # The file of the receipt has no place in the picture.
        output = recorded([binary, *words, "--receipt", str(receipt)],
                          {**os.environ, **home, "TERM": "xterm-256color"})
        screen = Screen()
        screen.write(output)
        text, rows = screen.as_html()
        text = re.sub(r"\n?receipt: [^\n]*", "", text)
        page = folder / "terminal.html"
        page.write_text(
            '<meta charset="utf-8"><body style="margin:0;background:#14171b"><pre style="margin:0;'
            "padding:14px 16px;color:#d5dae0;font:13px/1.45 'DejaVu Sans Mono',monospace\">"
            f'<span style="color:#9aa3ae">$ understudy {" ".join(words)}</span>\n{text}</pre>')
        shoot(page, FOLDER / "terminal.png", 830, rows * 19 + 28)
        subprocess.run([binary, "receipt", "html", receipt, "--out", folder / "page.html"],
                       check=True, stdout=subprocess.DEVNULL)
        shoot(folder / "page.html", FOLDER / "page.png", 1120, 1000)


if __name__ == "__main__":
    main()
