import type { Path } from '../values/path.js';

/** A refusal that the user reads as a Terraform diagnostic: a summary, an explanation and the attribute that it is about. */
export class ProviderFailure extends Error {
  constructor(
    readonly summary: string,
    readonly detail?: string,
    readonly path?: Path,
  ) {
    super(summary);
    this.name = 'ProviderFailure';
  }
}
