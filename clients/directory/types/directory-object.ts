/**
 * The properties of every directory object. `@odata.type` is present in collections of several
 * types.
 */
export interface DirectoryObject {
  readonly id: string;
  readonly '@odata.type'?: string;
  /** When it was deleted; null or absent for one that exists. */
  readonly deletedDateTime?: string | null;
  readonly displayName?: string | null;
}
