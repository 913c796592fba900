// The address of a page keeps the settings of its one explorer, so that a link opens the same picture; a reload
// loses nothing. What an address cannot hold (own data, drawn points, long lists) stays in this tab of the browser.

const ONE_EXPLORER = "body.explore"; // in JupyterLab the settings are in the cell, and the address is JupyterLab's
const LONGEST = 2000; // characters of a setting in the address
const REST = 400; // milliseconds between two changes of the address: browsers allow some hundred in half a minute
const SELECTED = "selected"; // the key of the selected object

// What this tab has kept for the present address, if anything.
function keptInTab() {
  try {
    const kept = JSON.parse(sessionStorage.getItem(location.pathname));
    return kept?.address === location.hash ? kept : {};
  } catch {
    return {}; // storage is refused or damaged
  }
}

function keepInTab(kept) {
  try {
    sessionStorage.removeItem(location.pathname);
    if (kept.own || Object.keys(kept.long).length) sessionStorage.setItem(location.pathname, JSON.stringify(kept));
  } catch {
    // More than the browser can store: after a reload the page asks for the file.
  }
}

// Link the settings of a canvas with the address; returns a function that ends it.
function keepAddress(source) {
  if (!document.querySelector(ONE_EXPLORER) || !Object.keys(source.get("settings") ?? {}).length) return () => {};
  let due = 0; // the timer of the next change of the address

  function write() {
    clearTimeout(due);
    due = 0;
    const [short, long] = [{}, {}];
    for (const [name, value] of Object.entries(source.get("settings"))) {
      const text = typeof value === "string" ? value : JSON.stringify(value);
      (text.length > LONGEST ? long : short)[name] = text;
    }
    const selected = source.get("selected");
    if (typeof selected === "number") short[SELECTED] = String(selected);
    history.replaceState(history.state, "", `#${new URLSearchParams(short)}`);
    keepInTab({ address: location.hash, own: source.get("own"), long });
  }

  function writeSoon() {
    due ||= setTimeout(write, REST);
  }

  function writeNow() {
    if (due) write();
  }

  function read() {
    clearTimeout(due);
    due = 0;
    const { own = "", long = {} } = keptInTab();
    const { [SELECTED]: selected, ...settings } = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
    source.send({ event: "settings", settings: { ...settings, ...long }, own, selected: selected ? Number(selected) : null });
  }

  const forget = watch(source, { settings: writeSoon, own: writeSoon, selected: writeSoon });
  window.addEventListener("hashchange", read);
  window.addEventListener("pagehide", writeNow);
  if (location.hash.length > 1) read();
  else writeSoon();
  return () => {
    forget();
    clearTimeout(due);
    window.removeEventListener("hashchange", read);
    window.removeEventListener("pagehide", writeNow);
  };
}
