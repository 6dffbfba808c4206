import { mistakeIn } from '../../../kinds/schema/find-mistake.js';
import { passwordSchema } from '../../../kinds/user/user.js';
import { randomBytes, scrypt, type ScryptOptions } from 'node:crypto';
import { promisify } from 'node:util';
import { badRequest, invalidProperty } from '../http/answers.js';
import type { Directory } from '../kernel/directory.js';
import { isObject } from '../../../core/values/is-object.js';

const hash = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);
/** Less than for real passwords: these are for tests, and often created by the thousand. */
const effort = { N: 4096, r: 8, p: 1 };
const collection = 'userPasswords';

/** A stored password hash. */
export interface HashedPassword {
  readonly salt: string;
  readonly hash: string;
}

/** The `passwordProfile` to store, without the password. */
export interface PasswordProfile {
  readonly view: Readonly<Record<string, unknown>>;
  readonly password: HashedPassword | undefined;
}

/**
 * Splits off the password of a `passwordProfile`, if there is one. Call before a transaction:
 * hashing takes time.
 *
 * @param policies the user's `passwordPolicies`.
 * @throws DirectoryError 400 for a weak password.
 */
export async function readPasswordProfile(
  value: unknown,
  policies: unknown,
): Promise<PasswordProfile | undefined> {
  if (value === undefined || value === null) return undefined;
  if (!isObject(value)) throw invalidProperty('passwordProfile', 'an object is expected');
  const {
    password,
    forceChangePasswordNextSignIn = true,
    forceChangePasswordNextSignInWithMfa = false,
  } = value;
  if (
    password !== undefined &&
    password !== null &&
    (typeof password !== 'string' || !isStrong(password, policies))
  )
    throw badRequest(
      'The specified password does not comply with password complexity requirements. Please provide a different password.',
      'passwordProfile',
    );
  return {
    view: { password: null, forceChangePasswordNextSignIn, forceChangePasswordNextSignInWithMfa },
    password: typeof password === 'string' ? await hashPassword(password) : undefined,
  };
}

/** Stores a user's password, replacing an older one. */
export async function storePassword(
  directory: Directory,
  userId: string,
  password: HashedPassword,
): Promise<void> {
  await directory.items.put(collection, userId, 'password', { ...password });
}

async function hashPassword(password: string): Promise<HashedPassword> {
  const salt = randomBytes(16);
  return {
    salt: salt.toString('base64'),
    hash: (await hash(password, salt, 32, effort)).toString('base64'),
  };
}

/**
 * Checks the length, and that three of these occur: small letter, capital, digit, symbol;
 * `DisableStrongPassword` turns the latter off.
 */
function isStrong(password: string, policies: unknown): boolean {
  if (mistakeIn(passwordSchema, password) !== undefined) return false;
  if (typeof policies === 'string' && /\bDisableStrongPassword\b/i.test(policies)) return true;
  return (
    [/\p{Ll}/u, /\p{Lu}/u, /\p{Nd}/u, /[^\p{L}\p{Nd}]/u].filter((kind) => kind.test(password))
      .length >= 3
  );
}
