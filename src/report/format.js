"use strict";
// Numbers as people read them, and page elements.

const THIN_SPACE = "\u202f"; // the narrow space at which no line breaks
const EN_DASH = "\u2013";
const MINUS = "\u2212";
const SUPERSCRIPTS = "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079";

/// Whether a value was measured: JSON has no NaN, so a missing value is null.
function isNumber(value) {
  return typeof value === "number" && Number.isFinite(value);
}

function signed(text) {
  return text.replace("-", MINUS);
}

/// 1234567 -> 1 234 567
function groupDigits(digits) {
  return digits.replace(/\B(?=(\d{3})+$)/g, THIN_SPACE);
}

function formatCount(value) {
  return isNumber(value) ? signed(groupDigits(value.toFixed(0))) : EN_DASH;
}

/// 1 evaluation, 2 evaluations.
function counted(value, noun) {
  return `${formatCount(value)} ${noun}${value === 1 ? "" : "s"}`;
}

function formatFixed(value, decimals) {
  return isNumber(value) ? signed(value.toFixed(decimals)) : EN_DASH;
}

function superscript(exponent) {
  const digits = [...String(Math.abs(exponent))].map((digit) => SUPERSCRIPTS[Number(digit)]).join("");
  return (exponent < 0 ? "\u207b" : "") + digits;
}

function formatPower(exponent) {
  return `10${superscript(exponent)}`;
}

/// Plain in the middle of the scale, a power of ten outside: 0.1006, 52 341, 8.64 x 10^-9.
function formatNumber(value, digits = 4) {
  if (!isNumber(value)) return EN_DASH;
  const size = Math.abs(value);
  if (Number.isInteger(value) && size < 1e7) return formatCount(value);
  if (size >= 1e-3 && size < 1e6) {
    const [whole, fraction] = String(Number(value.toPrecision(digits))).split(".");
    return signed(groupDigits(whole) + (fraction === undefined ? "" : `.${fraction}`));
  }
  const [mantissa, exponent] = value.toExponential(digits - 1).split("e");
  const power = formatPower(Number(exponent));
  const shortMantissa = String(Number(mantissa));
  return shortMantissa === "1" ? power : `${signed(shortMantissa)}${THIN_SPACE}\u00d7${THIN_SPACE}${power}`;
}

/// What one line has room for, as the program's own messages have it: of several lines the first and the last, of a very
/// long one its beginning and its end.
function tellingLine(text) {
  const lines = String(text).split("\n").map((line) => line.trim()).filter(Boolean);
  const [first, last] = [lines[0] ?? "", lines.at(-1) ?? ""];
  if (lines.length <= 1 && first.length <= 240) return first;
  const isCut = lines.length !== 2 || first.length > 80 || last.length > 160;
  return `${first.slice(0, 80)}${isCut ? " ... " : " "}${last.slice(-160)}`;
}

/// element("p", {class: "lead"}, "text", otherElement); text is always text, never markup.
function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

/// "rate h_s" -> [{text: "rate h"}, {text: "s", sub: true}]: labels appear both in HTML and as canvas text. Only a
/// single letter has a subscript, so that names such as learning_rate stay what they are.
function labelParts(label) {
  return label
    .split(/(?<=(?:^|[\s,/(])[^\s_])(_[^\s,]+)/)
    .filter(Boolean)
    .map((part) => (part.startsWith("_") ? { text: part.slice(1), sub: true } : { text: part, sub: false }));
}

function labelNodes(label) {
  return labelParts(label).map((part) => (part.sub ? element("sub", {}, part.text) : part.text));
}

function readData() {
  return JSON.parse(document.getElementById("data").textContent);
}

function showVersion(version) {
  document
    .getElementById("footer")
    .append(`Made by Surefoot ${version ?? ""}. Charts: Chart.js ${Chart.version}. The page needs no network.`);
}
