import { statSync } from 'node:fs';
import { extname, join, resolve } from 'node:path';
import type { Command } from 'commander';
import { CastellanError } from '../../core/errors/castellan-error.js';
import { exitCodes } from '../../core/findings/exit-code.js';
import type { Graph } from '../../core/graph/graph.js';
import { renderDot, renderMermaid, renderText } from '../../core/graph/text-formats.js';
import { didYouMean, nearest } from '../../core/text/nearest.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import { eventstreamGraph } from '../../kinds/eventstream/definition/graph.js';
import {
  createPathFormatter,
  validateEventstreamDefinition,
} from '../../kinds/eventstream/definition/index.js';
import {
  type FoundTopology,
  readTopologies,
} from '../../kinds/eventstream/definition/read-topologies.js';
import { comparedGraphs, stackGraph } from '../../policies/check/stack-graph.js';
import { loadConfig, type SkippedPath } from '../../policies/model/load-config.js';
import type { LoadedStack } from '../../policies/model/loaded-stack.js';
import { placeText } from '../../policies/reporters/report.js';
import {
  type EnvironmentFlags,
  withoutDefaultEnvironment,
  environmentOption,
} from '../apply/options.js';
import type { CliIo, RegisterCommand } from '../command.js';
import { ChoiceOption } from '../choice-option.js';
import { formatOf, printText } from '../format.js';
import { reportSkippedPaths, whyNoConfiguration } from '../skipped-paths.js';
import { readInput, writeOutput } from '../files.js';

/** Writes a format: text and JSON contain the whole graph, diagrams its picture. */
type Print = (drawing: Pick<Drawing, 'graph' | 'picture' | 'note'>) => string | Promise<string>;

const formats: Readonly<Record<string, Print>> = {
  text: ({ graph }) => renderText(graph),
  json: ({ graph }) => `${JSON.stringify(graph, undefined, 2)}\n`,
  mermaid: ({ graph, picture = graph }) => renderMermaid(picture),
  dot: ({ graph, picture = graph }) => renderDot(picture),
  svg: async ({ graph, picture = graph }) =>
    (await import('../../core/graph/graphviz.js')).drawSvg(picture),
  html: async ({ graph, picture = graph, note }) =>
    (await import('../../core/graph/html-page.js')).renderHtml(picture, { fullGraph: graph, note }),
};
const formatsByEnding: ReadonlyMap<string, string> = new Map([
  ['', 'text'],
  ['.txt', 'text'],
  ['.json', 'json'],
  ['.svg', 'svg'],
  ['.html', 'html'],
  ['.mmd', 'mermaid'],
  ['.md', 'mermaid'],
  ['.dot', 'dot'],
  ['.gv', 'dot'],
]);

interface GraphFlags extends EnvironmentFlags {
  readonly format?: string;
  readonly json?: boolean;
  readonly output?: string;
  /** The only eventstream to draw, by its name in castellan.yaml. */
  readonly stream?: string;
  readonly stack?: string;
  /** The file of a plan as JSON, whose changes are drawn. */
  readonly plan?: string;
  /** The environment to draw beside the other. */
  readonly compare?: string;
}

/**
 * `castellan graph [PATH]`: draws a configuration, the event flow of an eventstream, or the changes
 * of a plan.
 */
export const register: RegisterCommand = (program, io, done) => {
  addOptions(program.command('graph')).action(
    async (path: string | undefined, flags: GraphFlags) => {
      const format = formatNameOf(flags);
      const drawing = await drawingOf(path, flags, io);
      const { mistakes, note } = drawing;
      const output = (await formats[format]?.(drawing)) ?? '';
      if (flags.output !== undefined) writeOutput(io, flags.output, output);
      else if (format === 'text') printText(io.stdout, output);
      else io.stdout.write(output);
      if (note !== undefined && !['text', 'json'].includes(format))
        printText(io.stderr, `${note}; --format text lists each\n`);
      for (const mistake of mistakes) printText(io.stderr, `${mistake}\n`);
      done(mistakes.length === 0 ? exitCodes.clean : exitCodes.findings);
    },
  );
};

