import type { Mapping } from '../../../../kinds/schema/mapping.js';
import { setOnly } from '../../../../kinds/schema/readers.js';
import { map } from '../mapping.js';

type Values = Readonly<Record<string, unknown>>;

/** How castellan's own items say their definition: parts by their path, each with its content as text or in base64. */
export const definition: Mapping = map('definition', 'definition', (given) => {
  const { format, parts } = given as { readonly format?: unknown; readonly parts?: Readonly<Record<string, Values | null>> };
  const entries = Object.entries(parts ?? {}).map(([path, part]) => ({
    path,
    payload: payloadOf(part ?? {}),
    payloadType: 'InlineBase64',
  }));
  return setOnly({ format, parts: entries });
});

function payloadOf({ content, content_base64: bytes }: Values): unknown {
  return typeof content === 'string' ? Buffer.from(content, 'utf8').toString('base64') : bytes;
}
