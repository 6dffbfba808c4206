import { parseDocument } from '../../../kinds/eventstream/definition/parse-document.js';
import { textOfJson } from '../../common/body-parsers.js';
import { Problem } from '../http/problem.js';

/** The JSON in a part of a definition. @throws Problem `CorruptedPayload` */
export function parsePart(path: string, payload: string): unknown {
  try {
    const text = textOfJson(Buffer.from(payload, 'base64'));
    return path === 'eventstream.json' ? parseDocument(text) : (JSON.parse(text) as unknown);
  } catch (error) {
    throw new Problem('CorruptedPayload', `${path} is not valid JSON: ${(error as Error).message}`);
  }
}
