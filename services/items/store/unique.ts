import type { Problem } from '../http/problem.js';
import { sqliteFailed } from '../../common/sqlite.js';

/** Whether an error is a violated unique constraint, on either engine. */
function isUniqueViolation(error: unknown): boolean {
  return sqliteFailed(error, 'unique') || sqliteFailed(error, 'primaryKey') || (error as { code?: unknown }).code === '23505';
}

/** Makes a change. @param taken the refusal of a name, or of another value, that is there already */
export async function uniquely<T>(change: Promise<T>, taken: () => Problem): Promise<T> {
  try {
    return await change;
  } catch (error) {
    throw isUniqueViolation(error) ? taken() : error;
  }
}

/** The form in which names are compared: letter case doesn't count. */
export function nameKey(displayName: string): string {
  return displayName.normalize('NFC').toLowerCase();
}
