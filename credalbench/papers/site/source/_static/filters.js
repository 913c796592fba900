/* Filter and search the list of judged claims. Without this script the page shows the whole list. */
"use strict";
document.addEventListener("DOMContentLoaded", () => {
  const form = document.querySelector("form.filters");
  if (!form) return;
  const rows = [...document.querySelectorAll("table.judged tbody tr")];
  const texts = rows.map((row) => row.textContent.toLowerCase());
  const kinds = [...form.elements.kind.options].map((option) => option.value).filter(Boolean);
  const counter = form.querySelector("output");

  const show = () => {
    const filter = Object.fromEntries(new FormData(form));
    const words = filter.words.toLowerCase().split(/\s+/).filter(Boolean);
    const counts = Object.fromEntries(kinds.map((kind) => [kind, 0]));
    rows.forEach((row, i) => {
      const chosen = ["paper", "outcome", "kind"].every((n) => !filter[n] || row.dataset[n] === filter[n]);
      row.hidden = !(chosen && words.every((word) => texts[i].includes(word)));
      if (!row.hidden) counts[row.dataset.kind] += Number(row.dataset.count);
    });
    counter.value = Object.entries(counts).map((pair) => pair.join(": ")).join(", ");
  };

  for (const [name, value] of new URLSearchParams(location.search)) {
    if (form.elements[name]) form.elements[name].value = value;
  }
  form.hidden = false;
  form.addEventListener("input", show);
  form.addEventListener("reset", () => setTimeout(show)); // after the fields are empty
  show();
});
