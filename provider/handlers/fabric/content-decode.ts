import { gunzipSync } from 'node:zlib';
import type { ProviderFunction } from '../handler.js';
import { fromJson, type Json } from '../../values/json.js';
import { encodeType, type Value } from '../../values/value.js';

/**
 * The function `provider::fabric::content_decode(content[, path])`: decodes
 * `definition[part].content` of a data source.
 */
export const contentDecode: ProviderFunction = {
  signature: {
    parameters: [
      { name: 'content', type: encodeType('string'), description: 'Gzipped content in base64.' },
    ],
    variadicParameter: {
      name: 'path',
      type: encodeType('string'),
      description: 'A path into JSON content, such as $.sources[0].name.',
    },
    return: { type: encodeType('dynamic') },
    summary: 'Decodes the content of a definition part.',
  },
  call([content, path]) {
    const text = gunzipSync(Buffer.from(String(content), 'base64')).toString('utf8');
    const document = parseJson(text);
    return document === undefined
      ? fromJson(text)
      : fromJson(path === undefined ? document : selectPath(document, path));
  },
};

function parseJson(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined; // not JSON: the text itself is the content
  }
}

function selectPath(document: Json, path: Value): Json {
  const steps =
    String(path)
      .replace(/^\$/, '')
      .match(/[^.[\]'"]+/g) ?? [];
  return steps.reduce<Json>((node, step) => {
    if (Array.isArray(node)) return (node as readonly Json[])[Number(step)] ?? null;
    return typeof node === 'object' && node !== null
      ? ((node as Readonly<Record<string, Json>>)[step] ?? null)
      : null;
  }, document);
}
