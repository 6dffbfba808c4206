/** Whether an error is a violated unique constraint, on either engine. */
export function isUniqueViolation(error: unknown): boolean {
  const { code } = error as { code?: unknown };
  return code === 'SQLITE_CONSTRAINT_UNIQUE' || code === 'SQLITE_CONSTRAINT_PRIMARYKEY' || code === '23505';
}

/** The form in which names are compared: letter case doesn't count. */
export function nameKey(displayName: string): string {
  return displayName.normalize('NFC').toLowerCase();
}
