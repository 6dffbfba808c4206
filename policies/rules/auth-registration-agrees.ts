import { defineRule } from '../engine/rule.js';

/** An app's directory provider and its registration agree. */
export const authRegistrationAgrees = defineRule({
  id: 'auth-registration-agrees',
  title: 'The registration of an app issues ID tokens, is for the home tenant, and the app asks the same tenant.',
  why: 'Sign-in fails after the redirect, with a message of the directory that nobody at the app sees.',
  severity: 'error',
  source: 'spec 000, "Configuring the directory identity provider" 1 to 6',
  sections: ['containerApps'],
  scope: 'stack',
  reads: ['auth.providers.directory'],
  messages: {
    idTokens: 'the registration "{registration}" issues no ID tokens, which sign-in needs: remove idTokens: false there',
    audience: 'the registration "{registration}" is for {audience}; sign-in needs the home tenant (AzureADMyOrg)',
    tenant: 'the app asks the tenant {given}, but the registration is made in {tenant}',
    issuer: 'the issuer "{given}" is not that of the tenant {tenant}',
  },
  check({ value }, context) {
    const directory = value.auth?.providers?.directory;
    if (directory?.registration === undefined) return;
    const registration = context.index.find('registrations', directory.registration)?.value;
    const path = ['auth', 'providers', 'directory'];
    const parameters = { registration: directory.registration };
    if (registration?.idTokens === false) context.report({ messageId: 'idTokens', path: [...path, 'registration'], parameters });
    const audience = registration?.signInAudience;
    if (audience !== undefined && audience !== 'AzureADMyOrg')
      context.report({ messageId: 'audience', path: [...path, 'registration'], parameters: { ...parameters, audience } });
    const tenant = context.index.settings.azure?.tenantId;
    if (tenant === undefined || tenant.includes('${')) return;
    if (directory.tenantId !== undefined && directory.tenantId.toLowerCase() !== tenant.toLowerCase() && !directory.tenantId.includes('${'))
      context.report({ messageId: 'tenant', path: [...path, 'tenantId'], parameters: { given: directory.tenantId, tenant } });
    if (directory.issuer !== undefined && !directory.issuer.toLowerCase().includes(tenant.toLowerCase()))
      context.report({ messageId: 'issuer', path: [...path, 'issuer'], parameters: { given: directory.issuer, tenant } });
  },
});
