import { mistakeIn } from '../../../kinds/schema/find-mistake.js';
import { passwordSchema } from '../../../kinds/user/user.js';
import { randomBytes, scrypt, type ScryptOptions } from 'node:crypto';
import { promisify } from 'node:util';
import { badRequest, invalidProperty } from '../http/answers.js';
import type { Directory } from '../kernel/directory.js';
import type { Body } from '../store/objects.js';
import { isObject } from '../../../core/values/is-object.js';

const scryptAsync = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);
/**
 * Cheaper than for passwords in production: these are for tests, which create thousands of users.
 */
const scryptParameters = { N: 4096, r: 8, p: 1 };
const hashBytes = 32;
const saltBytes = 16;
const collection = 'userPasswords';

/** A stored password hash. */
export interface HashedPassword {
  /** Base64. */
  readonly salt: string;
  /** The key that scrypt derives, in Base64. */
  readonly hash: string;
}

/** A `passwordProfile`: the properties to store, and the hash of the password if there is one. */
export interface PasswordProfile {
  /** The profile to store. @param before the one before: its flags stay where none are given. */
  toStored(before?: unknown): Readonly<Record<string, unknown>>;
  readonly hashedPassword: HashedPassword | undefined;
}

/**
 * Checks a `passwordProfile` and hashes its password. Call before a transaction: hashing takes
 * time.
 *
 * @param policies the user's `passwordPolicies`.
 * @throws DirectoryError 400 for a weak password, and for a flag that is neither true nor false.
 */
export async function hashPasswordProfile(
  value: unknown,
  policies: unknown,
): Promise<PasswordProfile | undefined> {
  if (value === undefined || value === null) return undefined;
  if (!isObject(value)) throw invalidProperty('passwordProfile', 'an object is expected');
  const { password } = value;
  for (const name of Object.keys(defaultFlags))
    if (typeof (value[name] ?? true) !== 'boolean')
      throw invalidProperty('passwordProfile', `${name} must be true or false`);
  if (
    password !== undefined &&
    password !== null &&
    (typeof password !== 'string' || !isStrong(password, policies))
  )
    throw badRequest(
      'The specified password does not comply with password complexity requirements. Please provide a different password.',
      'passwordProfile',
    );
  const hashedPassword = typeof password === 'string' ? await hashPassword(password) : undefined;
  return { toStored: (before) => storedProfile(value, before), hashedPassword };
}

const defaultFlags = {
  forceChangePasswordNextSignIn: true,
  forceChangePasswordNextSignInWithMfa: false,
};

/** A new password must be changed at the next sign-in, unless the request says otherwise. */
function storedProfile(value: Body, before: unknown): Body {
  const kept: Body = isObject(before) ? before : {};
  const inherited =
    typeof value['password'] === 'string'
      ? { ...kept, forceChangePasswordNextSignIn: undefined }
      : kept;
  const flags = Object.entries(defaultFlags).map(
    ([name, initial]) => [name, value[name] ?? inherited[name] ?? initial] as const,
  );
  return { password: null, ...Object.fromEntries(flags) };
}

/** Stores a user's password, replacing an older one. */
export async function storePassword(
  directory: Directory,
  userId: string,
  password: HashedPassword,
): Promise<void> {
  await directory.records.put(collection, userId, 'password', { ...password });
}

async function hashPassword(password: string): Promise<HashedPassword> {
  const salt = randomBytes(saltBytes);
  return {
    salt: salt.toString('base64'),
    hash: (await scryptAsync(password, salt, hashBytes, scryptParameters)).toString('base64'),
  };
}

/**
 * Whether a password has the right length and three of these: small letter, capital, digit, symbol.
 * The policy `DisableStrongPassword` allows any characters.
 */
function isStrong(password: string, policies: unknown): boolean {
  if (mistakeIn(passwordSchema, password) !== undefined) return false;
  if (typeof policies === 'string' && /\bDisableStrongPassword\b/i.test(policies)) return true;
  return (
    [/\p{Ll}/u, /\p{Lu}/u, /\p{Nd}/u, /[^\p{L}\p{Nd}]/u].filter((kind) => kind.test(password))
      .length >= 3
  );
}
