import { isDiskFull } from '../../core/errors/disk-full.js';

/**
 * The message to clients about an unexpected failure: without its details, but with what the operator
 * can do about it, where that is known.
 */
export function failureMessage(error: unknown): string {
  if (isModuleMissing(error))
    return 'The installation of Castellan changed while this process ran, and a file that it needs is gone. Start it again; for a sandbox: `castellan sandbox stop`, then `castellan sandbox start`.';
  const cause = isDiskFull(error) ? ' as the disk of the service is full' : '';
  return `The request failed unexpectedly${cause}.`;
}

/** Whether a module that is loaded on demand is missing, as after an update of the package. */
function isModuleMissing(error: unknown): boolean {
  return error instanceof Error && (error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND';
}
