import { isDiskFull } from '../../core/errors/disk-full.js';

/**
 * What a client is told of a failure that nobody expected: nothing of its details, but what whoever
 * runs the process can do, where that is known.
 */
export function failureMessage(error: unknown): string {
  if (isModuleGone(error))
    return 'The installation of Castellan changed while this process ran, and a file that it needs is gone. Start it again; for a sandbox: `castellan sandbox stop`, then `castellan sandbox start`.';
  const because = isDiskFull(error) ? ' as the disk of the service is full' : '';
  return `The request failed unexpectedly${because}.`;
}

/** Whether a module that is loaded on demand is missing, as after an update of the package. */
function isModuleGone(error: unknown): boolean {
  return error instanceof Error && (error as NodeJS.ErrnoException).code === 'ERR_MODULE_NOT_FOUND';
}
