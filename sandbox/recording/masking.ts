import { tryParseJson } from '../../services/common/body-parsers.js';
import { maskPath, secretNamePattern, secretPathPattern } from '../console/mask-secrets.js';
import type { HarBody, HarPair } from './har.js';

/** Members of JSON whose values are no secrets, though their names or places suggest it. */
const harmlessName =
  /^(@odata\..*|name|id|kid|kty|use|alg|keyName|keyId|displayName|hint|type|usage|permissions|token_type|expires_in|ext_expires_in|scope|startDateTime|endDateTime|.*SettingName|.*SecretName|secretRef|passwordPolicies|.*_endpoint|.*_supported)$/i;
/** Public documents, with many members such as `token_endpoint` that are no secrets. */
const publicPath = /\/(\.well-known|discovery)\//i;
const secretHeader = /authorization|cookie|token|secret|signature|assertion|api-?key/i;
const secretMask = '•••';

/**
 * A body as it is recorded: JSON and forms with masked secrets, and numbers in plain text; nothing
 * else.
 */
export function maskedBody(body: unknown, mimeType: string, path: string): HarBody | undefined {
  const isForm = /^application\/x-www-form-urlencoded/i.test(mimeType);
  const bytes = isForm ? formBytes(body) : bytesOf(body);
  if (bytes === undefined) return undefined;
  const text = bytes.toString();
  if (isForm) return { mimeType, text: maskPath(`?${text}`).slice(1) };
  if (/^text\/plain/i.test(mimeType) && /^\d{1,15}$/.test(text)) return { mimeType, text };
  const value = tryParseJson(bytes);
  if (value === undefined) return { mimeType, comment: 'no JSON: not recorded' };
  if (publicPath.test(path)) return { mimeType, text };
  return { mimeType, text: JSON.stringify(mask(value, secretPathPattern.test(path))) };
}

/** Headers as they are recorded, with masked secrets. */
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
  if (name.toLowerCase() === 'authorization')
    return `${value.split(' ', 1)[0] ?? ''} ${secretMask}`;
  return secretHeader.test(name) ? secretMask : value;
}

/**
 * A JSON value with masked secrets.
 *
 * @param isSecret whether texts in it are secrets, except members with a harmless name
 */
function mask(value: unknown, isSecret: boolean): unknown {
  if (typeof value === 'string') return isSecret ? maskText(value) : value;
  if (Array.isArray(value)) return value.map((each) => mask(each, isSecret));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      mask(each, !harmlessName.test(name) && (isSecret || secretNamePattern.test(name))),
    ]),
  );
}

/** A masked text; a JWT keeps its claims, which clients read, and loses its signature. */
function maskText(text: string): string {
  const [header = '', claims = '', signature] = text.split('.');
  const isToken = signature !== undefined && /^eyJ[\w-]+$/.test(header) && /^[\w-]+$/.test(claims);
  if (isToken) return `${header}.${claims}.masked`;
  return text === '' ? '' : secretMask;
}

/** A form as bytes, also one that was parsed. */
function formBytes(body: unknown): Buffer | undefined {
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
