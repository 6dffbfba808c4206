import type { Memberships } from '../directory/memberships.js';
import type { PersonRecord } from '../directory/records.js';
import type { RequestAnswer } from '../decide/request-answer.js';
import type { PersonGroups, SignInResult } from '../decide/sign-in.js';
import { type AppAccess, type DirectorySignIn, ownTenant } from '../stack/apps.js';
import { describeAccountsAt } from './provider-accounts.js';
import { type ChainLink, verdictOf } from './chain-link.js';
import { memberLinks, nonMemberLinks } from './membership-links.js';

/** The visitor, and the result of the sign-in. */
export interface Visitor {
  readonly person: PersonRecord;
  readonly groups: PersonGroups;
  /** Undefined where the app has no provider to sign in with. */
  readonly signIn: SignInResult | undefined;
}

/** Explains why a visitor gets in or not: from the account to the path. */
export function chainOf(
  app: AppAccess,
  path: string,
  answer: RequestAnswer,
  visitor: Visitor | undefined,
  memberships: Memberships,
): ChainLink[] {
  const chain: ChainLink[] = [];
  if (visitor !== undefined) chain.push(...providerLinks(app, visitor, memberships));
  chain.push(pathLink(app, path, answer), ...requirementLinks(answer));
  if (
    app.settings !== undefined &&
    answer.decidedBy !== 'bad-path' &&
    answer.decidedBy !== 'own-path' &&
    answer.decidedBy !== 'path'
  )
    chain.push(actionLink(app, answer));
  return chain;
}

function providerLinks(
  app: AppAccess,
  { person, groups, signIn }: Visitor,
  memberships: Memberships,
): ChainLink[] {
  const chain: ChainLink[] = [];
  const { directorySignIn } = app;
  if (directorySignIn !== undefined && signIn !== undefined) {
    chain.push({
      kind: 'provider',
      name: 'directory',
      value: directorySignIn.application.name,
      verdict: 'pass',
    });
    chain.push(tenantLink(directorySignIn));
    if (typeof directorySignIn.tenant !== 'object') {
      if (signIn.noTokenReason === 'disabled')
        chain.push({
          kind: 'provider',
          name: 'directory',
          value: `the account ${personName(person)} is disabled`,
          verdict: 'fail',
        });
      chain.push(audienceLink(directorySignIn));
      if (
        directorySignIn.application.assignmentRequired &&
        (signIn.noTokenReason === undefined || signIn.noTokenReason === 'unassigned')
      )
        chain.push(roleLink(directorySignIn, signIn));
      if (signIn.noTokenReason === undefined)
        chain.push(
          ...policyLinks(directorySignIn, { person, groups, signIn }, memberships),
          ...claimLinks(signIn),
        );
    }
  }
  for (const provider of app.otherProviders)
    chain.push({
      kind: 'provider',
      name: provider,
      value: describeAccountsAt(app, provider),
      verdict: 'unknown',
    });
  return chain;
}

function tenantLink({ tenant, settings }: DirectorySignIn): ChainLink {
  const tenantOrIssuer =
    /^https:\/\/login\.microsoftonline\.com\/([^/]+)\/v2\.0$/.exec(settings.issuer ?? '')?.[1] ??
    settings.issuer ??
    '';
  const value =
    tenantOrIssuer.includes('${') || tenantOrIssuer === ownTenant
      ? 'the tenant of the account that applies the stack'
      : tenantOrIssuer;
  if (typeof tenant === 'object')
    return {
      kind: 'tenant',
      name: tenant.issuer,
      value: 'its people are not known',
      verdict: 'unknown',
    };
  return {
    kind: 'tenant',
    name: tenant === 'any' ? 'any organization' : 'own tenant',
    value,
    verdict: 'pass',
  };
}

function audienceLink({ application }: DirectorySignIn): ChainLink {
  const { name, clientId, isEnabled, isReenabled = false } = application;
  const enabledText = isReenabled ? ', disabled at present: an apply enables it' : '';
  const state = isEnabled ? enabledText : ' is disabled';
  return {
    kind: 'audience',
    name,
    value: `${clientId}${state}`,
    verdict: isEnabled ? 'pass' : 'fail',
  };
}

function roleLink({ application }: DirectorySignIn, { noTokenReason }: SignInResult): ChainLink {
  const value =
    noTokenReason === 'unassigned'
      ? 'no role is assigned, and one is required'
      : 'a role is assigned';
  return {
    kind: 'role',
    name: application.name,
    value,
    verdict: noTokenReason === 'unassigned' ? 'fail' : 'pass',
  };
}

