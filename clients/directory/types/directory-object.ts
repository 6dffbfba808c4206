/** What every object of the directory has. `@odata.type` is there where objects of several types are mixed. */
export interface DirectoryObject {
  readonly id: string;
  readonly '@odata.type'?: string;
  readonly deletedDateTime?: string | null;
  readonly displayName?: string | null;
}
