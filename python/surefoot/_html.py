"""Results in notebooks: a table and a small picture, which load nothing from elsewhere."""

from __future__ import annotations

import html
from typing import Any, Mapping, Sequence

import numpy as np

BEST, SIGMA = "#1f3a5f", "#0b7a75"  # as in the report pages


def result(r: Mapping[str, Any]) -> str:
    rows = [
        ("best f", f"{r['fun']:.10g}"),
        ("at", _named(r["params"])) if "params" in r else ("at x", _numbers(r["x"])),
        ("stopped", r["message"]),
        ("cost", f"{r['nfev']} evaluations, {r['nit']} generations (seed {r['seed']})"),
        ("standard deviations", _numbers(r["stds"])),
    ]
    if "violation" in r:
        values = [*r["g"], *r["h"]]
        limits = ", ".join(f"{name} = {value:.4g}" for name, value in zip(r["constraint_names"][:12], values))
        rows.append(("limits", ("all met: " if r["feasible"] else f"violated by {r['violation']:.3g}: ") + limits))
    if r["nfailed"]:
        rows.append(("failed", f"{r['nfailed']} of {r['nfev']} evaluations"))
    if len(r["runs"]) > 1:
        rows.append(("runs", ", ".join(f"{run['fun']:.3g} ({run['stop'] or 'running'})" for run in r["runs"])))
    cells = "".join(
        f'<tr><th style="text-align:left">{name}</th><td style="text-align:left">{html.escape(text)}</td></tr>'
        for name, text in rows
    )
    return f"<table>{cells}</table>{_picture(r.get('trace'))}"


def _numbers(values: Sequence[float]) -> str:
    shown = ", ".join(f"{v:.6g}" for v in values[:12])
    return shown if len(values) <= 12 else f"{shown}, ... ({len(values)} coordinates)"


def _named(params: Mapping[str, Any]) -> str:
    shown = [
        f"{name} = {value:.6g}" if isinstance(value, float) else f"{name} = {value}" for name, value in params.items()
    ]
    return ", ".join(shown[:12]) + ("" if len(shown) <= 12 else f", ... ({len(shown)} parameters)")


def _picture(trace: Any) -> str:
    """Draws best value and step size over evaluations, each on a logarithmic scale of its own."""
    if not trace or len(trace["nfev"]) < 2:
        return ""
    curves = _curve(trace["nfev"], above_lowest(trace["best"]), BEST) + _curve(trace["nfev"], trace["sigma"], SIGMA)
    return (
        '<svg viewBox="0 0 400 120" width="400" height="120" role="img" aria-label="Best value and step size">'
        f'{curves}<text x="4" y="12" font-size="11" fill="{BEST}">best f (log)</text>'
        f'<text x="80" y="12" font-size="11" fill="{SIGMA}">sigma (log)</text></svg>'
    )


def above_lowest(values: np.ndarray) -> np.ndarray:
    """The values if all are positive, otherwise their distance from the lowest, so that a logarithm can show them."""
    finite = values[np.isfinite(values)]
    return values if finite.size == 0 or finite.min() > 0 else values - finite.min()


def _curve(x: np.ndarray, y: np.ndarray, colour: str) -> str:
    shown = np.isfinite(y) & (y > 0)
    if shown.sum() < 2:
        return ""
    x, y = x[shown], np.log10(y[shown])
    pick = np.unique(np.linspace(0, len(x) - 1, 200).astype(int))
    across = 4 + 392 * x[pick] / x[-1]
    down = 114 - 94 * (y[pick] - y.min()) / max(np.ptp(y), 1e-12)
    points = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(across, down))
    return f'<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="1.5"/>'
