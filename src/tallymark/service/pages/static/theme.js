// Light or dark as somebody chose on this machine; before the first paint, so it stands in no module.
"use strict";
try {
  const chosen = localStorage.getItem("theme");
  if (chosen === "light" || chosen === "dark") document.documentElement.dataset.theme = chosen;
} catch {
  // Without storage the system decides.
}
