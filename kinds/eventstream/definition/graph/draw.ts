import type { Graph } from './graph.js';
import { printDot } from './print.js';

/** The graph as an SVG picture, laid out by Graphviz (compiled to WebAssembly: nothing to install). */
export async function drawSvg(graph: Graph): Promise<string> {
  // Loaded only when a picture is wanted: it weighs more than everything else here.
  const { instance } = await import('@viz-js/viz');
  const svg = (await instance()).renderString(printDot(graph), { format: 'svg' });
  return svg.replace(/^[\s\S]*?(?=<svg)/, '');
}
