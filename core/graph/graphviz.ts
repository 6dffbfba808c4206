import { escapeHtmlLine } from '../text/control-characters.js';
import type { Graph } from './graph.js';
import { renderDot } from './text-formats.js';

/** Graphviz writes light colours as attributes; these style rules override them in dark pages. */
const darkModeStyle = `<style>
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
    .replace(/(<svg[^>]*>)/, `$1\n<title>${escapeHtmlLine(graph.title)}</title>${darkModeStyle}`);
}
