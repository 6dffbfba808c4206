/** The style of the HTML report: light, dark, and for print. */
export const pageStyle = `
:root { color-scheme: light dark; --ink: #1c2430; --soft: #5c6877; --paper: #fff; --card: #f6f7f9; --line: #dfe3e8; --error: #b3261e; --warning: #8a5a00; --info: #1f5fa8; --unknown: #6b4fa0; }
@media (prefers-color-scheme: dark) { :root { --ink: #e7ebf0; --soft: #9aa6b4; --paper: #14181e; --card: #1c222a; --line: #303844; --error: #ff8a80; --warning: #f2c057; --info: #86b8f2; --unknown: #c3acf2; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 62rem; padding: 2rem 1.25rem; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; }
h1 { margin: 0; font-size: 1.6rem; }
header p, footer, .rule { color: var(--soft); }
form { display: flex; flex-wrap: wrap; gap: .75rem; align-items: center; position: sticky; top: 0; padding: .75rem 0; background: var(--paper); }
input[type=search] { flex: 1 1 16rem; padding: .5rem .75rem; border: 1px solid var(--line); border-radius: .4rem; background: var(--card); color: inherit; font: inherit; }
label { white-space: nowrap; }
ol { list-style: none; margin: 0; padding: 0; }
li { margin: 0 0 .75rem; padding: .75rem 1rem; background: var(--card); border-left: .3rem solid var(--soft); border-radius: .3rem; overflow-wrap: anywhere; }
li p { margin: .15rem 0; }
li:target { outline: 2px solid var(--info); }
.error { border-color: var(--error); } .warning { border-color: var(--warning); } .info { border-color: var(--info); } .unknown { border-color: var(--unknown); }
.badge { font-weight: 700; } .error .badge, label.error { color: var(--error); } .warning .badge, label.warning { color: var(--warning); } .info .badge, label.info { color: var(--info); } .unknown .badge, label.unknown { color: var(--unknown); }
.subject { color: var(--soft); }
.head { font-size: 1.05rem; }
.fix { font-weight: 600; } .fix::before { content: "fix: "; color: var(--soft); font-weight: 400; }
.frame { display: grid; grid-template-columns: max-content minmax(0, 1fr); gap: 0 .75rem; margin: .4rem 0; padding: .5rem .75rem; background: var(--paper); border: 1px solid var(--line); border-radius: .3rem; }
.frame > * { line-height: 1.45; white-space: pre-wrap; overflow-wrap: anywhere; }
.number { color: var(--soft); font: .9em ui-monospace, monospace; user-select: none; }
mark { background: none; color: inherit; font-weight: 700; text-decoration: underline wavy 1.5px; text-underline-offset: .25em; }
.error mark { text-decoration-color: var(--error); } .warning mark { text-decoration-color: var(--warning); } .info mark { text-decoration-color: var(--info); } .unknown mark { text-decoration-color: var(--unknown); }
.times { padding: .05rem .5rem; border: 1px solid var(--line); border-radius: 1rem; font-size: .85rem; color: var(--soft); white-space: nowrap; }
summary { padding: .25rem 0; cursor: pointer; color: var(--soft); }
code { font: .9em ui-monospace, monospace; }
.rule, footer { font-size: .9rem; }
a { color: inherit; }
[hidden] { display: none; }
@media print { form { display: none; } li { break-inside: avoid; } }
`;

/** The script of the HTML report: search and filters; the page is complete without it. */
export const pageScript = `
const items = [...document.querySelectorAll('#findings > li')];
const search = document.getElementById('search');
const boxes = [...document.querySelectorAll('#filters input[type=checkbox]')];
const shown = document.getElementById('shown');
function show() {
  const words = search.value.toLowerCase().split(/\\s+/).filter(Boolean);
  const groups = new Set(boxes.filter((box) => box.checked).map((box) => box.value));
  let number = 0;
  for (const item of items) {
    // the lines of the source belong to their neighbours, too
    const text = [...item.querySelectorAll('p')].map((part) => part.textContent).join(' ').toLowerCase();
    item.hidden = !(groups.has(item.dataset.group) && words.every((word) => text.includes(word)));
    if (!item.hidden) number++;
  }
  shown.textContent = number === items.length ? '' : number + ' of ' + items.length;
}
if (search) {
  document.getElementById('filters').addEventListener('input', show);
  document.getElementById('filters').addEventListener('submit', (event) => event.preventDefault());
}
`;
