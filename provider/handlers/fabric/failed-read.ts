import { isServiceError } from '../../../clients/common/index.js';
import type { Context } from '../handler.js';

const goneCodes = new Set(['EntityNotFound', 'WorkspaceNotFound']);

/** Undefined, with a warning, where the object is gone: any 404, and a 400 whose code says so. */
export async function warnWhenGone<T>(asked: Promise<T>, { warn }: Context): Promise<T | undefined> {
  try {
    return await asked;
  } catch (error) {
    const isGone = isServiceError(error, 404) || (isServiceError(error, 400) && goneCodes.has(error.serviceCode));
    if (!isGone) throw error;
    warn({
      summary: 'Resource not found',
      detail: 'The resource was not found in the service. It is removed from the state; the next plan creates it again.',
    });
    return undefined;
  }
}
