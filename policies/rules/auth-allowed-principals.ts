import { defineRule } from '../engine/rule.js';

/** The principals that get in can sign in. */
export const authAllowedPrincipals = defineRule({
  id: 'auth-allowed-principals',
  title: 'The principals that an app lets in are users or service principals.',
  why: 'Nobody else signs in: the list would let in fewer people than it says. Groups have a list of their own.',
  severity: 'error',
  source: 'spec 000, "Identity headers injected into requests to the app" 2 (end users and client applications)',
  sections: ['containerApps'],
  needs: 'auth',
  scope: 'stack',
  reads: ['auth.providers.directory.allowedPrincipals'],
  messages: {
    kind: '"{given}" is a {what}; a principal that gets in is a user or a service principal',
    group: '"{given}" is a group: let its members in by allowedGroups',
    twice: '"{given}" is there twice',
  },
  check({ value }, context) {
    const allowed = value.auth?.providers?.directory?.allowedPrincipals;
    if (!Array.isArray(allowed)) return;
    allowed.forEach((given: string, index: number) => {
      const path = ['auth', 'providers', 'directory', 'allowedPrincipals', index];
      if (allowed.indexOf(given) < index) return context.report({ messageId: 'twice', path, parameters: { given } });
      const principal = context.index.find('principals', given)?.value;
      if (principal?.group !== undefined) return context.report({ messageId: 'group', path, parameters: { given } });
      const what = (['device', 'contact'] as const).find((kind) => principal?.[kind] !== undefined);
      if (what !== undefined) context.report({ messageId: 'kind', path, parameters: { given, what } });
    });
  },
});
