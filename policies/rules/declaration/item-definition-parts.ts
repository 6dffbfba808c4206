import { didYouMean, nearest } from '../../../core/text/nearest.js';
import { parseDocument } from '../../../kinds/eventstream/definition/parse-document.js';
import { defineRule } from '../../engine/rule.js';

const knownParts = {
  eventhouses: ['EventhouseProperties.json', '.platform'],
  eventstreams: ['eventstream.json', 'eventstreamProperties.json', '.platform'],
} as const;

interface Part {
  /** The name of the file in the service's definition: `eventstream.json`. */
  readonly path: string;
  /** The file's content in base64. */
  readonly payload: string;
}

export const itemDefinitionParts = defineRule({
  id: 'item-definition-parts',
  title: 'The parts of a definition are known ones, each once, and hold JSON in base64.',
  why: 'The service accepts the request and fails the operation later (CorruptedPayload).',
  severity: 'error',
  source: 'Items rules, "Definition" and "Errors" 2 (CorruptedPayload)',
  sections: ['eventhouses', 'eventstreams'],
  reportsSchemaMistakesOf: ['definition.parts.*.payloadType'],
  reads: ['definition.parts'],
  messages: {
    enum: 'the payload type is "{given}"; allowed: {allowed}{hint}',
    path: 'there is no part "{given}"; allowed: {allowed}{hint}',
    twice: 'the part "{given}" is listed twice',
    base64: 'the payload is not base64',
    json: 'the payload is not JSON: {reason}',
    main: 'the part eventstream.json is missing',
    format: 'the format of an eventstream is eventstream, not "{given}"',
  },
  check({ section, value }, context) {
    const parts = value.definition?.parts as readonly Part[] | undefined;
    if (!Array.isArray(parts)) return;
    const allowed: readonly string[] = knownParts[section];
    const seenPaths = new Set<string>();
    (parts as readonly Part[]).forEach((part, index) => {
      const path = ['definition', 'parts', index];
      if (typeof part?.path !== 'string' || typeof part.payload !== 'string') return;
      if (!allowed.includes(part.path)) {
        const hint = didYouMean(nearest(part.path, allowed));
        context.report({
          messageId: 'path',
          path: [...path, 'path'],
          parameters: { allowed, hint },
        });
      }
      if (seenPaths.has(part.path))
        context.report({
          messageId: 'twice',
          path: [...path, 'path'],
          parameters: { given: part.path },
        });
      seenPaths.add(part.path);
      const reason = mistakeIn(part);
      if (reason !== undefined)
        context.report({
          messageId: reason === '' ? 'base64' : 'json',
          path: [...path, 'payload'],
          parameters: { given: part.path, reason },
        });
    });
    if (section === 'eventstreams' && !seenPaths.has('eventstream.json'))
      context.report({ messageId: 'main', path: ['definition', 'parts'] });
    const format = value.definition?.format;
    if (section === 'eventstreams' && format !== undefined && format !== 'eventstream')
      context.report({
        messageId: 'format',
        path: ['definition', 'format'],
        parameters: { given: format },
        fix: { value: 'eventstream' },
      });
  },
});

/** Why a payload is invalid: empty if it is not even base64. */
function mistakeIn({ path, payload }: Part): string | undefined {
  if (!/^[A-Za-z0-9+/]*={0,2}$/.test(payload) || payload.length % 4 !== 0) return '';
  try {
    const text = Buffer.from(payload, 'base64').toString('utf8');
    if (path === 'eventstream.json') parseDocument(text);
    else JSON.parse(text);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
