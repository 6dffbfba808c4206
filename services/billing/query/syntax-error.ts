/** A query option that is not understood, with the place of the mistake. */
export class QuerySyntaxError extends Error {
  /**
   * @param option `filter` or `orderBy`.
   * @param position from 0, in characters of the option's text.
   */
  constructor(
    readonly option: string,
    readonly position: number,
    problem: string,
  ) {
    super(`${option}: ${problem} (at position ${position})`);
  }
}
