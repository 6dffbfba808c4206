import { escapeHtml } from '../core/text/escape-html.js';

/** Markup with escaped values. */
export class Html {
  constructor(readonly text: string) {}
}

/** Markup with every value escaped, except markup itself. Lists are joined. */
export function html(strings: TemplateStringsArray, ...values: readonly unknown[]): Html {
  return new Html(
    strings.reduce((text, part, index) => text + renderValue(values[index - 1]) + part),
  );
}

function renderValue(value: unknown): string {
  if (value instanceof Html) return value.text;
  if (Array.isArray(value)) return value.map(renderValue).join('');
  return value === undefined || value === null || value === false ? '' : escapeHtml(String(value));
}

/** The style of the sandbox's pages: no script, nothing external, light and dark. */
const style = `
:root { color-scheme: light dark; --ink: #1d2430; --muted: #5b6577; --line: #d9dee7; --card: #fff; --background: #f3f5f9; --accent: #2f5fd0; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8ebf2; --muted: #9aa5b8; --line: #333c4d; --card: #1c2230; --background: #121722; --accent: #86a8ff; } }
* { box-sizing: border-box; }
body { margin: 0; min-height: 100vh; background: var(--background); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; display: flex; justify-content: center; padding: 4rem 1rem; }
main { width: 100%; max-width: 34rem; background: var(--card); border: 1px solid var(--line); border-radius: 14px; padding: 2rem; align-self: flex-start; }
main.wide { max-width: 60rem; }
.brand { color: var(--muted); font-size: .8rem; letter-spacing: .08em; text-transform: uppercase; margin: 0 0 .5rem; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 .5rem; }
h2 { font-size: 1rem; margin: 2rem 0 .5rem; }
p { margin: 0 0 1rem; color: var(--muted); }
ul.chain { list-style: none; margin: .6rem 0 0; padding: 0; overflow-wrap: anywhere; }
ul.people { list-style: none; margin: 1.5rem 0 0; padding: 0; }
ul.people button { width: 100%; display: flex; gap: .9rem; align-items: center; text-align: left; padding: .75rem .9rem; margin: 0 0 .5rem; font: inherit; color: inherit; background: none; border: 1px solid var(--line); border-radius: 10px; cursor: pointer; }
ul.people button:hover, ul.people button:focus-visible { border-color: var(--accent); outline: 2px solid var(--accent); outline-offset: 1px; }
.initials { flex: none; width: 2.4rem; height: 2.4rem; border-radius: 50%; background: var(--accent); color: var(--card); display: grid; place-items: center; font-weight: 600; font-size: .9rem; }
.name { display: block; font-weight: 600; } .mail { display: block; color: var(--muted); font-size: .85rem; }
a.button, button.button { display: inline-block; padding: .55rem 1.1rem; border-radius: 8px; border: 1px solid var(--accent); background: var(--accent); color: var(--card); font: inherit; font-weight: 600; text-decoration: none; cursor: pointer; margin: 0 .5rem .5rem 0; }
a.quiet { background: none; color: var(--accent); }
table { width: 100%; border-collapse: collapse; font-size: .85rem; } th, td { text-align: left; vertical-align: top; padding: .4rem .6rem .4rem 0; border-top: 1px solid var(--line); overflow-wrap: anywhere; }
th { width: 17rem; font-weight: 500; color: var(--muted); }
table.claims { font-size: inherit; } table.claims :is(th, td) { padding-top: .2rem; padding-bottom: .2rem; border-top: 0; } table.claims th { width: 10rem; }
.gloss { margin-left: .6rem; color: var(--muted); font-size: .92em; } .hint { margin: .8rem 0 0; font-size: .85rem; }
details { margin: .4rem 0; color: var(--muted); } summary { cursor: pointer; } details code { display: block; margin-top: .4rem; }
code { font: .9em/1.4 ui-monospace, monospace; overflow-wrap: anywhere; }
@media (max-width: 40rem) { body { padding: 1rem .5rem; } main { padding: 1.25rem; } th, td, table.claims th { display: block; width: auto; border: 0; padding: .1rem 0; } tr { display: block; border-top: 1px solid var(--line); padding: .4rem 0; } }
.note { border-left: 3px solid var(--accent); padding: .2rem 0 .2rem .9rem; margin: 1rem 0; color: var(--muted); }
`;

/** Pages can load and run nothing but their own content. */
export const contentSecurityPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; base-uri 'none'";

/** A whole page. */
export function page(title: string, body: Html, options: { readonly wide?: true } = {}): string {
  return `<!doctype html>\n${
    html`<html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex" />
        <title>${title}</title>
        <style>
          ${new Html(style)}
        </style>
      </head>
      <body>
        <main class="${options.wide ? 'wide' : ''}">
          <p class="brand">Castellan sandbox</p>
          ${body}
        </main>
      </body>
    </html>`.text
  }\n`;
}
