import { hasRequirementForAll } from '../../model/sign-in.js';
import { defineRule } from '../../engine/rule.js';

/** What narrows down who of a tenant gets in. */
const restrictions = ['allowedGroups', 'allowedPrincipals', 'claimGroups'] as const;

export const authEveryoneInTenant = defineRule({
  id: 'auth-everyone-in-tenant',
  title: 'Groups, principals or an assignment restrict who of the tenant gets in.',
  why: 'Everyone with an account in the tenant gets in, guests included.',
  severity: 'info',
  source: 'Sign-in rules, "Configuring the directory identity provider" 7',
  sections: ['containerApps'],
  whenDeclared: 'auth',
  scope: 'stack',
  reads: ['auth.enabled', 'auth.restrictAccess', 'auth.requirements', 'auth.providers.directory'],
  messages: {
    everyone:
      'everyone in the tenant gets in, guests too: name allowedGroups or allowedPrincipals, or write assignmentRequired: true in the registration',
  },
  check({ value: { auth } }, context) {
    const directory = auth?.providers?.directory;
    if (auth === undefined || auth.enabled === false) return;
    if (auth.restrictAccess === 'allowUnauthenticated') return;
    if (directory === undefined || directory === null || directory.enabled === false) return;
    if (hasRequirementForAll(auth)) return;
    if (restrictions.some((each) => directory[each] !== undefined)) return;
    const { registration, clientId, allowedApplications } = directory;
    // people come by the app's own registration, which a list of callers shuts out unless it is named
    if (Array.isArray(allowedApplications) && !namesApplication(allowedApplications, clientId))
      return;
    const declaredRegistration =
      registration === undefined ? undefined : context.index.find('registrations', registration);
    // a registration that is not there is a finding of its own
    if (registration !== undefined && declaredRegistration === undefined) return;
    if (declaredRegistration?.value.assignmentRequired === true) return;
    context.report({
      messageId: 'everyone',
      path: ['auth', 'providers', 'directory'],
      at: 'key',
    });
  },
});

function namesApplication(ids: readonly unknown[], clientId: string | undefined): boolean {
  return ids.some((id) => String(id).toLowerCase() === clientId?.toLowerCase());
}
