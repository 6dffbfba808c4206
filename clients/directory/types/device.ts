import type { DirectoryObject } from './directory-object.js';

/** A device. */
export interface Device extends DirectoryObject {
  readonly deviceId?: string;
  readonly accountEnabled?: boolean;
  readonly operatingSystem?: string | null;
  readonly operatingSystemVersion?: string | null;
  readonly trustType?: string | null;
}
