import type { YAMLException } from 'js-yaml';
import type { Problem } from '../source/problem.js';
import type { SourceText } from '../source/source-text.js';
import { AnchorTable, type YamlNode } from './node.js';
import { plainParse } from './plain-parse.js';

/** One document of a YAML file. */
export interface YamlDocument {
  readonly source: SourceText;
  readonly root: YamlNode;
  readonly anchors: AnchorTable;
}

/** The documents of a file, or its first mistake. */
type ParseResult = { readonly documents: readonly YamlDocument[] } | { readonly problem: Problem };

/**
 * Parses YAML (and JSON) with the location of every node: with the plain parser, otherwise with the
 * fast one, and with the careful one if that finds a mistake or cannot determine every location.
 */
export async function parseYaml(source: SourceText): Promise<ParseResult> {
  const plain = plainParse(source.text);
  if (plain !== undefined) return { documents: documentsOf(plain, source) };
  const parsed = await rootsOf(source);
  if ('problem' in parsed) return parsed;
  const roots = parsed.roots.filter((root) => root.value !== null && root.value !== undefined);
  if (roots.length === 0)
    return {
      problem: {
        id: 'config-empty',
        message: 'there is nothing in this file',
        location: source.location(0),
      },
    };
  if (source.text.includes('*')) {
    for (const root of roots) {
      const problem = aliasProblem(root, source);
      if (problem !== undefined) return { problem };
    }
  }
  return { documents: documentsOf(roots, source) };
}

function documentsOf(roots: readonly YamlNode[], source: SourceText): readonly YamlDocument[] {
  return roots.map((root) => ({ source, root, anchors: new AnchorTable(root) }));
}

async function rootsOf(
  source: SourceText,
): Promise<{ readonly roots: readonly YamlNode[] } | { readonly problem: Problem }> {
  let mistake: YAMLException | undefined;
  const fast = await import('./fast-parse.js'); // most files need neither
  try {
    const roots = fast.fastParse(source.text);
    if (roots !== undefined) return { roots };
  } catch (error) {
    if (!(error instanceof fast.YAMLException)) throw error;
    mistake = error;
  }
  if (mistake !== undefined && /maxDepth/.test(mistake.reason))
    return { problem: tooDeep(mistake, source) };
  // Loaded on demand: it takes longer to load than everything else in a check.
  const { carefulParse } = await import('./careful-parse.js');
  const careful = carefulParse(source);
  if ('problem' in careful || mistake === undefined) return careful;
  return {
    problem: unknownAlias(mistake, source) ?? {
      id: 'config-syntax',
      message: mistake.reason,
      location: placeOf(mistake, source),
    },
  };
}

function tooDeep(mistake: YAMLException, source: SourceText): Problem {
  return {
    id: 'config-depth',
    message: 'nested more than 100 levels deep',
    location: placeOf(mistake, source),
  };
}

function unknownAlias(mistake: YAMLException, source: SourceText): Problem | undefined {
  const name = /^unidentified alias "(.+)"$/.exec(mistake.reason)?.[1];
  if (name === undefined) return undefined;
  const end = (mistake.mark as { position?: number } | undefined)?.position ?? source.text.length;
  const start = source.text.lastIndexOf(`*${name}`, end);
  const location = source.location(start, start + name.length + 1);
  return { id: 'config-alias', message: `the alias *${name} has no anchor before it`, location };
}

function placeOf(mistake: YAMLException, source: SourceText): Problem['location'] {
  const { line, column } = source.position(
    (mistake.mark as { position?: number } | undefined)?.position ?? 0,
  );
  return { file: source.file, line, column };
}

/** The most values in a document after its aliases are resolved. */
const mostValues = 1_000_000;

/**
 * The mistakes in a document's aliases: one that contains itself, or aliases of aliases that expand
 * exponentially.
 */
function aliasProblem(root: YamlNode, source: SourceText): Problem | undefined {
  return cycle(root, source, new Set()) ?? bomb(root, source);
}

function cycle(node: YamlNode, source: SourceText, ancestors: Set<unknown>): Problem | undefined {
  if (node.kind === 'alias' && ancestors.has(node.value)) {
    const name = source.text.slice(node.start, node.end);
    return {
      id: 'config-alias',
      message: `the alias ${name} is inside what it refers to`,
      location: source.location(node.start, node.end),
    };
  }
  if (node.children.length === 0) return undefined;
  ancestors.add(node.value);
  for (const child of node.children) {
    const circle = cycle(child, source, ancestors);
    if (circle !== undefined) return circle;
  }
  ancestors.delete(node.value);
  return undefined;
}

function bomb(root: YamlNode, source: SourceText): Problem | undefined {
  const sizes = new Map<unknown, number>();
  let worst: YamlNode | undefined;
  const measure = (node: YamlNode): number => {
    if (node.kind === 'alias') return sizes.get(node.value) ?? 1;
    let size = 1;
    for (const child of node.children) size += measure(child);
    if (node.children.length > 0) sizes.set(node.value, size);
    if (size > mostValues) worst ??= node;
    return size;
  };
  const size = measure(root);
  if (worst === undefined) return undefined;
  const values =
    size > Number.MAX_SAFE_INTEGER ? 'more values than can be counted' : `${String(size)} values`;
  return {
    id: 'config-alias',
    message: `aliases of aliases make ${values} here; at most ${String(mostValues)} are read`,
    location: source.location(worst.start),
  };
}
