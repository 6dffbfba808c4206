import type { IncomingMessage } from 'node:http';
import { isObject } from '../../../core/values/is-object.js';
import type { JsonObject } from '../config/settings.js';
import type { CheckedRequest } from '../checked-request.js';
import { Refusal } from '../http/refusal.js';

const maxBodyBytes = 256 * 1024;
const bodyTimeoutMs = 10_000;

/**
 * A request's whole body. @throws Refusal 413 when it is too long, 408 when it takes too long or
 * breaks off
 */
export function readBody(inbound: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    let length = 0;
    const refuse = (status: number, message: string): void => {
      stopListening();
      reject(new Refusal(status, message, { closesConnection: true }));
    };
    const addPart = (part: Buffer): void => {
      length += part.length;
      if (length > maxBodyBytes) refuse(413, 'The body is too long.');
      else parts.push(part);
    };
    const refuseLate = (): void => refuse(408, 'The body did not arrive in time.');
    const resolveBody = (): void => {
      stopListening();
      resolve(Buffer.concat(parts));
    };
    const deadline = setTimeout(refuseLate, bodyTimeoutMs);
    const stopListening = (): void => {
      clearTimeout(deadline);
      inbound
        .off('data', addPart)
        .off('end', resolveBody)
        .off('error', refuseLate)
        .off('close', refuseLate);
      inbound.on('error', () => undefined); // answered already: later errors have no receiver
    };
    inbound
      .on('data', addPart)
      .on('end', resolveBody)
      .on('error', refuseLate)
      .on('close', refuseLate);
  });
}

/** A JSON object of a request's body. @throws Refusal 415 or 400 */
export async function readJson({ inbound, headers }: CheckedRequest): Promise<JsonObject> {
  if (!/^application\/json *(;|$)/i.test(headers.contentType ?? ''))
    throw new Refusal(415, 'The body must be JSON, with Content-Type: application/json.', {
      closesConnection: true,
      code: 'unsupported_media_type',
    });
  const bytes = await readBody(inbound);
  try {
    const body: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (isObject(body)) return body;
  } catch {
    throw new Refusal(400, 'The body is not JSON.', { code: 'invalid_request' });
  }
  throw new Refusal(400, 'The body must be a JSON object.', { code: 'invalid_request' });
}

/**
 * Parameters of a query or form. @throws Refusal 400 for a repeated one, since two programs could
 * read two values
 */
export function readParameters(
  text: string,
  names: readonly string[],
): ReadonlyMap<string, string> {
  const parameters = new URLSearchParams(text);
  const result = new Map<string, string>();
  for (const name of names) {
    const values = parameters.getAll(name);
    if (values.length > 1)
      throw new Refusal(400, `The parameter ${name} is given twice.`, { code: 'invalid_request' });
    if (values[0] !== undefined && values[0] !== '') result.set(name, values[0]);
  }
  return result;
}
