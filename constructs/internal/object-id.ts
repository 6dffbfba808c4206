const guid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a text is an object id (a GUID, in either letter case) rather than a name. */
export function isObjectId(text: string): boolean {
  return guid.test(text);
}

/** An id in lower case, as services and providers write it: fabric plans a replacement where only the letter case differs. */
export function normalizedId(id: string): string {
  return isObjectId(id) ? id.toLowerCase() : id;
}
