import { createHash } from 'node:crypto';
import type { SeedEntry } from '../../common/seed.js';

/** The id of an entry that gives none: always the same for the same entry, so that a second start finds it. */
export function seededId(list: string, entry: SeedEntry): string {
  const hex = createHash('sha256')
    .update(`${list}\n${JSON.stringify(entry)}`)
    .digest('hex');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
