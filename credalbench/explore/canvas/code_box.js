// A program and a button that copies it. If a page has no access to the clipboard, the text is selected.

const BOX = `border:1px solid ${COLOUR.line};border-radius:4px;background:${COLOUR.paper};color:${COLOUR.ink}`;

function part(tag, style, parent) {
  const element = document.createElement(tag);
  element.style.cssText = style;
  parent.append(element);
  return element;
}

function selectAll(element) {
  const range = document.createRange();
  range.selectNodeContents(element);
  const selection = window.getSelection();
  selection.removeAllRanges();
  selection.addRange(range);
}

async function copied(element) {
  try {
    await navigator.clipboard.writeText(element.textContent);
    return true;
  } catch {
    selectAll(element); // the only way without a secure connection
    return document.execCommand("copy");
  }
}

function render({ model, el }) {
  el.classList.add("credalbench-code");
  const bar = part("div", "display:flex;gap:10px;align-items:center;margin:6px 0", el);
  const copy = part("button", `${BOX};padding:2px 10px;cursor:pointer;font-size:13px`, bar);
  copy.textContent = "Copy";
  copy.title = "Copy the program to the clipboard";
  const status = part("span", "font-size:13px", bar);
  status.setAttribute("role", "status");
  const text = part("pre", `${BOX};margin:0;padding:8px;overflow:auto;max-height:80vh;font-size:12px;white-space:pre-wrap;overflow-wrap:anywhere`, el);
  text.tabIndex = 0;
  text.setAttribute("aria-label", "Python program of the partition that is shown");
  text.style.userSelect = "text";

  function show() {
    [text.textContent, status.textContent] = [model.get("code"), ""];
  }
  copy.addEventListener("click", async () => {
    status.textContent = (await copied(text)) ? "Copied." : "Selected: press Ctrl-C.";
  });
  model.on("change:code", show);
  show();
  requestAnimationFrame(() => el.scrollIntoView({ block: "nearest" }));
}

export default { render };
