import { omitUndefined } from '../../../core/values/omit-undefined.js';
import type { ConfigPath } from '../../../core/yaml/layers.js';
import { auth } from '../../../kinds/auth/auth.js';
import { registration } from '../../../kinds/registration/registration.js';
import { bodyMappingsOf } from '../../../kinds/schema/mapping.js';
import { metadataOf } from '../../../kinds/schema/property-metadata.js';
import { valueAtPath } from '../../../kinds/schema/path-steps.js';
import type { LiveReport, LiveRule } from '../../engine/live-rule.js';
import { schemaAt, type SchemaNode } from '../../engine/schema-paths.js';
import { type Declaration, startsWith } from '../../engine/stack-index.js';
import { type ComparedSchema, declaredDrift } from '../../model/declared-drift.js';
import type { LiveRegistration } from '../../model/live-apps-reader.js';

type Values = Readonly<Record<string, unknown>>;

/** A declared app or registration, and the live one. */
export type LiveSignInSubject =
  /** With the `properties` of the live app's sign-in settings; empty if it has none. */
  | { readonly declaration: Declaration<'containerApps'>; readonly settings: Values }
  | { readonly declaration: Declaration<'registrations'>; readonly live: LiveRegistration };

/** A rule about the sign-in of live apps. */
export interface LiveSignInRule extends Omit<LiveRule, 'check'> {
  check(subject: LiveSignInSubject, report: (report: LiveReport) => void): void;
}

export const liveSignInDrift: LiveSignInRule = {
  id: 'live-sign-in-drift',
  title: 'The sign-in settings of an app, and its registration, are as they are declared.',
  why: 'They were changed by hand: AllowAnonymous, an excluded path or another provider lets in whom the declaration keeps out, until the next apply.',
  severity: 'error',
  source:
    'Sign-in rules, "Configuring the directory identity provider" and "Configuration settings"',
  messages: {
    differs: '{property} is {actual} in the service, declared is {declared}',
    gone: 'the app has no sign-in settings in the service: everyone gets in',
    uri: 'the registration sends people to {given}, which is not declared',
  },
  check(subject, report) {
    if ('settings' in subject) compareAuth(subject.declaration, subject.settings, report);
    else compareRegistration(subject.declaration, subject.live, report);
  },
};

/** Properties that an apply derives if they are not declared. */
const derivedProperties: ReadonlySet<string | number> = new Set([
  'registration',
  'clientId',
  'tenantId',
  'issuer',
  'allowedAudiences',
  'redirectTo',
  'groupMembershipClaims',
  'identifierUris',
]);

function compareAuth(
  { value, unknownPaths }: Declaration<'containerApps'>,
  settings: Values,
  report: (report: LiveReport) => void,
): void {
  const declared = value.auth as Values | undefined;
  if (declared === undefined) return;
  if (Object.keys(settings).length === 0)
    return report({ messageId: 'gone', path: ['auth'], at: 'key' });
  const actualValues: Record<string, unknown> = {};
  const mappings = bodyMappingsOf(auth.schema);
  for (const { property, attribute, read } of mappings) {
    const storedValue = valueAtPath(settings, attribute);
    const actualValue =
      storedValue === undefined || read === undefined ? storedValue : read(storedValue);
    if (actualValue !== undefined) setAt(actualValues, property, actualValue);
  }
  const bodyProperties = new Set(mappings.map(({ property }) => property.join('.')));
  const isCompared = (path: ConfigPath, declaredValue: unknown): boolean =>
    (bodyProperties.has(path.join('.')) ||
      [...bodyProperties].some((each) => each.startsWith(`${path.join('.')}.`))) &&
    path.join() !== 'restrictAccess' &&
    !(derivedProperties.has(path.at(-1) ?? '') && declaredValue === undefined) &&
    !isUnknown(unknownPaths, ['auth', ...path]) &&
    !(isComparedByEntry(path) && hasUnknownEntry(unknownPaths, ['auth', ...path]));
  const compared = [declared, actualValues].map((each) => ({
    ...each,
    unauthenticatedAction: actionOf(each),
  }));
  const [declaredAuth = {}, actualAuth = {}] = compared;
  for (const { path, ...texts } of declaredDrift(
    auth.schema as ComparedSchema,
    declaredAuth,
    actualAuth,
    isCompared,
  ))
    report({
      messageId: 'differs',
      path: ['auth', ...path],
      parameters: { property: ['auth', ...path].join('.'), ...texts },
    });
}

/** Whether a property is a list that is compared by its entries, not by how many there are. */
function isComparedByEntry(path: ConfigPath): boolean {
  const { items } = schemaAt(auth.schema as SchemaNode, path) ?? {};
  return items !== undefined && items['x-references'] === undefined;
}

function hasUnknownEntry(unknownPaths: readonly ConfigPath[], path: ConfigPath): boolean {
  return unknownPaths.some((unknownPath) => startsWith(unknownPath, path));
}

/** What becomes of a request without a session. */
function actionOf({ unauthenticatedAction, restrictAccess }: Values): unknown {
  const byDefault =
    restrictAccess === 'allowUnauthenticated' ? 'allowAnonymous' : 'redirectToLogin';
  return unauthenticatedAction ?? byDefault;
}

function compareRegistration(
  { value, unknownPaths }: Declaration<'registrations'>,
  live: LiveRegistration,
  report: (report: LiveReport) => void,
): void {
  const actualValues = Object.fromEntries(
    Object.entries(registration.properties).flatMap(([name, schema]): [string, unknown][] => {
      const { api = name, separateRequest } = metadataOf(schema);
      const actualValue = separateRequest === true ? undefined : valueAtPath(live, api.split('.'));
      return actualValue === undefined || actualValue === null ? [] : [[name, actualValue]];
    }),
  );
  const isCompared = ([name = '']: ConfigPath, declaredValue: unknown): boolean =>
    comparedRegistrationProperties.has(name) &&
    Object.hasOwn(actualValues, name) &&
    !(derivedProperties.has(name) && declaredValue === undefined) &&
    !isUnknown(unknownPaths, [name]);
  const { schema } = registration as unknown as { readonly schema: ComparedSchema };
  for (const { path, ...texts } of declaredDrift(
    schema,
    omitUndefined(value as Values),
    actualValues,
    isCompared,
  ))
    report({ messageId: 'differs', path, parameters: { property: path.join('.'), ...texts } });
  if (isUnknown(unknownPaths, ['redirectUris'])) return;
  const uris = (
    Array.isArray(actualValues['redirectUris']) ? actualValues['redirectUris'] : []
  ) as string[];
  for (const given of uris)
    // apps that sign in with the registration add their own
    if (!given.includes('/.auth/') && value.redirectUris?.includes(given) !== true)
      report({ messageId: 'uri', path: ['redirectUris', given], parameters: { given } });
}

const comparedRegistrationProperties: ReadonlySet<string | number> = new Set([
  'signInAudience',
  'idTokens',
  'accessTokens',
  'logoutUrl',
  'homepageUrl',
  'groupMembershipClaims',
  'identifierUris',
]);

function isUnknown(unknownPaths: readonly ConfigPath[], path: ConfigPath): boolean {
  return unknownPaths.some((unknownPath) =>
    unknownPath.every((step, index) => path[index] === step),
  );
}

function setAt(
  target: Record<string, unknown>,
  [name = '', ...below]: ConfigPath,
  value: unknown,
): void {
  if (below.length === 0) target[name] = value;
  else setAt((target[name] ??= {}) as Record<string, unknown>, below, value);
}
