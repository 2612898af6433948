# SPDX-License-Identifier: Apache-2.0
"""Bus bandwidth over size as an SVG picture, ours and the rival's, for one number of ranks."""
import math

WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 860, 480, 96, 60, 50, 200
COLOURS = {"hbm": "#1b6ca8", "shared_result": "#2a9d4a", "private": "#b8621b", "rival": "#555555"}
NAMES = {"hbm": "ours, operands and results in HBM", "shared_result": "ours, one shared result",
         "private": "ours, private buffers", "rival": "Open MPI, default"}


def size_text(size):
    for unit, name in ((1 << 20, "MiB"), (1 << 10, "KiB")):
        if size >= unit:
            return f"{size // unit} {name}"
    return f"{size} B"


def curves_of(rows, bandwidth):
    """Per curve a list of (bytes, bytes per second), for the all_reduce of f32 on most ranks."""
    rows = [row for row in rows if row["kind"] == "all_reduce" and row["dtype"] == "f32"
            and row["rival_setting"] == "default"]
    if not rows:
        raise SystemExit("bench: no all_reduce of f32 to draw")
    ranks = 8 if any(row["ranks"] == 8 for row in rows) else max(row["ranks"] for row in rows)
    curves = {}
    for row in rows:
        if row["ranks"] != ranks:
            continue
        curves.setdefault(row["path"], []).append(
            (row["bytes"], bandwidth(row["kind"], ranks, row["bytes"], row["ours_seconds"])))
        if row["path"] == "hbm":
            curves.setdefault("rival", []).append(
                (row["bytes"], bandwidth(row["kind"], ranks, row["bytes"], row["rival_seconds"])))
    return ranks, {name: sorted(points) for name, points in curves.items()}


def draw(rows, bandwidth):
    """Returns the SVG text."""
    ranks, curves = curves_of(rows, bandwidth)
    sizes = sorted({size for points in curves.values() for size, _ in points})
    rates = [rate for points in curves.values() for _, rate in points]
    low, high = math.floor(math.log10(min(rates))), math.ceil(math.log10(max(rates)))
    span = max(math.log2(sizes[-1] / sizes[0]), 1)

    def x(size):
        return LEFT + (WIDTH - LEFT - RIGHT) * math.log2(size / sizes[0]) / span

    def y(rate):
        return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * (math.log10(rate) - low) / (high - low)

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" '
             f'viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="12">',
             f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
             f'<text x="{LEFT}" y="28" font-size="16">all_reduce of f32 on {ranks} ranks of one '
             'machine: bus bandwidth over size</text>']
    for power in range(low, high + 1):
        at = y(10 ** power)
        text = f"{10 ** (power - 9):g} GB/s"
        parts.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{at:.1f}" y2="{at:.1f}" '
                     f'stroke="#dddddd"/><text x="{LEFT - 6}" y="{at + 4:.1f}" '
                     f'text-anchor="end">{text}</text>')
    for size in sizes:
        at = x(size)
        parts.append(f'<text x="{at:.1f}" y="{HEIGHT - BOTTOM + 14}" text-anchor="end" '
                     f'transform="rotate(-40 {at:.1f} {HEIGHT - BOTTOM + 14})">{size_text(size)}'
                     '</text>')
    for name, points in curves.items():
        path = " ".join(f"{x(size):.1f},{y(rate):.1f}" for size, rate in points)
        dash = ' stroke-dasharray="6 4"' if name == "rival" else ""
        parts.append(f'<polyline points="{path}" fill="none" stroke="{COLOURS[name]}" '
                     f'stroke-width="2"{dash}/>')
    # Labels at the ends of the curves, moved apart if they would overlap.
    ends = sorted((y(points[-1][1]), name) for name, points in curves.items())
    last = -math.inf
    for at, name in ends:
        last = max(at, last + 30)
        words = NAMES[name].split(", ", 1)
        parts.append(f'<text x="{WIDTH - RIGHT + 8}" y="{last:.1f}" fill="{COLOURS[name]}">{words[0]},'
                     f'<tspan x="{WIDTH - RIGHT + 8}" dy="14">{words[1]}</tspan></text>')
    return "\n".join(parts + ["</svg>", ""])
