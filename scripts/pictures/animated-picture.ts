import { escapeHtml } from '../../core/text/escape-html.js';
import { spansOf } from './terminal-text.js';

/** One step of the picture: a command in a terminal, or a page in a browser. */
export type Scene = {
  /** What the reader sees in this step. */
  readonly caption: string;
  /** How long it stays, in seconds. */
  readonly seconds: number;
} & (TerminalRun | BrowserPage);

/** A command, with what it printed on a terminal. */
export interface TerminalRun {
  readonly command: string;
  /** With the escape sequences for its colours. */
  readonly output: string;
}

/** A page in a browser. */
export interface BrowserPage {
  readonly address: string;
  readonly lines: readonly PageLine[];
}

/** A line of a page in the browser. */
export interface PageLine {
  readonly text: string;
  readonly style: 'heading' | 'refusal' | 'reason' | 'pass' | 'fail' | 'link';
}

/** The signs before lines of some styles. */
const linePrefixes: Partial<Record<PageLine['style'], string>> = { pass: '✓  ', fail: '✕  ' };
/** The width of the terminal, in characters. */
const columns = 80;
// lengths in pixels
const characterWidth = 9;
const lineHeight = 21;
const margin = 24;
const captionBarHeight = 52;
const pageLineHeight = 34;
const width = columns * characterWidth + 2 * margin;
/** How long a command is shown without its output. */
const outputDelaySeconds = 0.9;

/** The style sheet of the picture, for light and dark schemes. */
const styleSheet = `
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
  const height = captionBarHeight + Math.max(...scenes.map(heightOf)) + margin;
  const totalSeconds = scenes.reduce((sum, { seconds }) => sum + seconds, 0);
  let start = 0;
  const cssRules: string[] = [];
  const drawnScenes: string[] = [];
  scenes.forEach((scene, index) => {
    const percent = (seconds: number): string => ((100 * seconds) / totalSeconds).toFixed(2);
    const end = start + scene.seconds;
    const outputStart = 'command' in scene ? start + outputDelaySeconds : start;
    cssRules.push(
      visibilityKeyframes(`scene${index}`, percent(start), percent(end)),
      visibilityKeyframes(`output${index}`, percent(outputStart), percent(end)),
      `.scene${index} { animation: scene${index} ${totalSeconds}s step-end infinite } .output${index} { animation: output${index} ${totalSeconds}s step-end infinite }`,
    );
    start = end;
    drawnScenes.push(drawScene(scene, index));
  });
  cssRules.push(
    '@keyframes progress { from { transform: scaleX(0) } to { transform: scaleX(1) } }',
    `.progress { transform-origin: 0 0; animation: progress ${totalSeconds}s linear infinite }`,
  );
  const last = scenes.length - 1;
  const reducedMotionRule = `@media (prefers-reduced-motion: reduce) { g, rect { animation: none !important } .scene { visibility: hidden } .scene${last} { visibility: visible } }`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="title">
<title id="title">${escapeHtml(title)}</title>
<style>${styleSheet}
  ${[...cssRules, reducedMotionRule].join('\n  ')}
</style>
<rect class="screen" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="8"/>
<path class="bar" d="M1 ${captionBarHeight} V9 a8 8 0 0 1 8 -8 H${width - 9} a8 8 0 0 1 8 8 V${captionBarHeight} Z"/>
<path class="line" d="M1 ${captionBarHeight}.5 H${width - 1}"/>
<g transform="translate(1 ${captionBarHeight - 1})"><rect class="progress" width="${width - 2}" height="2"/></g>
${drawnScenes.join('\n')}
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
    ? 2 * lineHeight + spansOf(scene.output).length * lineHeight
    : 5 * lineHeight + scene.lines.length * pageLineHeight;
}

function drawScene(scene: Scene, index: number): string {
  const body = 'command' in scene ? drawTerminal(scene, index) : drawBrowser(scene);
  return `<g class="scene scene${index}">
<circle class="dot" cx="${margin + 11}" cy="26" r="11"/><text class="number sans" x="${margin + 11}" y="31">${index + 1}</text>
<text class="caption" x="${margin + 34}" y="32">${escapeHtml(scene.caption)}</text>
${body}
</g>`;
}

function drawTerminal({ command, output }: TerminalRun, index: number): string {
  const lines = spansOf(output).flatMap((spans, line) =>
    spans.map(({ column, text, classes }) => {
      const x = margin + column * characterWidth;
      return `<text${classes.length > 0 ? ` class="${classes.join(' ')}"` : ''} x="${x}" y="${captionBarHeight + (line + 3.1) * lineHeight}" textLength="${text.length * characterWidth}">${escapeHtml(text)}</text>`;
    }),
  );
  const y = captionBarHeight + 1.6 * lineHeight;
  return `<text class="prompt" x="${margin}" y="${y}">$</text><text class="bold" x="${margin + 2 * characterWidth}" y="${y}" textLength="${command.length * characterWidth}">${escapeHtml(command)}</text>
<g class="output${index}">
${lines.join('\n')}
</g>`;
}

function drawBrowser({ address, lines }: BrowserPage): string {
  const top = captionBarHeight + 3.4 * lineHeight;
  return `<rect class="page" x="${margin}" y="${captionBarHeight + lineHeight}" width="${width - 2 * margin}" height="30" rx="15"/>
<text class="dim" x="${margin + 16}" y="${captionBarHeight + lineHeight + 20}">${escapeHtml(address)}</text>
${lines
  .map(
    ({ text, style: lineStyle }, line) =>
      `<text class="sans ${lineStyle}" x="${margin + 16}" y="${top + (line + 1) * pageLineHeight}">${escapeHtml(`${linePrefixes[lineStyle] ?? ''}${text}`)}</text>`,
  )
  .join('\n')}`;
}
