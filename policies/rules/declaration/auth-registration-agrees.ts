import { isLoopback } from '../../../core/values/loopback.js';
import { identityProviders } from '../../../core/dialect/dialect.js';
import { defineRule, type RuleContext } from '../../engine/rule.js';
import type { Declaration, StackIndex } from '../../engine/stack-index.js';
import type { DirectoryProviderProps } from '../../../kinds/auth/providers.js';
import { defaultApiPrefix } from '../../../kinds/auth/path-pattern.js';

export const authRegistrationAgrees = defineRule({
  id: 'auth-registration-agrees',
  title:
    'An app and its registration agree: ID tokens, the home tenant, the redirect URI, and the groups that tokens name.',
  why: 'Sign-in fails after the redirect, with an error page of the directory that the app never logs.',
  severity: 'error',
  source: 'Sign-in rules, "Configuring the directory identity provider" 1 to 7',
  sections: ['containerApps', 'registrations'],
  scope: 'stack',
  reads: [
    'auth.providers.directory',
    'auth.routes.apiPrefix',
    'idTokens',
    'signInAudience',
    'groupMembershipClaims',
  ],
  messages: {
    idTokens:
      'the registration issues no ID tokens, which the sign-in of {apps} needs: remove idTokens: false',
    audience:
      'the registration is for {audience}; the sign-in of {apps} needs the home tenant (AzureADMyOrg)',
    tenant: 'the app asks the tenant {given}, but the registration is made in {tenant}',
    anyTenant: '"{given}" means any tenant; sign-in needs the home tenant: write its id',
    issuer: 'the issuer "{given}" is not that of the tenant {tenant}',
    host: 'the issuer is at {host}, which is not the directory: whoever runs it says who signs in, and in which groups they are',
    redirect:
      'the registration "{registration}" sends people back to {given}, where this app has no sign-in; it is at {prefix}/login/…/callback',
    groups:
      'tokens of the registration name no groups (groupMembershipClaims is None): {list} of {apps} would admit no one',
  },
  check(declaration, context) {
    if (!isApp(declaration))
      return checkRegistration(declaration as RegistrationDeclaration, context);
    const { auth } = declaration.value;
    const directory = directoryOf(declaration);
    if (directory === undefined) return;
    checkTenant(directory, context);
    const name = directory.registration;
    if (name === undefined || appsOfRegistration(context.index, name).length > 1) return;
    const registration = context.index.find('registrations', name)?.value;
    const prefix = auth?.routes?.apiPrefix ?? defaultApiPrefix;
    for (const redirectUri of registration?.redirectUris ?? [])
      if (isCallbackElsewhere(redirectUri, prefix))
        context.report({
          messageId: 'redirect',
          path: [...providerPath, 'registration'],
          parameters: { registration: name, given: redirectUri, prefix },
        });
  },
});

type AppDeclaration = Declaration<'containerApps'>;
type RegistrationDeclaration = Declaration<'registrations'>;

function isApp(
  declaration: Declaration<'containerApps' | 'registrations'>,
): declaration is AppDeclaration {
  return declaration.section === 'containerApps';
}

/** The directory provider of an app, unless it is off. */
function directoryOf({ value }: AppDeclaration): DirectoryProviderProps | undefined {
  const directory = value.auth?.providers?.directory;
  return directory === null || directory?.enabled === false ? undefined : directory;
}

/** What all apps of a registration need of it, said once. */
function checkRegistration(
  { name, value }: RegistrationDeclaration,
  { index, report }: RuleContext,
): void {
  const apps = appsOfRegistration(index, name);
  if (apps.length === 0) return;
  const { idTokens, signInAudience: audience, groupMembershipClaims: claims } = value;
  if (idTokens === false)
    report({ messageId: 'idTokens', path: ['idTokens'], parameters: { apps: namesOf(apps) } });
  if (audience !== undefined && audience !== 'AzureADMyOrg')
    report({
      messageId: 'audience',
      path: ['signInAudience'],
      parameters: { audience, apps: namesOf(apps) },
    });
  if (claims?.every((claim) => claim === 'None') !== true) return;
  const appsWithGroups = apps.filter((app) => groupsListOf(app) !== undefined);
  const [first] = appsWithGroups;
  if (first !== undefined)
    report({
      messageId: 'groups',
      path: ['groupMembershipClaims'],
      parameters: { list: groupsListOf(first), apps: namesOf(appsWithGroups) },
    });
}

