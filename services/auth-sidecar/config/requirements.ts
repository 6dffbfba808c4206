import { excludedPathMistake, excludedPrefix } from '../../../kinds/auth/excluded-path.js';
import { secondsOf } from '../../../kinds/auth/time-span.js';
import { isObject } from '../../../core/values/is-object.js';
import { emailDomains } from './email-domains.js';
import { claimRules } from './provider-source.js';
import type { ConfigReader } from './reader.js';
import type { DecisiveNames, ProviderSettings, Requirement } from './settings.js';
import { omitUndefined } from '../../../core/values/omit-undefined.js';

const at = 'globalValidation.requirements';

/** `globalValidation.requirements`: what people need for paths of the app, the longest path first. */
export function requirements(reader: ConfigReader): Requirement[] {
  const entries = reader.at(at);
  if (!Array.isArray(entries)) return [];
  const seen = new Set<string>();
  const result = entries.filter(isObject).map((entry, index): Requirement => {
    const place = `${at}.${index}`;
    const text = typeof entry['path'] === 'string' ? entry['path'] : '/*';
    const mistake = excludedPathMistake(text);
    if (!text.startsWith('/')) reader.problem(`${place}.path`, 'must start with a slash');
    else if (mistake !== undefined) reader.problem(`${place}.path`, mistake.message);
    // Unlike an excluded path, a required one covers what is below it: `/` is the whole app.
    const path = text === '/' ? '' : excludedPrefix(text);
    if (seen.has(path)) reader.problem(`${place}.path`, `"${text}" is listed twice`);
    seen.add(path);
    const maxAge = seconds(reader, place, entry['maxAge']);
    return {
      path,
      acrValues: acrValues(reader, `${place}.acrValues`),
      ...omitUndefined({ maxAge }),
      groups: reader.admitted(`${place}.groups`),
      claims: claimRules(reader, `${place}.claims`),
      emailDomains: emailDomains(reader, `${place}.emailDomains`),
    };
  });
  return result.sort((a, b) => b.path.length - a.path.length);
}

/** Accepted authentication contexts, which the provider is sent separated by spaces. */
function acrValues(reader: ConfigReader, at: string): string[] {
  const values = reader.admitted(at);
  values.forEach((value, index) => {
    if (/\s/.test(value)) reader.problem(`${at}.${index}`, `"${value}" has a space`);
  });
  return values;
}

/** A time span, or a number of seconds. */
function seconds(reader: ConfigReader, place: string, value: unknown): number | undefined {
  if (value === undefined) return undefined;
  const number = typeof value === 'number' ? value : secondsOf(String(value));
  if (number !== undefined && Number.isInteger(number) && number > 0) return number;
  reader.problem(
    `${place}.maxAge`,
    `"${String(value)}" is not a time: hh:mm:ss, d.hh:mm:ss or a number of seconds, longer than nothing`,
  );
  return undefined;
}

/** The groups and claims that a provider's rules and the requirements read. */
export function decisiveNames(
  { rules, ...provider }: Pick<ProviderSettings, 'rules' | 'protocol'>,
  required: readonly Requirement[],
  domains: readonly string[],
): DecisiveNames {
  const policy = 'policy' in provider ? (provider as { policy: PolicyGroups }).policy : undefined;
  const all = [rules, ...required];
  const groups = [
    ...(policy === undefined ? [] : [...policy.groups, ...policy.claimGroups]),
    ...all.flatMap((each) => each.groups),
  ];
  const claims = all.flatMap((each) => Object.keys(each.claims));
  const readsEmail = domains.length > 0 || required.some((each) => each.emailDomains.length > 0);
  return {
    groups,
    claims: [...standardClaims, ...claims],
    needed: [
      ...(groups.length > 0 ? ['groups'] : []),
      ...claims,
      ...(readsEmail ? ['email', 'email_verified'] : []),
    ],
  };
}

/** Identity, address, lifetime and step-up are read of every provider. */
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

interface PolicyGroups {
  readonly groups: readonly string[];
  readonly claimGroups: readonly string[];
}