function addOptions(command: Command): Command {
  return command
    .description(
      'Draw a configuration: who signs in to what, who owns what, where events flow; one eventstream; or what a plan changes.',
    )
    .argument(
      '[path]',
      'a castellan.yaml, a folder with one (default: this folder), or the definition of an eventstream (eventstream.json)',
    )
    .addOption(
      new ChoiceOption(
        '-f, --format <format>',
        Object.keys(formats),
        `${Object.keys(formats).join(', ')} (default: by the name of --output, else text)`,
      ),
    )
    .option('--json', 'short for --format json')
    .option('-o, --output <file>', 'write to a file instead of stdout')
    .option('--stack <name>', 'which stack of a configuration with several')
    .option('--stream <name>', 'draw only this eventstream of a castellan.yaml')
    .option(
      '--plan <file>',
      'draw what a plan changes, coloured: what terraform show -json PLANFILE prints (- for a pipe)',
    )
    .option(
      '--compare <environment>',
      'draw this environment beside the other, what differs coloured',
    )
    .option(...environmentOption);
}

function formatNameOf({ format, json, output = '' }: GraphFlags): string {
  const chosenFormat = format ?? (json === true ? undefined : formatByEnding(output));
  return formatOf(
    {
      ...omitUndefined({ format: chosenFormat, json }),
    },
    Object.keys(formats),
  );
}

/** @throws CAS8001 for an ending of none of the formats, such as `.png` */
function formatByEnding(output: string): string {
  const ending = extname(output);
  const format = formatsByEnding.get(ending.toLowerCase());
  if (format !== undefined) return format;
  const endings = [...formatsByEnding.keys()].filter((each) => each !== '').join(', ');
  throw new CastellanError(
    'CAS8001',
    `--output ${output}: no format has the ending ${ending}: use ${endings}, or name one by --format`,
  );
}

/** The graph, and the mistakes in its source. */
interface Drawing {
  readonly graph: Graph;
  /**
   * What diagrams draw instead: a readable part of a graph that is too large, or two environments
   * side by side.
   *
   * @default the graph
   */
  readonly picture?: Graph;
  /** What the picture joins or leaves out, if it does. */
  readonly note?: string | undefined;
  /** In sentences, with their places in the source. */
  readonly mistakes: readonly string[];
}

async function drawingOf(path: string | undefined, flags: GraphFlags, io: CliIo): Promise<Drawing> {
  if (flags.plan !== undefined) return planDrawing(path, flags.plan, flags, io);
  const inputPath = path ?? '.';
  return isConfiguration(inputPath, flags, io)
    ? configurationDrawing(inputPath, flags, io)
    : streamDrawing(
        isFolder(inputPath, io) ? join(inputPath, 'castellan.yaml') : inputPath,
        flags,
        io,
      );
}

async function planDrawing(
  path: string | undefined,
  plan: string,
  flags: GraphFlags,
  io: CliIo,
): Promise<Drawing> {
  const { stack, stream, compare, environment } = flags;
  const otherFlags = Object.entries({ stack, stream, compare, environment }).filter(
    ([, value]) => value !== undefined,
  );
  const conflictingInput = path ?? otherFlags.map(([name]) => `--${name}`)[0];
  if (conflictingInput !== undefined)
    throw new CastellanError('CAS8001', `--plan draws a plan alone: leave out ${conflictingInput}`);
  const { planGraph } = await import('../../policies/sources/plan/plan-graph.js');
  const { describeGrouping, groupPlan } =
    await import('../../policies/sources/plan/grouped-plan.js');
  const graph = await (plan === '-'
    ? planGraph('/dev/stdin', 'what came from the pipe')
    : planGraph(resolve(io.cwd, plan), plan));
  const picture = groupPlan(graph);
  return { graph, picture, note: describeGrouping(graph, picture), mistakes: [] };
}

/**
 * Whether a configuration is drawn: of a folder, of a file with the key `stack:`, or with
 * `--compare`. Otherwise, and with `--stream`, an eventstream is drawn.
 */
