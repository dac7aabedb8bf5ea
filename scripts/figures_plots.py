"""Draws the plots of the documents as SVG: lines over the length of the stream, or bars, from committed results."""

import math

from figures_results import matching, read_rows, text_of

# Okabe-Ito colours; each series also has a dash pattern and a label at its end, so hue is never alone.
COLOURS = ("#009E73", "#D55E00", "#0072B2", "#CC79A7", "#56B4E9", "#E69F00", "#000000")
DASHES = ("", "7 3", "2 3", "9 3 2 3", "12 4", "4 2", "1 2")
INK, MUTED, GRID = "#1B1F26", "#5A6472", "#DDE1E7"
FONT = "font-family=\"Inter, 'Helvetica Neue', Arial, sans-serif\""

PLOTS = (
    {
        "path": "docs/images/h200_share_of_copy.svg",
        "file": "nvidia-h200/lengths.csv",
        "title": "NVIDIA H200: % of copy bandwidth, half of the items kept",
        "series": ("single_pass", "cub_select", "sequence_wise", "thrust_copy_if", "block_wise", "billeter_scaled"),
        "where": {"density": "0.5"},
        "y": "share_of_copy",
        "y_label": "% of copy bandwidth",
        "y_scale": 100,
        "y_top": 100,
    },
    {
        "path": "docs/images/h200_calls.svg",
        "file": "nvidia-h200/select_calls.txt",
        "title": "NVIDIA H200: calls of select_if on a busy stream, half of the items kept",
        "series": ("overlapping", "state", "storage", "CUB", "copy"),
        "where": {"density": "0.5", "launch": "stream"},
        "y": "share_of_copy",
        "y_label": "% of copy bandwidth",
        "y_scale": 100,
        "y_top": 120,
    },
    {
        "path": "docs/images/xeon_threads.svg",
        "file": "intel-xeon-16-threads/threads.csv",
        "title": "Intel Xeon: cpu_single_pass, 2^26 items, half kept, over the number of threads",
        "series": ("cpu_single_pass",),
        "where": {"density": "0.5"},
        "x": "threads",
        "y": "useful_gb_s",
        "y_label": "useful GB/s",
        "y_top": None,
    },
)

WIDTH, HEIGHT = 760, 380
LEFT, RIGHT, TOP, BOTTOM = 62, 150, 46, 52


def text(x, y, words, anchor="start", colour=INK, size=12, weight="normal"):
    return (f'<text x="{x:.1f}" y="{y:.1f}" {FONT} font-size="{size}" font-weight="{weight}" fill="{colour}" '
            f'text-anchor="{anchor}">{words}</text>')


def points_of(plot, results):
    """The points of each series that the file holds, in order of x."""
    rows = matching(read_rows(results / plot["file"]), plot["where"])
    x, scale = plot.get("x", "n"), plot.get("y_scale", 1)
    found = {}
    for name in plot["series"]:
        points = sorted((row[x], scale * row[plot["y"]])
                        for row in rows if row["algorithm"] == name and row[plot["y"]] != "")
        if points:
            found[name] = points
    return found


def spread(heights, gap=15):
    """Moves labels apart until none lies over another; keeps their order."""
    order = sorted(range(len(heights)), key=lambda index: heights[index])
    positions = list(heights)
    for _ in range(200):
        moved = False
        for low, high in zip(order, order[1:]):
            short = gap - (positions[high] - positions[low])
            if short > 0.01:
                positions[low] -= short / 2
                positions[high] += short / 2
                moved = True
        if not moved:
            break
    return positions


def draw(plot, results):
    """The plot as SVG text; the same data gives the same text."""
    series = points_of(plot, results)
    xs = sorted({x for points in series.values() for x, _ in points})
    top = plot["y_top"] or 1.1 * max(y for points in series.values() for _, y in points)
    right, bottom = WIDTH - RIGHT, HEIGHT - BOTTOM

    def pixel_x(value):
        first, last = math.log2(xs[0]), math.log2(xs[-1])
        return LEFT + (right - LEFT) * (math.log2(value) - first) / (last - first)

    def pixel_y(value):
        return bottom - (bottom - TOP) * value / top

    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img">',
             f'<title>{plot["title"]}</title>', f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#FFFFFF"/>',
             text(LEFT, 24, plot["title"], size=14, weight="bold")]
    step = next(step for step in (0.2, 0.5, 1, 2, 5, 10, 20, 50, 100, 200) if top / step <= 7)
    tick = 0
    while tick * step <= top + 1e-9:
        y = pixel_y(tick * step)
        parts.append(f'<line x1="{LEFT}" y1="{y:.1f}" x2="{right}" y2="{y:.1f}" stroke="{GRID}"/>')
        parts.append(text(LEFT - 8, y + 4, f"{tick * step:g}", "end", MUTED))
        tick += 1
    skip = 1 if len(xs) <= 10 else 2
    for x in xs[::skip]:
        parts.append(text(pixel_x(x), bottom + 18, text_of(x, axis=plot.get("x", "n")), "middle", MUTED))
    x_label = {"n": "items", "threads": "threads"}[plot.get("x", "n")]
    parts.append(text((LEFT + right) / 2, HEIGHT - 10, x_label, "middle", MUTED))
    parts.append(text(14, (TOP + bottom) / 2, plot["y_label"], "middle", MUTED).replace(
        "<text ", f'<text transform="rotate(-90 14 {(TOP + bottom) / 2:.1f})" ', 1))
    heights = spread([pixel_y(points[-1][1]) for points in series.values()])
    for index, (name, points) in enumerate(series.items()):
        colour, dash = COLOURS[index], DASHES[index]
        path = " ".join(f"{pixel_x(x):.1f},{pixel_y(y):.1f}" for x, y in points)
        parts.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2.2" '
                     f'stroke-dasharray="{dash}"/>')
        parts += [f'<circle cx="{pixel_x(x):.1f}" cy="{pixel_y(y):.1f}" r="2.6" fill="{colour}"/>' for x, y in points]
        parts.append(text(right + 10, heights[index] + 4, name, "start", colour, weight="bold"))
    parts.append("</svg>")
    return "\n".join(parts) + "\n"
