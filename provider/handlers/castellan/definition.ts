import { omitUndefined } from '../../../core/values/omit-undefined.js';
import type { ItemDefinition } from '../../../clients/items/index.js';
import type { Json } from '../../values/json.js';
import { isMap, type Value, type ValueMap } from '../../values/value.js';
import { isSameJson } from '../azapi/compare-bodies.js';
import { textOrEmpty, oneBlock, optionalText } from '../read-values.js';

/** The definition of an item in a request; undefined if none is configured. */
export function expandDefinition(planned: ValueMap): ItemDefinition | undefined {
  const definition = oneBlock(planned, 'definition');
  if (definition === undefined) return undefined;
  const format = optionalText(definition, 'format');
  const parts = Object.entries(partsOf(definition)).map(([path, part]) => ({
    path,
    payload: payloadOf(part),
    payloadType: 'InlineBase64' as const,
  }));
  return { ...omitUndefined({ format }), parts };
}

const graphPart = 'eventstream.json';
const emptyGraph = {
  sources: [],
  destinations: [],
  streams: [],
  operators: [],
  compatibilityLevel: '1.0',
};

/**
 * The definition of an eventstream with a graph, which the service requires: if only the settings
 * are declared, the existing graph stays, and a new eventstream gets an empty one.
 */
export function withGraph<Definition extends ItemDefinition | undefined>(
  definition: Definition,
  actual?: ItemDefinition,
): Definition {
  if (definition === undefined || hasGraph(definition)) return definition;
  const payload = Buffer.from(JSON.stringify(emptyGraph)).toString('base64');
  const graph = actual?.parts.find(({ path }) => path === graphPart) ?? {
    path: graphPart,
    payload,
    payloadType: 'InlineBase64' as const,
  };
  return { ...definition, parts: [graph, ...definition.parts] };
}

/** Whether a definition of an eventstream has a graph. */
export function hasGraph({ parts }: ItemDefinition): boolean {
  return parts.some(({ path }) => path === graphPart);
}

function partsOf(definition: ValueMap | undefined): Readonly<Record<string, ValueMap>> {
  const parts = definition?.['parts'];
  return isMap(parts)
    ? Object.fromEntries(
        Object.entries(parts).filter((entry): entry is [string, ValueMap] => isMap(entry[1])),
      )
    : {};
}

function payloadOf(part: ValueMap): string {
  return (
    optionalText(part, 'content_base64') ??
    Buffer.from(textOrEmpty(part, 'content'), 'utf8').toString('base64')
  );
}

/**
 * The definition in the state after a read: parts equivalent to those of the state stay as written
 * (JSON is compared as JSON), others get the service's value. Parts that are not in the state
 * belong to the service.
 */
export function readDefinition(state: ValueMap, actual: ItemDefinition): Value {
  const definition = oneBlock(state, 'definition');
  if (definition === undefined) return null;
  const parts = Object.entries(partsOf(definition)).flatMap(([path, part]): [string, Value][] => {
    const actualPart = actual.parts.find((each) => each.path === path);
    if (actualPart === undefined) return [];
    if (isSameContent(payloadOf(part), actualPart.payload)) return [[path, part]];
    const isText = optionalText(part, 'content_base64') === undefined;
    return [
      [
        path,
        {
          content: isText ? Buffer.from(actualPart.payload, 'base64').toString('utf8') : null,
          content_base64: isText ? null : actualPart.payload,
        },
      ],
    ];
  });
  return { ...definition, parts: Object.fromEntries(parts) };
}

/** Whether two payloads are equivalent. */
export function isSameContent(a: string, b: string): boolean {
  if (a === b) return true;
  const [left, right] = [parseJsonPayload(a), parseJsonPayload(b)];
  return left !== undefined && right !== undefined && isSameJson(left, right);
}

function parseJsonPayload(payload: string): Json | undefined {
  try {
    return JSON.parse(Buffer.from(payload, 'base64').toString('utf8')) as Json;
  } catch {
    return undefined; // not JSON: compared byte by byte
  }
}

/** Whether two states have the same definition. */
export function isSameDefinition(prior: ValueMap, planned: ValueMap): boolean {
  const [before, after] = [oneBlock(prior, 'definition'), oneBlock(planned, 'definition')];
  const [oldParts, newParts] = [partsOf(before), partsOf(after)];
  const paths = new Set([...Object.keys(oldParts), ...Object.keys(newParts)]);
  if (optionalText(before, 'format') !== optionalText(after, 'format')) return false;
  return [...paths].every((path) => {
    const [a, b] = [oldParts[path], newParts[path]];
    return a !== undefined && b !== undefined && isSameContent(payloadOf(a), payloadOf(b));
  });
}
