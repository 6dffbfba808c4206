import { isGuid } from '../../core/values/guid.js';
/** Whether a text is an object id (a GUID, in either letter case) rather than a name. */
export function isObjectId(text: string): boolean {
  return isGuid(text);
}

/** An id in lower case, as services and providers write it: fabric plans a replacement where only the letter case differs. */
export function normalizedId(id: string): string {
  return isObjectId(id) ? id.toLowerCase() : id;
}
