import type { ReadResult } from '../../core/source/read-source.js';
import type { ConfigPath } from '../../core/yaml/layers.js';
import { createPathFormatter } from '../../kinds/eventstream/definition/index.js';
import { parseDocument } from '../../kinds/eventstream/definition/parse-document.js';
import type { EventhouseProps } from '../../kinds/eventhouse/eventhouse.js';
import type { EventstreamProps } from '../../kinds/eventstream/eventstream.js';
import { defaultStreamName } from '../../kinds/eventstream/declared-graph.js';
import { declaredDocument } from './declared-document.js';
import { type GraphDifference, graphDifferences } from './graph-differences.js';
import { matchesDeclared } from './matches-declared.js';

/** A difference between a declared and a live definition. */
export interface DefinitionDrift {
  /** Its path in the declaration. */
  readonly path: ConfigPath;
  /** Its path in the document. */
  readonly where: string;
  /** What follows the place in a message: `is not there`, `differs from what is declared`. */
  readonly reason: string;
}

const graphFile = 'eventstream.json';
const settingsFile = 'eventstreamProperties.json';

/**
 * Compares a declared definition with the live one. Values that are not declared are ignored, since
 * the service adds ids and defaults; but an undeclared node is a difference. Values are left out of
 * the result: some may be secret.
 *
 * @param live the files of the live definition, by their paths.
 * @param readFile reads a file that the configuration refers to; without it, and for an unreadable
 *   file, a definition in a file is not compared.
 * @param name the eventstream's name in castellan.yaml.
 */
export function definitionDrift(
  { definition, ...value }: EventhouseProps | EventstreamProps,
  live: ReadonlyMap<string, string>,
  readFile?: (file: string) => ReadResult,
  name?: string,
): readonly DefinitionDrift[] {
  const drifts: DefinitionDrift[] = [];
  let impliedStream: string | undefined;
  const differencesOf = (
    file: string,
    declared: unknown,
    actual: unknown,
  ): readonly GraphDifference[] => {
    if (actual === undefined)
      return [{ path: [], reason: live.has(file) ? 'is not JSON any more' : 'is not there' }];
    if (file === graphFile) return graphDifferences(declared, actual, impliedStream);
    return matchesDeclared(declared, actual)
      ? []
      : [{ path: [], reason: 'differs from what is declared' }];
  };
  const compareFile = (
    file: string,
    declared: unknown,
    placeOf: (innerPath: ConfigPath) => ConfigPath,
  ): void => {
    const actual = tryParseDocument(() => live.get(file));
    if (declared === undefined) return;
    for (const { path, reason } of differencesOf(file, declared, actual))
      drifts.push({
        path: placeOf(path),
        where:
          path.length === 0
            ? file
            : createPathFormatter(declared)(path.map(String).map(indexOrName)),
        reason,
      });
  };
  for (const property of ['retentionTimeInDays', 'eventThroughputLevel'] as const) {
    const declared = (value as EventstreamProps)[property];
    if (declared !== undefined)
      compareFile(settingsFile, { [property]: declared }, () => [property]);
  }
  if (definition === undefined) return drifts;
  const { file, parts } = definition as NonNullable<EventstreamProps['definition']>;
  if (parts !== undefined) {
    parts.forEach((part, index) => {
      // the service writes .platform itself
      if (part.path !== '.platform')
        compareFile(
          part.path,
          tryParseDocument(() => Buffer.from(part.payload, 'base64').toString('utf8')),
          (innerPath) => ['definition', 'parts', index, 'payload', ...innerPath],
        );
    });
  } else if (file !== undefined) {
    const readResult = readFile?.(file);
    if (readResult !== undefined && 'source' in readResult)
      compareFile(
        graphFile,
        tryParseDocument(() => readResult.source.text),
        (innerPath) => ['definition', 'file', ...innerPath],
      );
  } else {
    const stream = { ...value, definition } as EventstreamProps;
    const { compatibilityLevel, ...document } = declaredDocument(stream, name);
    if (stream.definition?.streams === undefined)
      impliedStream = defaultStreamName(stream.displayName);
    // an undeclared level is the service's own
    const declared =
      stream.definition?.compatibilityLevel === undefined
        ? document
        : { ...document, compatibilityLevel };
    compareFile(graphFile, declared, (innerPath) => ['definition', ...innerPath]);
  }
  return drifts;
}

function tryParseDocument(read: () => string | undefined): unknown {
  try {
    const text = read();
    return text === undefined ? undefined : parseDocument(text);
  } catch {
    // Other rules report an unreadable declared definition; the caller reports an unreadable live
    // one
    return undefined;
  }
}

function indexOrName(step: string): string | number {
  return /^\d+$/.test(step) ? Number(step) : step;
}
