import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { CastellanError } from '../../core/errors/castellan-error.js';
import { exitCodes } from '../../core/findings/exit-code.js';
import { graphOf } from '../../kinds/eventstream/definition/graph/graph.js';
import type { Graph } from '../../kinds/eventstream/definition/graph/graph.js';
import { printDot, printMermaid, printText } from '../../kinds/eventstream/definition/graph/print.js';
import { definitionPath, validateEventstreamDefinition } from '../../kinds/eventstream/definition/index.js';
import { readTopologies } from '../../kinds/eventstream/definition/read-document.js';
import type { FoundTopology } from '../../kinds/eventstream/definition/read-document.js';
import type { RegisterCommand } from '../command.js';
import { writeOutput } from '../write-file.js';

const formats: Readonly<Record<string, (graph: Graph) => string | Promise<string>>> = {
  text: printText,
  mermaid: printMermaid,
  dot: printDot,
  svg: async (graph) => (await import('../../kinds/eventstream/definition/graph/draw.js')).drawSvg(graph),
};

interface GraphFlags {
  readonly format?: string;
  readonly output?: string;
  readonly stream?: string;
}

/** `castellan graph FILE`: draws how events flow through an eventstream. */
export const register: RegisterCommand = (program, io, done) => {
  program
    .command('graph')
    .description('Draw an eventstream: from eventstream.json, a definition with parts, or a castellan.yaml.')
    .argument('<file>', 'the file with the definition')
    .option('-f, --format <format>', `${Object.keys(formats).join(', ')} (default: by the name of --output, else text)`)
    .option('-o, --output <file>', 'write to a file instead of stdout')
    .option('--stream <name>', 'which eventstream of a castellan.yaml')
    .action(async (file: string, flags: GraphFlags) => {
      const topology = choose(readTopologies(read(resolve(io.cwd, file), file), file), flags.stream, file);
      const drawn = await printerOf(flags)(graphOf(topology.document));
      if (flags.output === undefined) io.stdout.write(drawn);
      else writeOutput(io, flags.output, drawn);
      // What castellan.yaml abbreviates is checked by `castellan check`, with its lines.
      const mistakes = topology.notation === 'castellan' ? [] : validateEventstreamDefinition(topology.document);
      for (const { path, message } of mistakes) io.stderr.write(`${file}: ${definitionPath(path)}: ${message}\n`);
      done(mistakes.length === 0 ? exitCodes.clean : exitCodes.findings);
    });
};

function printerOf({ format, output }: GraphFlags): (graph: Graph) => string | Promise<string> {
  const byName: Readonly<Record<string, string>> = { svg: 'svg', mmd: 'mermaid', md: 'mermaid', dot: 'dot', gv: 'dot' };
  const name = format ?? byName[output?.split('.').at(-1) ?? ''] ?? 'text';
  const printer = Object.hasOwn(formats, name) ? formats[name] : undefined;
  if (!printer) throw new CastellanError('CAS8001', `--format ${name}: allowed are ${Object.keys(formats).join(', ')}`);
  return printer;
}

function choose(found: readonly FoundTopology[], name: string | undefined, file: string): FoundTopology {
  const names = found.map((each) => each.name).filter((each) => each !== '');
  const [first, second] = name === undefined ? found : found.filter((each) => each.name === name);
  if (first !== undefined && second === undefined) return first;
  if (first !== undefined)
    throw new CastellanError('CAS8001', `${file} has several eventstreams: choose one by --stream (${names.join(', ')})`);
  const there = names.length === 0 ? 'has no named eventstreams' : `has ${names.join(', ')}`;
  throw new CastellanError('CAS8001', name === undefined ? `${file} has no eventstream` : `--stream ${name}: ${file} ${there}`);
}

function read(path: string, shown: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    throw new CastellanError('CAS1001', `${shown}: ${(cause as Error).message}`, { cause });
  }
}
