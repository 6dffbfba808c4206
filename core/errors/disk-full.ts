/**
 * Whether something failed, or led to a failure, because the disk or the user's share of it is
 * full.
 */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, message, cause } = error as Error & { readonly code?: unknown };
  return (
    ['ENOSPC', 'EDQUOT', 'SQLITE_FULL'].includes(String(code)) ||
    /database or disk is full|no space left on device/i.test(message) ||
    isDiskFull(cause)
  );
}
