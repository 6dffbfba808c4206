/** One entry of the error catalogue. */
export interface CatalogueEntry {
  /** What went wrong, in a few words, without the particulars of a case. */
  readonly title: string;
  /** What the reader can do about it. */
  readonly help: string;
}
