import type { Mapping } from '../../../kinds/schema/mapping.js';
import { omitUnset } from '../../../kinds/schema/readers.js';
import { mapAttribute } from './declared-value.js';

type Values = Readonly<Record<string, unknown>>;

/**
 * The definitions of Castellan's own items: parts by path, each with its content as text or base64.
 */
export const definitionMapping: Mapping = mapAttribute('definition', 'definition', (value) => {
  const { format, parts } = value as {
    readonly format?: unknown;
    readonly parts?: Readonly<Record<string, Values | null>>;
  };
  const entries = Object.entries(parts ?? {}).map(([path, part]) => ({
    path,
    payload: payloadOf(part ?? {}),
    payloadType: 'InlineBase64',
  }));
  return omitUnset({ format, parts: entries });
});

/**
 * The official provider's form of an eventstream's graph written by Castellan: one constant
 * template with the document as its token. A plan does not contain the result of other templates.
 */
export const eventstreamGraphMapping: Mapping = mapAttribute(
  'definition',
  'definition',
  (value) => {
    const [part, ...others] = Object.values(value as Readonly<Record<string, Values | null>>);
    const { source, tokens } = part ?? {};
    const { Definition: document } = (tokens ?? {}) as Values;
    if (
      others.length > 0 ||
      typeof document !== 'string' ||
      !/(^|\/)definition\.tmpl$/.test(String(source))
    )
      return undefined;
    return parseIfKnown(document);
  },
);

/** A document with a value that is known only after apply is not JSON yet. */
function parseIfKnown(document: string): unknown {
  try {
    return JSON.parse(document);
  } catch {
    return undefined;
  }
}

function payloadOf({ content, content_base64: base64 }: Values): unknown {
  return typeof content === 'string' ? Buffer.from(content, 'utf8').toString('base64') : base64;
}
