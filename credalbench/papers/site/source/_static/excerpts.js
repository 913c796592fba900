/* Excerpts of the pages that a search finds. Their texts come from texts.js, since a page from a disk cannot read others. */
"use strict";
document.addEventListener("DOMContentLoaded", () => {
  const results = document.getElementById("search-results");
  const terms = (new URLSearchParams(location.search).get("q") ?? "").toLowerCase().split(/[^\p{L}\p{N}_]+/u).filter((term) => term.length > 2);
  const AROUND = 110; // characters on each side

  // The search compares stems: a longer or shorter form of a term counts, too.
  const find = (text, term) => [term, term.slice(0, Math.max(4, term.length - 3))].map((form) => [text.indexOf(form), form])
    .find(([at]) => at >= 0) ?? [0, ""];

  function excerpt(text) {
    const [at, form] = terms.map((term) => find(text.toLowerCase(), term)).find(([, form]) => form) ?? [0, ""];
    const start = at > AROUND ? text.indexOf(" ", at - AROUND) + 1 : 0;
    const end = (text.indexOf(" ", at + form.length + AROUND) + 1 || text.length + 1) - 1;
    const shown = document.createElement("p");
    const marked = document.createElement("mark");
    marked.textContent = text.slice(at, at + form.length);
    shown.className = "context";
    shown.append(start ? "… " : "", text.slice(start, at), marked, text.slice(at + form.length, end), end < text.length ? " …" : "");
    return shown;
  }

  new MutationObserver(() => {
    for (const item of results.querySelectorAll("ul.search > li:not(:has(.context))")) {
      const page = item.querySelector("a")?.getAttribute("href").replace(/\.html.*$/, "");
      if (pageTexts[page]) item.append(excerpt(pageTexts[page]));
    }
  }).observe(results, { childList: true, subtree: true });
});
