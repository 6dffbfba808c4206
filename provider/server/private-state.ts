import { createHash, randomBytes } from 'node:crypto';
import { isObject } from '../../core/values/is-object.js';
import { type Json, toJson } from '../values/json.js';
import { isWhollyKnown, type Value } from '../values/value.js';

/** The key of the fingerprint among what providers keep beside a state. */
const fingerprintKey = 'castellan_unstored_input';

/** The key of the list of secret properties there. */
const secretNamesKey = 'castellan_secret_names';

/** A salted hash of an input: a short secret cannot be looked up by its hash. */
interface Fingerprint {
  readonly salt: string;
  readonly hash: string;
}

/**
 * The private data of a resource with the fingerprint of an input that its state does not contain.
 * The form is that of Terraform's plugin framework: base64 of JSON by name.
 *
 * @param input null if there is none.
 */
export function withFingerprintOf(privateData: Uint8Array, input: Value): Uint8Array {
  const { [fingerprintKey]: before, ...others } = parsePrivateData(privateData);
  if (input === null) return before === undefined ? privateData : serialize(others);
  const salt = randomBytes(16).toString('hex');
  const fingerprint: Fingerprint = { salt, hash: hashOf(salt, input) };
  return serialize({
    ...others,
    [fingerprintKey]: encode(fingerprint),
  });
}

/** Whether an input differs from the one whose fingerprint the private data has. */
export function isInputChanged(privateData: Uint8Array, input: Value): boolean {
  const { [fingerprintKey]: encoded } = parsePrivateData(privateData);
  if (typeof encoded !== 'string') return input !== null;
  if (input === null || !isWhollyKnown(input)) return true;
  const { salt, hash } = decode(encoded) as Fingerprint;
  return hash !== hashOf(salt, input);
}

/** The private data with the names of more properties whose values no state may contain. */
export function withSecretNames(privateData: Uint8Array, names: Json): Uint8Array {
  const merged = mergeNames(secretNamesOf(privateData), names);
  if (isObject(merged) && Object.keys(merged).length === 0) return privateData;
  return serialize({ ...parsePrivateData(privateData), [secretNamesKey]: encode(merged) });
}

/** The names of properties whose values no state may contain, by which the private data has them. */
export function secretNamesOf(privateData: Uint8Array): Json {
  const { [secretNamesKey]: encoded } = parsePrivateData(privateData);
  return typeof encoded === 'string' ? (decode(encoded) as Json) : {};
}

function mergeNames(some: Json, others: Json): Json {
  if (!isObject(some) || !isObject(others)) return null;
  const merged = Object.entries(others).map(([name, each]): [string, Json] => [
    name,
    Object.hasOwn(some, name) ? mergeNames(some[name] ?? null, each) : each,
  ]);
  return { ...some, ...Object.fromEntries(merged) };
}

function encode(value: unknown): string {
  return Buffer.from(JSON.stringify(value)).toString('base64');
}

function decode(encoded: string): unknown {
  return JSON.parse(Buffer.from(encoded, 'base64').toString('utf8'));
}

function hashOf(salt: string, input: Value): string {
  return createHash('sha256')
    .update(salt)
    .update(JSON.stringify(toJson(input)))
    .digest('hex');
}

function parsePrivateData(privateData: Uint8Array): Readonly<Record<string, unknown>> {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(privateData).toString('utf8'));
    return isObject(parsed) ? parsed : {};
  } catch {
    return {}; // empty, or of another provider
  }
}

function serialize(entries: Readonly<Record<string, unknown>>): Uint8Array {
  return Object.keys(entries).length === 0 ? Buffer.alloc(0) : Buffer.from(JSON.stringify(entries));
}
