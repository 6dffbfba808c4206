import { defineRule } from '../../engine/rule.js';
import type { SectionProps } from '../../engine/stack-index.js';

export const authPublicApp = defineRule({
  id: 'auth-public-app',
  title:
    'An app with external ingress has auth that restricts access, or a suppression that says why not.',
  why: 'Everyone on the internet can use it.',
  severity: 'warning',
  source: 'Sign-in rules, "What the service does" 1 and 7 (optional: an app may secure itself)',
  sections: ['containerApps'],
  reads: ['ingress.external'],
  messages: {
    none: 'the app is reached from outside and has no auth: declare auth, or say why not (# castellan-ignore auth-public-app reason="…" owner=… until=YYYY-MM-DD)',
    disabled: 'the app is reached from outside and its auth is switched off',
    open: 'the app is reached from outside and its auth lets everyone in: require authentication, or say why not (# castellan-ignore auth-public-app reason="…" owner=… until=YYYY-MM-DD)',
  },
  check({ value, unknownPaths }, context) {
    const { ingress } = value;
    if (ingress?.external !== true || isLimitedToAddresses(ingress)) return;
    const unknownPath = unknownPaths.find(
      ([property, setting]) =>
        property === 'auth' && (setting === 'enabled' || setting === 'restrictAccess'),
    );
    if (unknownPath !== undefined) context.unknown(unknownPath);
    else if (value.auth === undefined)
      context.report({ messageId: 'none', path: ['ingress', 'external'] });
    else if (value.auth.enabled === false)
      context.report({ messageId: 'disabled', path: ['auth', 'enabled'] });
    else if (value.auth.restrictAccess === 'allowUnauthenticated')
      context.report({ messageId: 'open', path: ['auth', 'restrictAccess'] });
  },
});

type Ingress = NonNullable<SectionProps['containerApps']['ingress']>;

/** The most addresses that keep the internet out: a sixteenth of IPv4, as sixteen /8 networks. */
const mostAddresses = 2 ** 28;

/**
 * Whether the rules for addresses keep the internet out: those that allow some addresses deny all
 * others, those that deny some let in all others. Rules that are known only later count as such.
 */
function isLimitedToAddresses({ ipRestrictions = [] }: Ingress): boolean {
  if (!Array.isArray(ipRestrictions)) return true;
  const allowing = ipRestrictions.filter(({ action }) => action !== 'deny');
  const allowedCount =
    allowing.length === 0 ? 2 ** 32 - countAddresses(ipRestrictions) : countAddresses(allowing);
  return allowedCount <= mostAddresses;
}

/** How many IPv4 addresses are in at least one of the ranges. */
function countAddresses(ranges: readonly { readonly range: string }[]): number {
  const parsedRanges = ranges
    .map(({ range }) => {
      const [address = '', prefixLength = '32'] = String(range).split('/');
      const size = 2 ** (32 - Number(prefixLength));
      const number = address.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
      const start = number - (number % size);
      return { start, end: start + size };
    })
    .filter(({ start }) => Number.isFinite(start))
    .sort((left, right) => left.start - right.start);
  let count = 0;
  let end = 0;
  for (const range of parsedRanges) {
    count += Math.max(0, range.end - Math.max(range.start, end));
    end = Math.max(end, range.end);
  }
  return count;
}
