import { BodyError, parseJson } from '../../services/common/body-parsers.js';
import { maskPath, secretName, secretPath } from '../console/activity.js';
import type { HarBody, HarPair } from './har.js';

/** Members whose names sound secret and whose values are not. */
const openName =
  /^(@odata\..*|name|id|kid|kty|use|alg|keyName|keyId|displayName|hint|type|usage|permissions|token_type|expires_in|ext_expires_in|scope|startDateTime|endDateTime|.*SettingName|.*SecretName|secretRef|passwordPolicies|.*_endpoint|.*_supported)$/i;
/** Documents that everyone may read, of whose names many sound secret. */
const publicPath = /\/(\.well-known|discovery)\//i;
const secretHeader = /authorization|cookie|token|secret|signature|assertion|api-?key/i;
const masked = '•••';

/**
 * A body as it is recorded: JSON and forms without secrets, of anything else only short numbers.
 */
export function maskedBody(body: unknown, mimeType: string, path: string): HarBody | undefined {
  const isForm = /^application\/x-www-form-urlencoded/i.test(mimeType);
  const bytes = isForm ? simulatorFields(body) : bytesOf(body);
  if (bytes === undefined) return undefined;
  const text = bytes.toString();
  if (isForm) return { mimeType, text: maskPath(`?${text}`).slice(1) };
  if (/^text\/plain/i.test(mimeType) && /^\d{1,15}$/.test(text)) return { mimeType, text };
  const value = jsonOf(bytes);
  if (value === undefined) return { mimeType, comment: 'no JSON: not recorded' };
  if (publicPath.test(path)) return { mimeType, text };
  return { mimeType, text: JSON.stringify(mask(value, secretPath.test(path))) };
}

/** The headers as they are recorded. */
export function maskedHeaders(headers: Readonly<Record<string, unknown>>): HarPair[] {
  return Object.entries(headers).flatMap(([name, value]) =>
    [value]
      .flat()
      .filter((each) => each !== undefined)
      .map((each) => ({ name, value: maskHeader(name, String(each)) })),
  );
}

function maskHeader(name: string, value: string): string {
  if (name.toLowerCase() === 'location') return maskPath(value);
  if (name.toLowerCase() === 'authorization') return `${value.split(' ', 1)[0] ?? ''} ${masked}`;
  return secretHeader.test(name) ? masked : value;
}

/** @param isSecret whether texts in the value are secrets unless their name is an open one */
function mask(value: unknown, isSecret: boolean): unknown {
  if (typeof value === 'string') return isSecret ? maskText(value) : value;
  if (Array.isArray(value)) return value.map((each) => mask(each, isSecret));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      mask(each, !openName.test(name) && (isSecret || secretName.test(name))),
    ]),
  );
}

/** A token keeps its claims, which clients read, and loses its signature. */
function maskText(text: string): string {
  const [header = '', claims = '', signature] = text.split('.');
  const isToken = signature !== undefined && /^eyJ[\w-]+$/.test(header) && /^[\w-]+$/.test(claims);
  if (isToken) return `${header}.${claims}.masked`;
  return text === '' ? '' : masked;
}

/** A form, also one that was parsed. */
function simulatorFields(body: unknown): Buffer | undefined {
  const isParsed = typeof body === 'object' && body !== null && !Buffer.isBuffer(body);
  return bytesOf(
    isParsed ? new URLSearchParams(body as Readonly<Record<string, string>>).toString() : body,
  );
}

function bytesOf(body: unknown): Buffer | undefined {
  if (body === undefined || body === null) return undefined;
  const bytes =
    typeof body === 'string' || Buffer.isBuffer(body)
      ? Buffer.from(body)
      : Buffer.from(JSON.stringify(body));
  return bytes.length === 0 ? undefined : bytes;
}

function jsonOf(bytes: Buffer): unknown {
  try {
    return parseJson(bytes);
  } catch (error) {
    if (error instanceof BodyError) return undefined;
    throw error;
  }
}
