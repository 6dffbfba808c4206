import { escapeHtmlLine } from '../text/control-characters.js';
import type { Graph } from './graph.js';
import { drawSvg } from './graphviz.js';
import { drawPicture } from './page-picture.js';
import { pictureScript } from './picture-script.js';
import { pictureStyle } from './picture-style.js';
import { renderText } from './text-formats.js';

/**
 * The graph as a separate page: the diagram, and the same as text (of the whole graph, if the
 * diagram is shortened, with a note).
 */
export async function renderHtml(
  graph: Graph,
  { fullGraph = graph, note }: { fullGraph?: Graph; note?: string | undefined } = {},
): Promise<string> {
  const title = escapeHtmlLine(graph.title);
  return `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title>
<style>
:root{color-scheme:light dark}
h1{overflow-wrap:anywhere}
${isInteractive(graph) ? `${pictureStyle}\n` : ''}@media(prefers-color-scheme:dark){html{background:#121722;color:#e8ebf2}}
body{margin:0 auto;max-width:${isInteractive(graph) ? '120rem' : '80rem'};padding:1rem;font:16px/1.5 system-ui,sans-serif}
figure{margin:0;overflow:auto;max-height:80vh}
pre{overflow:auto}
</style>
<main>
<h1>${title}</h1>
${note === undefined ? '' : `<p>${escapeHtmlLine(note)}; the text below the picture names each.</p>\n`}${await drawFigure(graph, title)}
<details><summary>As text</summary><pre tabindex="0">${renderText(fullGraph).split('\n').map(escapeHtmlLine).join('\n')}</pre></details>
</main>
${isInteractive(graph) ? `<script>${pictureScript};castellanPicture(document.querySelector('.picture'))</script>\n` : ''}</html>
`;
}

/**
 * Whether the page has a picture with filter and zoom; graphs with frames are drawn by Graphviz.
 */
function isInteractive({ nodes }: Graph): boolean {
  return nodes.length > 0 && nodes.every(({ frame }) => !frame);
}

async function drawFigure(graph: Graph, title: string): Promise<string> {
  if (graph.nodes.length === 0) return '<p>There is nothing to draw.</p>';
  if (isInteractive(graph)) return drawPicture(graph);
  return `<figure role="group" aria-label="${title}" tabindex="0">${await drawSvg(graph)}</figure>`;
}
