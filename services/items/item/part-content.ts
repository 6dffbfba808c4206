import { parseDocument } from '../../../kinds/eventstream/definition/parse-document.js';
import { assertShallow } from '../../common/body-parsers.js';
import { Problem } from '../http/problem.js';

/** The JSON in a part of a definition. @throws Problem `CorruptedPayload` */
export function parsePart(path: string, payload: string): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(payload, 'base64'));
    assertShallow(text);
    return path === 'eventstream.json' ? parseDocument(text) : (JSON.parse(text) as unknown);
  } catch (error) {
    throw new Problem('CorruptedPayload', `${path} is not valid JSON: ${(error as Error).message}`);
  }
}
