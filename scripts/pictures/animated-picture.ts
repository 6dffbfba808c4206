import { escapeHtml } from '../../core/text/escape-html.js';
import { spansOf } from './terminal-text.js';

/** One step of the picture. */
export type Scene = {
  /** What the reader sees in this step. */
  readonly caption: string;
  /** How long it stays, in seconds. */
  readonly seconds: number;
} & (Run | Page);

/** A command, with what it printed on a terminal. */
export interface Run {
  readonly command: string;
  readonly output: string;
}

/** A page in a browser. */
export interface Page {
  readonly address: string;
  readonly lines: readonly PageLine[];
}

/** A line of a page in the browser. */
export interface PageLine {
  readonly text: string;
  readonly look: 'heading' | 'refusal' | 'reason' | 'pass' | 'fail' | 'link';
}

/** The signs before lines of some looks. */
const signs: Partial<Record<PageLine['look'], string>> = { pass: '✓  ', fail: '✕  ' };
const columns = 80;
/** In pixels: a character's width, a terminal line's height, the margin, the caption bar's height. */
const [cell, row, margin, bar] = [9, 21, 24, 52];
/** The height of a line of a page, in pixels. */
const pageRow = 34;
const width = columns * cell + 2 * margin;
/** How long a command is shown without its output. */
const outputDelaySeconds = 0.9;

const style = `
  .screen { fill: #ffffff; stroke: #d1d9e0 } .bar { fill: #f6f8fa } .line { stroke: #d1d9e0 } .page { fill: #f6f8fa; stroke: #d1d9e0 }
  text { fill: #1f2328; font: 15px ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace; white-space: pre }
  .caption, .sans { font-family: -apple-system, 'Segoe UI', Roboto, 'Noto Sans', Ubuntu, sans-serif }
  .caption { font-size: 16px; font-weight: 600 } .number { fill: #ffffff; font-size: 13px; font-weight: 600; text-anchor: middle }
  .dot { fill: #1a7f37 } .prompt, .green { fill: #1a7f37 } .bold { font-weight: 700 } .dim { fill: #59636e }
  .red { fill: #cf222e } .yellow { fill: #9a6700 } .magenta { fill: #8250df } .cyan, .link { fill: #0969da }
  .heading, .refusal { font-size: 21px; font-weight: 700 } .refusal, .fail { fill: #cf222e } .pass { fill: #1a7f37 } .reason { font-size: 17px; font-weight: 600 } .progress { fill: #1a7f37 }
  @media (prefers-color-scheme: dark) {
    .screen { fill: #0d1117; stroke: #3d444d } .bar { fill: #151b23 } .line { stroke: #3d444d } .page { fill: #151b23; stroke: #3d444d }
    text { fill: #f0f6fc } .dim { fill: #9198a1 } .number { fill: #ffffff } .dot, .progress { fill: #238636 }
    .prompt, .green { fill: #3fb950 } .red, .refusal, .fail { fill: #ff7b72 } .pass { fill: #3fb950 } .yellow { fill: #d29922 } .magenta { fill: #d2a8ff } .cyan, .link { fill: #79c0ff }
  }`;

/**
 * An animated SVG of the scenes, one after another, over and over. It follows the reader's light or
 * dark scheme; where motion is unwanted, it shows the last scene.
 */
export function animatedPicture(title: string, scenes: readonly Scene[]): string {
  const height = bar + Math.max(...scenes.map(heightOf)) + margin;
  const total = scenes.reduce((sum, { seconds }) => sum + seconds, 0);
  let start = 0;
  const [rules, groups]: [string[], string[]] = [[], []];
  scenes.forEach((scene, index) => {
    const percent = (seconds: number): string => ((100 * seconds) / total).toFixed(2);
    const end = start + scene.seconds;
    const outputStart = 'command' in scene ? start + outputDelaySeconds : start;
    rules.push(
      visibilityKeyframes(`scene${index}`, percent(start), percent(end)),
      visibilityKeyframes(`output${index}`, percent(outputStart), percent(end)),
      `.scene${index} { animation: scene${index} ${total}s step-end infinite } .output${index} { animation: output${index} ${total}s step-end infinite }`,
    );
    start = end;
    groups.push(drawScene(scene, index));
  });
  rules.push(
    '@keyframes progress { from { transform: scaleX(0) } to { transform: scaleX(1) } }',
    `.progress { transform-origin: 0 0; animation: progress ${total}s linear infinite }`,
  );
  const last = scenes.length - 1;
  const still = `@media (prefers-reduced-motion: reduce) { g, rect { animation: none !important } .scene { visibility: hidden } .scene${last} { visibility: visible } }`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title">
<title id="title">${escapeHtml(title)}</title>
<style>${style}
  ${[...rules, still].join('\n  ')}
</style>
<rect class="screen" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8"/>
<path class="bar" d="M1 ${bar} V9 a8 8 0 0 1 8 -8 H${width - 9} a8 8 0 0 1 8 8 V${bar} Z"/>
<path class="line" d="M1 ${bar}.5 H${width - 1}"/>
<g transform="translate(1 ${bar - 1})"><rect class="progress" width="${width - 2}" height="2"/></g>
${groups.join('\n')}
</svg>
`;
}

/** The keyframes of an animation that is visible between two moments, in percent of its time. */
function visibilityKeyframes(name: string, from: string, to: string): string {
  const before = Number(from) === 0 ? '' : '0% { visibility: hidden } ';
  const after = Number(to) === 100 ? '' : ` ${to}%, 100% { visibility: hidden }`;
  return `@keyframes ${name} { ${before}${from}% { visibility: visible }${after} }`;
}

function heightOf(scene: Scene): number {
  return 'command' in scene
    ? 2 * row + spansOf(scene.output).length * row
    : 5 * row + scene.lines.length * pageRow;
}

function drawScene(scene: Scene, index: number): string {
  const body = 'command' in scene ? drawTerminal(scene, index) : drawBrowser(scene);
  return `<g class="scene scene${index}">
<circle class="dot" cx="${margin + 11}" cy="26" r="11"/><text class="number sans" x="${margin + 11}" y="31">${index + 1}</text>
<text class="caption" x="${margin + 34}" y="32">${escapeHtml(scene.caption)}</text>
${body}
</g>`;
}

function drawTerminal({ command, output }: Run, index: number): string {
  const lines = spansOf(output).flatMap((spans, line) =>
    spans.map(({ column, text, classes }) => {
      const x = margin + column * cell;
      return `<text${classes.length > 0 ? ` class="${classes.join(' ')}"` : ''} x="${x}" y="${bar + (line + 3.1) * row}" textLength="${text.length * cell}">${escapeHtml(text)}</text>`;
    }),
  );
  const y = bar + 1.6 * row;
  return `<text class="prompt" x="${margin}" y="${y}">$</text><text class="bold" x="${margin + 2 * cell}" y="${y}" textLength="${command.length * cell}">${escapeHtml(command)}</text>
<g class="output${index}">
${lines.join('\n')}
</g>`;
}

function drawBrowser({ address, lines }: Page): string {
  const top = bar + 3.4 * row;
  return `<rect class="page" x="${margin}" y="${bar + row}" width="${width - 2 * margin}" height="30" rx="15"/>
<text class="dim" x="${margin + 16}" y="${bar + row + 20}">${escapeHtml(address)}</text>
${lines
  .map(
    ({ text, look }, line) =>
      `<text class="sans ${look}" x="${margin + 16}" y="${top + (line + 1) * pageRow}">${escapeHtml(`${signs[look] ?? ''}${text}`)}</text>`,
  )
  .join('\n')}`;
}
