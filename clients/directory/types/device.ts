import type { DirectoryObject } from './directory-object.js';

/** A device. */
export interface Device extends DirectoryObject {
  /** The id by which the device was registered; `id` is that of the object. */
  readonly deviceId?: string;
  readonly accountEnabled?: boolean;
  readonly operatingSystem?: string | null;
  readonly operatingSystemVersion?: string | null;
  /** How it was joined: `Workplace` (registered only), `AzureAd` or `ServerAd` (hybrid). */
  readonly trustType?: string | null;
}
