/** Stops the parser; parseMembershipRule turns it into its answer. */
export class RuleSyntaxError extends Error {
  constructor(
    message: string,
    readonly position: number,
  ) {
    super(message);
    this.name = 'RuleSyntaxError';
  }
}
