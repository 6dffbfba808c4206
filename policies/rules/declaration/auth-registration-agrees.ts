import { identityProviders } from '../../../core/dialect/dialect.js';
import { defineRule, type RuleContext } from '../../engine/rule.js';
import type { StackIndex } from '../../engine/stack-index.js';
import type { DirectoryProviderProps } from '../../../kinds/auth/providers.js';

export const authRegistrationAgrees = defineRule({
  id: 'auth-registration-agrees',
  title:
    'An app and its registration agree: ID tokens, the home tenant, the redirect URI, and the groups that tokens name.',
  why: 'Sign-in fails after the redirect, with an error page of the directory that the app never logs.',
  severity: 'error',
  source: 'Sign-in rules, "Configuring the directory identity provider" 1 to 7',
  sections: ['containerApps'],
  needs: 'auth',
  scope: 'stack',
  reads: ['auth.providers.directory', 'auth.routes.apiPrefix'],
  messages: {
    idTokens:
      'the registration "{registration}" issues no ID tokens, which sign-in needs: remove idTokens: false there',
    audience:
      'the registration "{registration}" is for {audience}; sign-in needs the home tenant (AzureADMyOrg)',
    tenant: 'the app asks the tenant {given}, but the registration is made in {tenant}',
    anyTenant: '"{given}" means any tenant; sign-in needs the home tenant: write its id',
    issuer: 'the issuer "{given}" is not that of the tenant {tenant}',
    redirect:
      'the registration "{registration}" sends people back to {given}, where this app has no sign-in; it is at {prefix}/login/…/callback',
    groups:
      'tokens of the registration "{registration}" name no groups (groupMembershipClaims is None): {list} would admit no one',
  },
  check({ value }, context) {
    const directory = value.auth?.providers?.directory;
    if (directory === undefined || directory === null || directory.enabled === false) return;
    judgeTenant(directory, context);
    if (directory.registration === undefined) return;
    const registration = context.index.find('registrations', directory.registration)?.value;
    const path = [...place, 'registration'];
    const report = (messageId: string, more: object = {}): void =>
      context.report({
        messageId,
        path,
        parameters: { registration: directory.registration, ...more },
      });
    if (registration?.idTokens === false) report('idTokens');
    const audience = registration?.signInAudience;
    if (audience !== undefined && audience !== 'AzureADMyOrg') report('audience', { audience });
    const prefix = value.auth?.routes?.apiPrefix ?? '/.auth';
    for (const text of registration?.redirectUris ?? [])
      if (isCallbackElsewhere(text, prefix) && users(context.index, directory.registration) === 1)
        report('redirect', { given: text, prefix });
    const claims = registration?.groupMembershipClaims;
    const list = (['allowedGroups', 'claimGroups'] as const).find(
      (each) => directory[each] !== undefined,
    );
    const required = value.auth?.requirements?.some(({ groups }) => groups !== undefined);
    const named = list ?? (required === true ? 'requirements' : undefined);
    if (named !== undefined && claims?.every((claim) => claim === 'None') === true)
      report('groups', { list: named });
  },
});

const place = ['auth', 'providers', 'directory'];
const directoryWords: ReadonlySet<string> = new Set(
  Object.values(identityProviders.azureActiveDirectory).flat(),
);
const manyTenants: ReadonlySet<string> = new Set(['common', 'organizations', 'consumers']);

function judgeTenant(
  { tenantId, issuer, registration }: DirectoryProviderProps,
  { index, report }: RuleContext,
): void {
  if (tenantId !== undefined && manyTenants.has(tenantId.toLowerCase()))
    return report({ messageId: 'anyTenant', path: [...place, 'tenantId'] });
  const stackTenant = registration === undefined ? undefined : index.settings.azure?.tenantId;
  if (
    isKnown(tenantId) &&
    isKnown(stackTenant) &&
    tenantId.toLowerCase() !== stackTenant.toLowerCase()
  )
    report({
      messageId: 'tenant',
      path: [...place, 'tenantId'],
      parameters: { given: tenantId, tenant: stackTenant },
    });
  const tenant = stackTenant ?? tenantId;
  if (isKnown(issuer) && isKnown(tenant) && !issuer.toLowerCase().includes(tenant.toLowerCase()))
    report({ messageId: 'issuer', path: [...place, 'issuer'], parameters: { tenant } });
}

function isKnown(text: string | undefined): text is string {
  return text !== undefined && !text.includes('${');
}

/** Whether an address is that of a sign-in under another prefix than the app's. */
function isCallbackElsewhere(address: string, prefix: string): boolean {
  const [, at, provider = ''] =
    /^https?:\/\/[^/]+(\/.*)\/login\/([^/]+)\/callback\/?$/.exec(address) ?? [];
  return (
    at !== undefined &&
    directoryWords.has(provider.toLowerCase()) &&
    at.toLowerCase() !== prefix.toLowerCase()
  );
}

const usersOf = new WeakMap<StackIndex, ReadonlyMap<string, number>>();

/**
 * How many apps use a registration, counted once: addresses of a shared registration may be those
 * of another app.
 */
function users(index: StackIndex, registration: string): number {
  const known = usersOf.get(index) ?? countUsers(index);
  usersOf.set(index, known);
  return known.get(registration) ?? 0;
}

function countUsers(index: StackIndex): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { value } of index.all('containerApps')) {
    const name = value.auth?.providers?.directory?.registration;
    if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return counts;
}
