/** One link of the chain from a visitor to an app. */
export interface ChainLink {
  readonly kind:
    | 'provider'
    | 'tenant'
    | 'audience'
    | 'group'
    | 'rule'
    | 'role'
    | 'path'
    | 'requirement'
    | 'action';
  readonly name: string;
  readonly value: string;
  readonly verdict: 'pass' | 'fail' | 'unknown';
}

/** The word for a verdict in texts. */
export const verdictWords: Readonly<Record<ChainLink['verdict'], string>> = {
  pass: 'yes',
  fail: 'no',
  unknown: '?',
};