function isConfiguration(path: string, { stream, compare }: GraphFlags, io: CliIo): boolean {
  if (stream !== undefined) return false;
  if (isFolder(path, io)) return true;
  return compare !== undefined || /^(?:stack|"stack"|'stack')\s*:/m.test(readInput(io, path));
}

function isFolder(path: string, { cwd }: CliIo): boolean {
  return statSync(resolve(cwd, path), { throwIfNoEntry: false })?.isDirectory() === true;
}

async function configurationDrawing(path: string, flags: GraphFlags, io: CliIo): Promise<Drawing> {
  const load = async (
    environment: string | undefined,
  ): Promise<{
    stack: LoadedStack;
    mistakes: readonly string[];
    skippedPaths: readonly SkippedPath[];
  }> => {
    const { stacks, findings, skippedPaths } = await loadConfig({
      paths: [path],
      environment,
      cwd: io.cwd,
    });
    const mistakes = findings.map((finding) => `${placeText(finding)}: ${finding.message}`);
    if (stacks.length === 0 && mistakes.length > 0)
      throw new CastellanError('CAS8103', mistakes.map((each) => `\n  ${each}`).join(''));
    if (stacks.length === 0)
      throw new CastellanError('CAS2010', whyNoConfiguration([path], skippedPaths));
    return {
      stack: chooseStack(stacks, flags.stack),
      mistakes,
      skippedPaths,
    };
  };
  const { environment } = withoutDefaultEnvironment(flags);
  const from = await load(environment);
  reportSkippedPaths(from.skippedPaths, io);
  if (flags.compare === undefined)
    return { graph: stackGraph(from.stack, io.env), mistakes: from.mistakes };
  const to = await load(flags.compare);
  const { merged, sideBySide } = comparedGraphs(
    { name: environment ?? 'base', stack: from.stack },
    { name: flags.compare, stack: to.stack },
    io.env,
  );
  return {
    graph: merged,
    picture: sideBySide,
    mistakes: [...new Set([...from.mistakes, ...to.mistakes])],
  };
}

function chooseStack(stacks: readonly LoadedStack[], name: string | undefined): LoadedStack {
  const names = stacks.map(({ config }) => config.stack);
  const [first, second] =
    name === undefined ? stacks : stacks.filter(({ config }) => config.stack === name);
  if (first !== undefined && second === undefined) return first;
  if (first !== undefined || name === undefined)
    throw new CastellanError(
      'CAS8001',
      `there are several stacks: choose one by --stack (${names.join(', ')})`,
    );
  const hint = didYouMean(nearest(name, names), `; allowed: ${names.join(', ')}`);
  throw new CastellanError('CAS8001', `--stack ${name}: there is no such stack${hint}`);
}

function streamDrawing(file: string, flags: GraphFlags, io: CliIo): Drawing {
  const topology = chooseStream(readTopologies(readInput(io, file), file), flags.stream, file);
  // `castellan check` checks the abbreviations of castellan.yaml, with their lines.
  const mistakes =
    topology.notation === 'castellan' ? [] : validateEventstreamDefinition(topology.document);
  const formatPath = createPathFormatter(topology.document);
  return {
    graph: eventstreamGraph(topology.document, topology.name === '' ? file : topology.name),
    mistakes: mistakes.map(({ path, message }) => `${file}: ${formatPath(path)}: ${message}`),
  };
}

function chooseStream(
  streams: readonly FoundTopology[],
  name: string | undefined,
  file: string,
): FoundTopology {
  const names = streams.map((each) => each.name).filter((each) => each !== '');
  const [first, second] =
    name === undefined ? streams : streams.filter((each) => each.name === name);
  if (first !== undefined && second === undefined) return first;
  if (first !== undefined)
    throw new CastellanError(
      'CAS8001',
      `${file} has several eventstreams: choose one by --stream (${names.join(', ')})`,
    );
  const available = names.length === 0 ? 'has no named eventstreams' : `has ${names.join(', ')}`;
  throw new CastellanError(
    'CAS8001',
    name === undefined ? `${file} has no eventstream` : `--stream ${name}: ${file} ${available}`,
  );
}
