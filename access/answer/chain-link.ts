/** One link of the chain from a visitor to an app. */
export interface ChainLink {
  /** What the link is about; `action`: what the app does with requests without a session. */
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
  /** The setting or object: a provider, group, path or claim. */
  readonly name: string;
  /** What was found about it, in words. */
  readonly value: string;
  /** Whether the visitor gets past this link. */
  readonly verdict: 'pass' | 'fail' | 'unknown';
}

/** The verdict of a link by whether the visitor gets past it. */
export function verdictOf(allowed: boolean | 'unknown'): ChainLink['verdict'] {
  if (allowed === 'unknown') return 'unknown';
  return allowed ? 'pass' : 'fail';
}

/** The word for a verdict in texts. */
export const verdictWords: Readonly<Record<ChainLink['verdict'], string>> = {
  pass: 'yes',
  fail: 'no',
  unknown: '?',
};
