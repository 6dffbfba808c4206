import { createHash } from 'node:crypto';

/** A GUID derived from a text: always the same for the same text. */
export function derivedId(text: string): string {
  return guidFromHex(createHash('sha256').update(text).digest('hex'));
}

/** The GUID (version 4) of 32 or more hexadecimal digits. */
export function guidFromHex(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