function policyLinks(
  directorySignIn: DirectorySignIn,
  { person, groups, signIn }: Visitor & { readonly signIn: SignInResult },
  memberships: Memberships,
): ChainLink[] {
  const { policy } = directorySignIn.settings;
  return signIn.checks.flatMap((check): ChainLink[] => {
    const verdict =
      check.match !== undefined ? 'pass' : signIn.outcome === 'unknown' ? 'unknown' : 'fail';
    if (check.kind === 'application')
      return [
        {
          kind: 'audience',
          name: check.values[0] ?? '',
          value: 'among the applications that may call',
          verdict,
        },
      ];
    if (check.match !== undefined && check.match === person.id)
      return [
        {
          kind: 'group',
          name: 'allowedPrincipals',
          value: `${personName(person)} is one of them`,
          verdict,
        },
      ];
    const allowed = check.kind === 'claimGroup' ? policy.claimGroups : policy.groups;
    const links: ChainLink[] = [];
    if (check.match !== undefined) {
      const group = memberships.group(check.match);
      return group === undefined ? [] : memberLinks(group, person, groups, memberships);
    }
    if (check.kind === 'principal' && policy.identities.length > 0)
      links.push({
        kind: 'group',
        name: 'allowedPrincipals',
        value: `${personName(person)} is none of them`,
        verdict: 'fail',
      });
    const application = directorySignIn.application.name;
    for (const id of allowed)
      links.push(...nonMemberLinks(id, { person, groups, signIn, application }, memberships));
    return links;
  });
}

function claimLinks({ claimAnswers = [] }: SignInResult): ChainLink[] {
  return claimAnswers.map(({ claim, allowed, reason }) => ({
    kind: 'requirement',
    name: `claim ${claim}`,
    value: reason,
    verdict: verdictOf(allowed),
  }));
}

function pathLink(
  { settings, excludedPaths }: AppAccess,
  path: string,
  answer: RequestAnswer,
): ChainLink {
  const link = { kind: 'path', name: path } as const;
  if (answer.decidedBy === 'no-layer')
    return {
      ...link,
      value: settings === undefined ? 'there is no sign-in layer' : 'the sign-in layer is off',
      verdict: 'pass',
    };
  if (answer.decidedBy === 'own-path')
    return { ...link, value: 'answered by the sign-in layer itself', verdict: 'unknown' };
  const verdict = verdictOf(answer.allowed);
  if (answer.decidedBy === 'bad-path') return { ...link, value: answer.reason ?? '', verdict };
  if (answer.decidedBy === 'path')
    return { ...link, value: `excluded from sign-in (${excludedPaths.join(', ')})`, verdict };
  return {
    ...link,
    value: answer.decidedBy === 'action' ? 'open to everyone' : 'behind the sign-in',
    verdict,
  };
}

function requirementLinks({ requirements = [] }: RequestAnswer): ChainLink[] {
  return requirements.map(({ requirement, allowed, decidedBy, reason }) => ({
    kind: 'requirement',
    name: requirement.path || '/',
    value: decidedBy === undefined ? 'has what it needs' : `${decidedBy}: ${reason ?? ''}`,
    verdict: verdictOf(allowed),
  }));
}

/** `unauthenticatedAction` of the configuration, by the word of the sidecar's settings. */
const actionNames = {
  redirect: 'redirectToLogin',
  anonymous: 'allowAnonymous',
  return401: 'return401',
  return403: 'return403',
} as const;

function actionLink(
  { settings }: AppAccess,
  { allowed, decidedBy, status }: RequestAnswer,
): ChainLink {
  const name =
    settings?.enabled === false ? 'disabled' : actionNames[settings?.unauthenticated ?? 'redirect'];
  if (decidedBy === 'action' || decidedBy === 'no-layer')
    return { kind: 'action', name, value: 'requests without a session pass', verdict: 'pass' };
  if (decidedBy === 'challenge')
    return {
      kind: 'action',
      name,
      value:
        status === undefined
          ? 'a request without a session is refused: the cloud redirects browsers and answers programs with 401'
          : `a request without a session gets ${String(status)}`,
      verdict: 'fail',
    };
  const verdict = verdictOf(allowed);
  return { kind: 'action', name, value: signInText({ allowed, decidedBy, status }), verdict };
}

function signInText({ allowed, decidedBy, status }: RequestAnswer): string {
  switch (decidedBy) {
    case 'policy':
      return `the sign-in is refused with ${String(status ?? 403)}`;
    case 'requirement':
      return `signed in${allowed === false ? ', and refused with 403' : ''}`;
    case 'session':
      return 'signed in';
    default:
      return 'the sign-in';
  }
}

function personName({ id, body }: PersonRecord): string {
  return body.userPrincipalName ?? body.displayName ?? id;
}
