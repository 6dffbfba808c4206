import {
  canonicalPathOf,
  pathPatternMistake,
  pathPrefixOf,
} from '../../../kinds/auth/path-pattern.js';
import { timeSpanToSeconds } from '../../../kinds/auth/time-span.js';
import { isObject } from '../../../core/values/is-object.js';
import { emailDomains } from './email-domains.js';
import { requiredClaims } from './common-provider-settings.js';
import type { ConfigReader } from './config-reader.js';
import type { ClaimsUsedByRules, ProviderSettings, Requirement } from './settings.js';
import { omitUndefined } from '../../../core/values/omit-undefined.js';

const requirementsProperty = 'globalValidation.requirements';

/** `globalValidation.requirements`: what people need for paths of the app, the longest path first. */
export function requirementSettings(reader: ConfigReader): Requirement[] {
  const entries = reader.value(requirementsProperty);
  if (!Array.isArray(entries)) return [];
  const listedPaths = new Set<string>();
  const result = entries.filter(isObject).map((entry, index): Requirement => {
    const entryProperty = `${requirementsProperty}.${index}`;
    const text = typeof entry['path'] === 'string' ? entry['path'] : '/*';
    const mistake = pathPatternMistake(text);
    if (!text.startsWith('/'))
      reader.addProblem(`${entryProperty}.path`, 'must start with a slash');
    else if (mistake !== undefined) reader.addProblem(`${entryProperty}.path`, mistake.message);
    // Unlike an excluded path, a required one covers what is below it: `/` is the whole app.
    const path = text === '/' ? '' : pathPrefixOf(text);
    const canonicalPath = canonicalPathOf(text);
    if (listedPaths.has(canonicalPath))
      reader.addProblem(`${entryProperty}.path`, `"${text}" is listed twice`);
    listedPaths.add(canonicalPath);
    const maxAge = maxAgeSeconds(reader, entryProperty, entry['maxAge']);
    return {
      path,
      canonicalPath,
      acrValues: acrValues(reader, `${entryProperty}.acrValues`),
      ...omitUndefined({ maxAge }),
      groups: reader.allowList(`${entryProperty}.groups`),
      claims: requiredClaims(reader, `${entryProperty}.claims`),
      emailDomains: emailDomains(reader, `${entryProperty}.emailDomains`),
    };
  });
  return result.sort((a, b) => b.canonicalPath.length - a.canonicalPath.length);
}

/** Accepted authentication contexts, which are sent to the provider in one text separated by spaces. */
function acrValues(reader: ConfigReader, property: string): string[] {
  const values = reader.allowList(property);
  values.forEach((value, index) => {
    if (/\s/.test(value)) reader.addProblem(`${property}.${index}`, `"${value}" has a space`);
  });
  return values;
}

/** A time span, or a number of seconds. */
function maxAgeSeconds(
  reader: ConfigReader,
  entryProperty: string,
  value: unknown,
): number | undefined {
  if (value === undefined) return undefined;
  const number = typeof value === 'number' ? value : timeSpanToSeconds(String(value));
  if (number !== undefined && Number.isInteger(number) && number > 0) return number;
  reader.addProblem(
    `${entryProperty}.maxAge`,
    `"${String(value)}" is not a time in the form hh:mm:ss, d.hh:mm:ss or a number of seconds, greater than zero`,
  );
  return undefined;
}

/** The groups and claims that a provider's rules and the requirements read. */
export function claimsUsedByRulesOf(
  { rules, ...provider }: Pick<ProviderSettings, 'rules' | 'protocol'>,
  requirements: readonly Requirement[],
  domains: readonly string[],
): ClaimsUsedByRules {
  const policy = 'policy' in provider ? (provider as { policy: PolicyGroups }).policy : undefined;
  const allRules = [rules, ...requirements];
  const groups = [
    ...(policy === undefined ? [] : [...policy.groups, ...policy.claimGroups]),
    ...allRules.flatMap((each) => each.groups),
  ];
  const claimNames = allRules.flatMap((each) => Object.keys(each.claims));
  const readsEmail =
    domains.length > 0 || requirements.some((each) => each.emailDomains.length > 0);
  return {
    groups,
    claimNames: [...standardClaims, ...claimNames],
    requiredClaimNames: [
      ...(groups.length > 0 ? ['groups'] : []),
      ...claimNames,
      ...(readsEmail ? ['email', 'email_verified'] : []),
    ],
  };
}

/** The claims that the sidecar itself reads: for identity, e-mail address, lifetime and step-up. */
const standardClaims = [
  'iss',
  'sub',
  'oid',
  'sid',
  'iat',
  'azp',
  'appid',
  'acr',
  'acrs',
  'amr',
  'auth_time',
  'email',
  'email_verified',
  'xms_edov',
  'preferred_username',
  'upn',
];

/** The lists of an `AuthorizationPolicy` that name groups. */
interface PolicyGroups {
  readonly groups: readonly string[];
  readonly claimGroups: readonly string[];
}
