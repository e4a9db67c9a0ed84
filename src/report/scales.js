"use strict";
// Ranges, ticks and axes.

const CHART_PADDING_RIGHT = 24; // half of the label 1 000 000

/// Smallest and largest finite value. Uses a loop, because spreading 1e5 arguments overflows the stack.
function extent(values) {
  let low = Infinity;
  let high = -Infinity;
  for (const value of values) {
    if (!isNumber(value)) continue;
    if (value < low) low = value;
    if (value > high) high = value;
  }
  return low <= high ? { low, high } : null;
}

function positive(values) {
  return values.filter((value) => isNumber(value) && value > 0);
}

/// A range with air around the values; never narrower than a factor of two, so that noise does not look like a trend.
function logRange(values) {
  const span = extent(positive(values));
  if (!span) return { low: 0.1, high: 10 };
  const air = Math.max((span.high / span.low) ** 0.06, 1.05);
  const widen = Math.max(1, Math.sqrt(2 / (span.high / span.low)));
  return { low: span.low / air / widen, high: span.high * air * widen };
}

function linearRange(values) {
  const span = extent(values);
  if (!span) return { low: 0, high: 1 };
  const air = span.high > span.low ? (span.high - span.low) * 0.06 : Math.abs(span.high) * 0.1 || 1;
  return { low: span.low - air, high: span.high + air };
}

function powersOfTen(low, high, wanted) {
  const first = Math.ceil(Math.log10(low) - 1e-9);
  const last = Math.floor(Math.log10(high) + 1e-9);
  const step = Math.max(1, Math.ceil((last - first + 1) / wanted));
  const exponents = [];
  for (let e = Math.ceil(first / step) * step; e <= last; e += step) exponents.push(e);
  return exponents;
}

function multiplesOfPowers(low, high, multiples) {
  const ticks = [];
  for (let e = Math.floor(Math.log10(low)); e <= Math.log10(high); ++e) {
    for (const m of multiples) {
      const value = Number(`${m}e${e}`);
      if (value >= low && value <= high) ticks.push(value);
    }
  }
  return ticks;
}

/// Ticks at powers of ten on a long axis, at 1, 2 and 5 on a short one, at single digits on a very short one.
function logTicks(low, high, wanted = 6) {
  const decades = Math.log10(high / low);
  if (decades > 2.5) return powersOfTen(low, high, wanted).map((e) => Number(`1e${e}`));
  const candidates = [[1], [1, 3], [1, 2, 5], [1, 1.5, 2, 3, 5, 7], [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 7, 8, 9]];
  const fitting = candidates.map((m) => multiplesOfPowers(low, high, m)).filter((ticks) => ticks.length <= wanted);
  return fitting.reduce((best, ticks) => (ticks.length >= best.length ? ticks : best), []);
}

function formatLogTick(value, low, high) {
  const exponent = Math.log10(value);
  const isLong = Math.log10(high / low) > 2.5;
  const isPlain = value >= 1e-3 && value < 1e6;
  if (isPlain && !(isLong && (low < 1e-3 || high > 1e7))) return formatNumber(value);
  return Number.isInteger(exponent) ? formatPower(exponent) : formatNumber(value, 2);
}

/// The smallest step of 1, 2 or 5 times a power of ten that fits into the range at most `wanted` times.
function roundStep(range, wanted) {
  const length = range.high - range.low;
  const power = 10 ** Math.floor(Math.log10(length / wanted));
  return power * [1, 2, 5, 10].find((m) => length / (m * power) <= wanted);
}

function roundTicks(range, step) {
  const ticks = [];
  const last = Math.floor(range.high / step);
  for (let i = Math.ceil(range.low / step); i <= last; ++i) ticks.push(Number((i * step).toPrecision(15)));
  return ticks;
}

/// Formats a tick with as many digits as tell neighbours apart.
function formatLinearTick(value, range, step) {
  const size = Math.max(Math.abs(range.low), Math.abs(range.high));
  if (value === 0) return "0";
  const digits = Math.min(15, Math.max(1, Math.ceil(Math.log10(size / step)) + 1));
  return formatNumber(value, digits);
}

/// Makes labels equally wide, so that panels below each other line up.
function fitLabels(axis) {
  axis.width = Math.max(axis.width, 40);
}

const axisColours = () => ({
  grid: { color: () => colour("grid"), borderColor: () => colour("line"), tickLength: 4 },
});

function tickStyle(extra = {}) {
  return { color: () => colour("soft"), font: { size: 11 }, maxRotation: 0, padding: 4, ...extra };
}

function axisTitle(text) {
  return { display: Boolean(text), text: text ?? "", color: () => colour("soft"), font: { size: 11 }, padding: 2 };
}

function logAxis(range, title) {
  return {
    type: "logarithmic",
    min: range.low,
    max: range.high,
    ...axisColours(),
    title: axisTitle(title),
    afterFit: fitLabels,
    afterBuildTicks: (axis) => {
      axis.ticks = logTicks(range.low, range.high, axis.height > 220 ? 8 : 6).map((value) => ({ value }));
    },
    ticks: tickStyle({ callback: (value) => formatLogTick(value, range.low, range.high), autoSkip: false }),
  };
}

/// A horizontal one: as many labels as fit, and no wider than its panel.
function logAxisAcross(range, title) {
  return {
    ...logAxis(range, title),
    afterFit: () => {},
    afterBuildTicks: (axis) => {
      axis.ticks = logTicks(range.low, range.high, Math.max(2, axis.width / 55)).map((value) => ({ value }));
    },
  };
}

