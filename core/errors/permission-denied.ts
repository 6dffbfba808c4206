/**
 * Whether something failed because the system refused access to a file or folder: it belongs to
 * somebody else, or is on a disk that can only be read.
 */
export function isPermissionDenied(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, path } = error as NodeJS.ErrnoException;
  return path !== undefined && ['EACCES', 'EPERM', 'EROFS'].includes(String(code));
}
