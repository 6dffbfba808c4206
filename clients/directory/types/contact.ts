import type { DirectoryObject } from './directory-object.js';

/** An organizational contact. */
export interface Contact extends DirectoryObject {
  readonly mail?: string | null;
  readonly mailNickname?: string | null;
}