/// Names at 0, 1, 2, ...; `mostLetters` of each are shown.
function namesAxis(names, title, isAcross) {
  const shown = (name, most) => (name.length > most ? `${name.slice(0, Math.max(1, most - 1))}\u2026` : name);
  let most = 12;
  return {
    ...linearAxis({ low: -0.5, high: names.length - 0.5 }, title),
    afterFit: isAcross ? () => {} : fitLabels,
    afterBuildTicks: (axis) => {
      if (isAcross) most = Math.max(2, Math.floor(axis.width / names.length / 8));
      axis.ticks = names.map((_, value) => ({ value }));
    },
    ticks: tickStyle({ callback: (value) => shown(names[value] ?? "", most), autoSkip: false }),
  };
}

function linearAxis(range, title) {
  const step = roundStep(range, 6);
  return {
    type: "linear",
    min: range.low,
    max: range.high,
    ...axisColours(),
    title: axisTitle(title),
    afterFit: fitLabels,
    afterBuildTicks: (axis) => {
      axis.ticks = roundTicks(range, step).map((value) => ({ value }));
    },
    ticks: tickStyle({ callback: (value) => formatLinearTick(value, range, step), autoSkip: false }),
  };
}

/// sign(v) log(1 + |v| / unit): shows a sign change over many powers of ten; close to zero it is linear.
function symlogScale(unit) {
  return {
    forward: (value) => Math.sign(value) * Math.log10(1 + Math.abs(value) / unit),
    inverse: (shown) => Math.sign(shown) * unit * (10 ** Math.abs(shown) - 1),
  };
}

function symlogUnit(values) {
  const sizes = values.filter((value) => isNumber(value) && value !== 0).map(Math.abs);
  const { low, high } = extent(sizes);
  const changesSign = extent(values).low < 0;
  return 10 ** Math.floor(Math.log10(Math.max(low, high * (changesSign ? 1e-6 : 1e-16))));
}

/// Zero, and powers of ten on both sides of it as far as they are not too close to each other.
function symlogTicks(range, scale, unit) {
  const reach = Math.max(Math.abs(scale.inverse(range.low)), Math.abs(scale.inverse(range.high)), unit * 10);
  const distance = (range.high - range.low) / 9;
  const ticks = [0];
  for (const exponent of powersOfTen(unit, reach, Infinity)) {
    const shown = scale.forward(Number(`1e${exponent}`));
    if (shown >= ticks.at(-1) + distance) ticks.push(shown);
  }
  const both = [...ticks.slice(1).map((shown) => -shown), ...ticks];
  return both.filter((shown) => shown >= range.low && shown <= range.high).sort((a, b) => a - b);
}

function symlogAxis(values) {
  const unit = symlogUnit(values);
  const scale = symlogScale(unit);
  const range = linearRange(values.filter(isNumber).map(scale.forward));
  const axis = linearAxis(range);
  axis.afterBuildTicks = (built) => {
    built.ticks = symlogTicks(range, scale, unit).map((value) => ({ value }));
  };
  axis.ticks.callback = (shown) => formatNumber(Number(scale.inverse(shown).toPrecision(3)));
  axis.ticks.autoSkip = false;
  const note = `symmetric log scale, nearly linear between ${MINUS}${formatNumber(unit)} and ${formatNumber(unit)}`;
  return { axis, note, forward: scale.forward, inverse: scale.inverse };
}

/// The axis that shows objective values best. Values are never shifted: the axis shows f itself.
function valueScale(values) {
  const same = (value) => value;
  const span = extent(values);
  if (span && span.low > 0) {
    return { axis: logAxis(logRange(values)), note: "log scale", forward: same, inverse: same };
  }
  const sizes = extent(values.filter((value) => isNumber(value) && value !== 0).map(Math.abs));
  if (span && sizes && sizes.high / sizes.low > 1000) return symlogAxis(values);
  return { axis: linearAxis(linearRange(values)), note: "linear scale", forward: same, inverse: same };
}

function evaluationsAxis(range, title) {
  return {
    type: "linear",
    min: range.low,
    max: range.high,
    ...axisColours(),
    title: axisTitle(title),
    afterBuildTicks: (axis) => {
      const labelWidth = 14 + 7 * formatCount(range.high).length;
      const wanted = Math.min(10, Math.max(2, axis.width / labelWidth));
      axis.ticks = roundTicks(range, Math.max(1, roundStep(range, wanted))).map((value) => ({ value }));
    },
    // The last label may reach beyond the edge. Every chart has room for it, so that panels line up.
    afterFit: (axis) => {
      axis.paddingRight = Math.max(0, axis.paddingRight - CHART_PADDING_RIGHT);
    },
    ticks: tickStyle({ callback: formatCount, autoSkip: false }),
  };
}

function popsizeAxis(popsizes, title) {
  const span = extent(popsizes);
  const air = Math.max((span.high - span.low) * 0.07, 1);
  return {
    type: "linear",
    min: span.low - air,
    max: span.high + air,
    ...axisColours(),
    title: axisTitle(title),
    afterBuildTicks: (axis) => {
      axis.ticks = popsizes.map((value) => ({ value }));
    },
    ticks: tickStyle({ callback: formatCount }),
  };
}
