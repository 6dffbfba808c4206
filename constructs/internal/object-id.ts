import { isGuid } from '../../core/values/guid.js';

/** An id in lower case, as services and providers write it: fabric plans a replacement where only the letter case differs. */
export function normalizeId(id: string): string {
  return isGuid(id) ? id.toLowerCase() : id;
}
