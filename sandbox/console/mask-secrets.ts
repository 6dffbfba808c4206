import { splitQuery } from '../../core/text/split-query.js';
import { maxParsedBytes } from './collect-body.js';
import { tryParseJson } from '../../services/common/body-parsers.js';

/** How many characters of the text of a body are kept. */
const maxTextLength = 4_000;

/** The text that is kept in place of a longer body. */
export const tooLongText = '(too long, not recorded)';

/** Names whose values are secrets. */
export const secretNamePattern =
  /secret|password|token|assertion|credential|certificate|authorization|keys?$|signature|^code$/i;

/** Paths whose responses are secrets: the resource manager's list actions, the token endpoint. */
export const secretPathPattern =
  /\/(list(secrets|keys|connectionstrings)|oauth2\/.*token|msi\/token|\.well-known)/i;

/** An address whose query and fragment have masked secrets: the implicit flow uses the fragment. */
export function maskPath(url: string): string {
  const [address = '', ...fragments] = url.split('#');
  const [path, query] = splitQuery(address);
  const maskedAddress = query === undefined ? path : `${path}?${maskParameters(query)}`;
  return [maskedAddress, ...fragments.map(maskParameters)].join('#');
}

function maskParameters(parameters: string): string {
  return parameters.split('&').map(maskParameter).join('&');
}

/** A parameter of a query; its value may be an address with a query of its own. */
function maskParameter(parameter: string): string {
  const parts = parameter.split('?');
  const names = parts.map((part) => part.split('=', 1)[0] ?? '');
  const secretIndex = names.findIndex((name) => secretNamePattern.test(decode(name)));
  if (secretIndex < 0) return parameter;
  return [...parts.slice(0, secretIndex), `${names[secretIndex] ?? ''}=•••`].join('?');
}

/** The text in place of a body that consists of secrets; undefined if there is none. */
export function hiddenBodyText(body: unknown): string | undefined {
  return isEmpty(body) ? undefined : '(holds secrets, not recorded)';
}

/** A body with masked secrets, cut to a length that a page can show; undefined if there is none. */
export function maskedBodyText(body: unknown): string | undefined {
  if (isEmpty(body)) return undefined;
  const isText = typeof body === 'string' || Buffer.isBuffer(body);
  if (isText && body.length > maxParsedBytes) return tooLongText;
  const parsed = isText ? tryParseJson(Buffer.from(body)) : body;
  if (typeof parsed !== 'object' || parsed === null) return '(no JSON, not recorded)';
  const text = JSON.stringify(maskValue(parsed), undefined, 2);
  return text.length > maxTextLength ? `${text.slice(0, maxTextLength)}\n…` : text;
}

function isEmpty(body: unknown): boolean {
  return body === undefined || body === null || body === '';
}

function maskValue(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(maskValue);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, maskMember(name, each)]),
  );
}

function maskMember(name: string, value: unknown): unknown {
  if (!secretNamePattern.test(name)) return maskValue(value);
  if (Array.isArray(value)) return value.map((each) => maskSecret(each));
  return maskSecret(value);
}

/** Under a secret name every text is masked; in a secret object (`{name, value}`) the value is. */
function maskSecret(value: unknown): unknown {
  if (typeof value === 'string') return value === '' ? value : '•••';
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      name === 'name' || typeof each !== 'string' ? maskValue(each) : '•••',
    ]),
  );
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
