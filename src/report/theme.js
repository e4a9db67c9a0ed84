"use strict";
// The light and the dark theme. This runs in the head, before anything is painted, so that the page does not flash.

const systemDark = window.matchMedia("(prefers-color-scheme: dark)");
const themeListeners = [];
const colourCache = new Map();
let chosenTheme = storedTheme();

function storedTheme() {
  try {
    return window.localStorage.getItem("surefoot-theme");
  } catch {
    return null; // some browsers refuse storage to pages opened from disk
  }
}

function storeTheme(theme) {
  try {
    window.localStorage.setItem("surefoot-theme", theme);
  } catch {
    // Without storage the choice lasts as long as the page.
  }
}

function currentTheme() {
  return chosenTheme ?? (systemDark.matches ? "dark" : "light");
}

function applyTheme() {
  document.documentElement.dataset.theme = currentTheme();
  colourCache.clear();
  themeListeners.forEach((listener) => listener());
}

function onThemeChange(listener) {
  themeListeners.push(listener);
}

/// A colour of style.css, for example colour("q-best").
function colour(name) {
  if (!colourCache.has(name)) {
    const style = getComputedStyle(document.documentElement);
    colourCache.set(name, style.getPropertyValue(`--${name}`).trim());
  }
  return colourCache.get(name);
}

function bindThemeButton(button) {
  const show = () => {
    button.textContent = currentTheme() === "dark" ? "Light theme" : "Dark theme";
  };
  button.addEventListener("click", () => {
    chosenTheme = currentTheme() === "dark" ? "light" : "dark";
    storeTheme(chosenTheme);
    applyTheme();
  });
  onThemeChange(show);
  show();
}

systemDark.addEventListener("change", applyTheme);
applyTheme();
