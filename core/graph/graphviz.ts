import { visibleHtml } from '../text/control-characters.js';
import { drawPicture } from './page-picture.js';
import type { Graph } from './graph.js';
import { pictureScript } from './picture-script.js';
import { pictureStyle } from './picture-style.js';
import { renderDot, renderText } from './text-formats.js';

/** Graphviz writes light colours as attributes; these style rules override them in dark pages. */
const style = `<style>
.node text,.cluster text{fill:#1f2328}.cluster polygon{fill:none;stroke:#818b98}.edge text{fill:#59636e}.edge path{stroke:#59636e}.edge polygon{fill:#59636e;stroke:#59636e}
@media(prefers-color-scheme:dark){
.node text,.cluster text{fill:#f0f6fc}.edge text{fill:#9198a1}.edge path{stroke:#9198a1}.edge polygon{fill:#9198a1;stroke:#9198a1}
.node :is(polygon,path,ellipse,polyline){fill:#151b23;stroke:#9198a1}
.create :is(polygon,path,ellipse){fill:#12261e;stroke:#3fb950}.update :is(polygon,path,ellipse){fill:#272115;stroke:#d29922}
.replace :is(polygon,path,ellipse){fill:#2d1e12;stroke:#db6d28}.delete :is(polygon,path,ellipse){fill:#25171c;stroke:#f85149}
.forget :is(polygon,path,ellipse){fill:#151b23;stroke:#9198a1}.unchanged :is(polygon,path,ellipse){fill:#151b23;stroke:#656c76}
}</style>`;

/**
 * The graph as an SVG picture for light and dark pages, laid out by Graphviz (compiled to
 * WebAssembly: nothing to install).
 */
export async function drawSvg(graph: Graph): Promise<string> {
  // Loaded on demand: it is larger than everything else here.
  const { instance } = await import('@viz-js/viz');
  const svg = (await instance()).renderString(renderDot(graph), { format: 'svg' });
  return svg
    .replace(/^[\s\S]*?(?=<svg)/, '')
    .replace(/(<svg[^>]*>)/, `$1\n<title>${visibleHtml(graph.title)}</title>${style}`);
}

/**
 * The graph as a separate page: the diagram, and the same as text (of the whole graph, if the
 * diagram is shortened, with a note).
 */
export async function renderHtml(
  graph: Graph,
  { whole = graph, note }: { whole?: Graph; note?: string | undefined } = {},
): Promise<string> {
  const title = visibleHtml(graph.title);
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
${note === undefined ? '' : `<p>${visibleHtml(note)}; the text below the picture names each.</p>\n`}${await figureOf(graph, title)}
<details><summary>As text</summary><pre tabindex="0">${renderText(whole).split('\n').map(visibleHtml).join('\n')}</pre></details>
</main>
${isInteractive(graph) ? `<script>${pictureScript};castellanPicture(document.querySelector('.picture'))</script>\n` : ''}</html>
`;
}

/** Whether a graph is a picture that answers; comparisons of environments are side by side. */
function isInteractive({ nodes }: Graph): boolean {
  return nodes.length > 0 && nodes.every(({ frame }) => !frame);
}

async function figureOf(graph: Graph, title: string): Promise<string> {
  if (graph.nodes.length === 0) return '<p>There is nothing to draw.</p>';
  if (isInteractive(graph)) return drawPicture(graph);
  return `<figure role="group" aria-label="${title}" tabindex="0">${await drawSvg(graph)}</figure>`;
}
