import { sqliteFailed } from '../../common/sqlite.js';

/** Whether an error is a violated unique constraint, on either engine. */
export function isUniqueViolation(error: unknown): boolean {
  return sqliteFailed(error, 'unique') || sqliteFailed(error, 'primaryKey') || (error as { code?: unknown }).code === '23505';
}

/** The form in which names are compared: letter case doesn't count. */
export function nameKey(displayName: string): string {
  return displayName.normalize('NFC').toLowerCase();
}
