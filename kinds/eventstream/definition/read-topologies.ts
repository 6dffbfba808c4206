import { parse } from 'yaml';
import { CastellanError } from '../../../core/errors/castellan-error.js';
import { isObject } from '../../../core/values/is-object.js';
import { nodeLists } from '../nodes/index.js';
import { eventstreamDocument } from '../declared-graph.js';
import { parseDocument } from './parse-document.js';

/** A topology found in a file. */
export interface FoundTopology {
  /** The eventstream's name in castellan.yaml; empty if the file is the topology itself. */
  readonly name: string;
  /** The document in the form of the service. */
  readonly document: unknown;
  /**
   * The form in the file: that of castellan.yaml (inputs as names, defaults omitted), or that of
   * the service.
   */
  readonly notation: 'service' | 'castellan';
}

/**
 * Finds topologies in the text of a file: an `eventstream.json` (also as YAML), a definition with
 * base64 parts, or the eventstreams of a castellan.yaml.
 *
 * @param file the file's name in messages.
 * @throws CAS1004 for anything else.
 */
export function readTopologies(text: string, file: string): readonly FoundTopology[] {
  let content: unknown;
  try {
    content = parse(text, { merge: true });
  } catch (cause) {
    throw new CastellanError(
      'CAS1004',
      `${file} is neither JSON nor YAML: ${(cause as Error).message}`,
      { cause },
    );
  }
  if (!isObject(content)) throw notATopology(file);
  const eventstreams = content['eventstreams'];
  if (isObject(eventstreams))
    return Object.entries(eventstreams).map(([name, stream]) => {
      const definition =
        isObject(stream) && isObject(stream['definition']) ? stream['definition'] : {};
      if (Array.isArray(definition['parts']))
        return { ...topologyOfParts(definition['parts'], file), name };
      const displayName =
        isObject(stream) && typeof stream['displayName'] === 'string'
          ? stream['displayName']
          : name;
      return {
        name,
        document: eventstreamDocument(definition, { displayName, name, eventhouseIds: () => ({}) }),
        notation: 'castellan',
      };
    });
  const definition = isObject(content['definition']) ? content['definition'] : content;
  if (Array.isArray(definition['parts'])) return [topologyOfParts(definition['parts'], file)];
  if (nodeLists.some((list) => Array.isArray(content[list])))
    return [{ name: '', document: content, notation: 'service' }];
  throw notATopology(file);
}

function topologyOfParts(parts: readonly unknown[], file: string): FoundTopology {
  const part = parts.find((each) => isObject(each) && each['path'] === 'eventstream.json');
  const payload = isObject(part) ? part['payload'] : undefined;
  if (typeof payload !== 'string')
    throw new CastellanError(
      'CAS1004',
      `${file}: the definition has no part "eventstream.json" with a payload`,
    );
  try {
    return {
      name: '',
      document: parseDocument(Buffer.from(payload, 'base64').toString('utf8')),
      notation: 'service',
    };
  } catch (cause) {
    throw new CastellanError(
      'CAS1004',
      `${file}: the part "eventstream.json" is not JSON: ${(cause as Error).message}`,
      { cause },
    );
  }
}

function notATopology(file: string): CastellanError {
  return new CastellanError(
    'CAS1004',
    `${file} has none of the lists ${nodeLists.join(', ')}, no definition parts and no eventstreams`,
  );
}
