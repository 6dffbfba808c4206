import type { ProofExample, DirectionProof } from './proof.js';

/** Somebody who may exist, in words: `anyone whose department is "Sal"`. */
export function exampleText(example: ProofExample): string {
  const { path, signedIn = false } = example;
  if (path === undefined) return personText(example);
  return signedIn ? `${personText(example)}, at ${path}` : `a browser without a session (${path})`;
}

function personText({ attributes, like, groups = [], roles = [] }: ProofExample): string {
  const { provider, ...others } = attributes;
  if (typeof provider === 'string') return `anyone with an account at ${provider}`;
  const texts = (verb: 'is' | 'were'): string =>
    Object.entries(others)
      .map(([name, value]) => `${name} ${verb} ${valueText(value)}`)
      .join(' and ');
  if (like !== undefined) return `${like}, if ${texts('were')}`;
  const parts = [
    ...(groups.length === 0 ? [] : [`in ${groups.join(' and ')}`]),
    ...(roles.length === 0 ? [] : [`with a role of ${roles.join(' and ')}`]),
    ...(Object.keys(others).length === 0 ? [] : [`whose ${texts('is')}`]),
  ];
  return `anyone ${parts.length === 0 ? 'of the directory' : parts.join(' ')}`;
}

/**
 * One direction of a proof (gain or loss) in words: who, and why. `uncertainWho` is an example of
 * whom it is not known whether the change makes a difference.
 */
export function describeDirection({
  verdict,
  example,
  reasons = [],
  admittedBy = '',
}: DirectionProof): {
  readonly who: string;
  readonly why: string;
  readonly uncertainWho?: string;
} {
  if (verdict === 'none') return { who: 'nobody', why: 'proved for all possible people' };
  if (verdict === 'unknown' && example !== undefined && admittedBy !== '') {
    const uncertainWho = exampleText(example);
    // the first reason says why it is not known, the others what decides about the example
    return { who: `perhaps ${uncertainWho}`, why: reasons[0] ?? '', uncertainWho };
  }
  if (verdict === 'unknown' || example === undefined)
    return { who: 'not known', why: reasons.join('; ') };
  return { who: exampleText(example), why: admittedBy };
}

function valueText(value: unknown): string {
  if (value === null) return 'not set';
  return Array.isArray(value) && value.length === 0 ? 'empty' : JSON.stringify(value);
}