/** The property by which an app asks for the groups of a person. */
function groupsListOf(app: AppDeclaration): string | undefined {
  const directory = directoryOf(app);
  const list = (['allowedGroups', 'claimGroups'] as const).find(
    (each) => directory?.[each] !== undefined,
  );
  const required = app.value.auth?.requirements?.some(({ groups }) => groups !== undefined);
  return list ?? (required === true ? 'requirements' : undefined);
}

/** `"a", "b" and 22 more apps`. */
function namesOf(apps: readonly AppDeclaration[]): string {
  const shown = apps.slice(0, apps.length === 3 ? 3 : 2).map(({ name }) => `"${name}"`);
  const more = apps.length - shown.length;
  if (more > 0) return `${shown.join(', ')} and ${String(more)} more apps`;
  return shown.join(', ').replace(/, ([^,]*)$/, ' and $1');
}

const providerPath = ['auth', 'providers', 'directory'];
const directoryPathNames: ReadonlySet<string> = new Set(
  Object.values(identityProviders.azureActiveDirectory).flat(),
);
const manyTenants: ReadonlySet<string> = new Set(['common', 'organizations', 'consumers']);

function checkTenant(
  { tenantId, issuer, registration }: DirectoryProviderProps,
  { index, report }: RuleContext,
): void {
  if (tenantId !== undefined && manyTenants.has(tenantId.toLowerCase()))
    return report({ messageId: 'anyTenant', path: [...providerPath, 'tenantId'] });
  const stackTenant = registration === undefined ? undefined : index.settings.azure?.tenantId;
  if (
    isKnown(tenantId) &&
    isKnown(stackTenant) &&
    tenantId.toLowerCase() !== stackTenant.toLowerCase()
  )
    report({
      messageId: 'tenant',
      path: [...providerPath, 'tenantId'],
      parameters: { given: tenantId, tenant: stackTenant },
    });
  const tenant = stackTenant ?? tenantId;
  const url = isKnown(issuer) && URL.canParse(issuer) ? new URL(issuer) : undefined;
  if (url === undefined) return; // the schema says what an issuer is
  const path = [...providerPath, 'issuer'];
  if (isKnown(tenant) && !namesTenant(url, tenant.toLowerCase()))
    report({ messageId: 'issuer', path, parameters: { tenant } });
  else if (!directoryHosts.test(url.hostname) && !isLoopback(url.hostname))
    report({ messageId: 'host', path, severity: 'warning', parameters: { host: url.hostname } });
}

/** The hosts at which the directory issues tokens, those of other clouds and of customers too. */
const directoryHosts =
  /^(login\.microsoftonline\.(com|us)|login\.partner\.microsoftonline\.cn|login\.chinacloudapi\.cn|sts\.(windows\.net|chinacloudapi\.cn)|[a-z0-9-]+\.(ciamlogin|b2clogin)\.com)$/;

/** Whether an issuer is that of a tenant, which its path names. */
function namesTenant({ pathname, hostname }: URL, tenant: string): boolean {
  const [, ...segments] = pathname.toLowerCase().split('/');
  return segments.includes(tenant) || hostname === `${tenant}.ciamlogin.com`;
}

function isKnown(text: string | undefined): text is string {
  return text !== undefined && !text.includes('${');
}

/** Whether an address is that of a sign-in under another prefix than the app's. */
function isCallbackElsewhere(address: string, prefix: string): boolean {
  const [, pathPrefix, provider = ''] =
    /^https?:\/\/[^/]+(\/.*)\/login\/([^/]+)\/callback\/?$/.exec(address) ?? [];
  return (
    pathPrefix !== undefined &&
    directoryPathNames.has(provider.toLowerCase()) &&
    pathPrefix.toLowerCase() !== prefix.toLowerCase()
  );
}

const appsOfIndex = new WeakMap<StackIndex, ReadonlyMap<string, readonly AppDeclaration[]>>();

/** The apps that sign in by a registration, found once for all of them. */
function appsOfRegistration(index: StackIndex, registration: string): readonly AppDeclaration[] {
  const apps = appsOfIndex.get(index) ?? appsByRegistration(index);
  appsOfIndex.set(index, apps);
  return apps.get(registration) ?? [];
}

function appsByRegistration(index: StackIndex): ReadonlyMap<string, readonly AppDeclaration[]> {
  const apps = new Map<string, AppDeclaration[]>();
  for (const app of index.all('containerApps')) {
    const name = directoryOf(app)?.registration;
    if (name !== undefined) apps.set(name, [...(apps.get(name) ?? []), app]);
  }
  return apps;
}
