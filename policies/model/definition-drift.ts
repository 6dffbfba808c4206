import type { ReadResult } from '../../core/source/read-source.js';
import type { ConfigPath } from '../../core/yaml/layers.js';
import { pathWords } from '../../kinds/eventstream/definition/index.js';
import { parseDocument } from '../../kinds/eventstream/definition/parse-document.js';
import type { EventhouseProps } from '../../kinds/eventhouse/eventhouse.js';
import type { EventstreamProps } from '../../kinds/eventstream/schema.js';
import { defaultStreamName } from '../../kinds/eventstream/written-graph.js';
import { declaredDocument } from './declared-document.js';
import { type Difference, graphDifferences } from './graph-differences.js';
import { isPartOf } from './is-part-of.js';

/** One thing of a definition that is not as it was declared. */
export interface DefinitionDrift {
  /** Where the declaration says it. */
  readonly path: ConfigPath;
  /** Where in the document it is. */
  readonly where: string;
  readonly reason: string;
}

const graphFile = 'eventstream.json';
const settingsFile = 'eventstreamProperties.json';

/**
 * Holds a declared definition against the one that a service has. What is not declared is the service's own affair: it adds ids and
 * defaults; but a node that no one declared is a difference. Values are left out: some may be secret.
 *
 * @param live the files of the definition, by their paths.
 * @param readFile reads a file that the configuration names; without it, and where it can't be read, a definition in a file is not
 * compared.
 * @param name what castellan.yaml calls the eventstream.
 */
export function definitionDrift(
  { definition, ...value }: EventhouseProps | EventstreamProps,
  live: ReadonlyMap<string, string>,
  readFile?: (file: string) => ReadResult,
  name?: string,
): readonly DefinitionDrift[] {
  const drifts: DefinitionDrift[] = [];
  let defaultStream: string | undefined;
  const hold = (file: string, declared: unknown, placeOf: (at: ConfigPath) => ConfigPath): void => {
    const actual = documentOf(() => live.get(file));
    const differences: readonly Difference[] =
      declared === undefined
        ? []
        : actual === undefined
          ? [{ path: [], reason: live.has(file) ? 'is not JSON any more' : 'is not there' }]
          : file === graphFile
            ? graphDifferences(declared, actual, defaultStream)
            : isPartOf(declared, actual)
              ? []
              : [{ path: [], reason: 'differs from what is declared' }];
    for (const { path, reason } of differences)
      drifts.push({ path: placeOf(path), where: path.length === 0 ? file : pathWords(declared)(path.map(String).map(number)), reason });
  };
  for (const property of ['retentionTimeInDays', 'eventThroughputLevel'] as const) {
    const declared = (value as EventstreamProps)[property];
    if (declared !== undefined) hold(settingsFile, { [property]: declared }, () => [property]);
  }
  if (definition === undefined) return drifts;
  const { file, parts } = definition as NonNullable<EventstreamProps['definition']>;
  if (parts !== undefined) {
    parts.forEach((part, index) => {
      // the service writes .platform itself
      if (part.path !== '.platform')
        hold(
          part.path,
          documentOf(() => Buffer.from(part.payload, 'base64').toString('utf8')),
          (at) => ['definition', 'parts', index, 'payload', ...at],
        );
    });
  } else if (file !== undefined) {
    const read = readFile?.(file);
    if (read !== undefined && 'source' in read)
      hold(
        graphFile,
        documentOf(() => read.source.text),
        (at) => ['definition', 'file', ...at],
      );
  } else {
    const stream = { ...value, definition } as EventstreamProps;
    const { compatibilityLevel, ...document } = declaredDocument(stream, name);
    if (stream.definition?.streams === undefined) defaultStream = defaultStreamName(stream.displayName);
    // a level that no one declared is the service's own affair
    const declared = stream.definition?.compatibilityLevel === undefined ? document : { ...document, compatibilityLevel };
    hold(graphFile, declared, (at) => ['definition', ...at]);
  }
  return drifts;
}

function documentOf(read: () => string | undefined): unknown {
  try {
    const text = read();
    return text === undefined ? undefined : parseDocument(text);
  } catch {
    return undefined; // of what is declared, other rules say that it can't be read; of what is there, the caller does
  }
}

function number(step: string): string | number {
  return /^\d+$/.test(step) ? Number(step) : step;
}
