import { normalizeId } from '../../../core/values/guid.js';
import { defineRule } from '../../engine/rule.js';

export const authAllowedPrincipals = defineRule({
  id: 'auth-allowed-principals',
  title: 'The principals that an app lets in are users or service principals.',
  why: 'Only users and service principals sign in, so the list would admit fewer people than it names. Groups have a separate list.',
  severity: 'error',
  source:
    'Sign-in rules, "Identity headers injected into requests to the app" 2 (end users and client applications)',
  sections: ['containerApps'],
  whenDeclared: 'auth',
  scope: 'stack',
  reads: ['auth.providers.directory.allowedPrincipals'],
  messages: {
    kind: '"{given}" is a {what}; a principal that gets in is a user or a service principal',
    group: '"{given}" is a group: let its members in by allowedGroups',
    twice: '"{given}" is listed twice',
  },
  check({ value }, context) {
    const allowed = value.auth?.providers?.directory?.allowedPrincipals;
    if (!Array.isArray(allowed)) return;
    const previous = new Set<string>();
    allowed.forEach((text: string, index: number) => {
      const path = ['auth', 'providers', 'directory', 'allowedPrincipals', index];
      const id = normalizeId(text);
      if (previous.has(id))
        return context.report({ messageId: 'twice', path, parameters: { given: text } });
      previous.add(id);
      const principal = context.index.find('principals', text)?.value;
      if (principal?.group !== undefined) return context.report({ messageId: 'group', path });
      const what = (['device', 'contact'] as const).find((kind) => principal?.[kind] !== undefined);
      if (what !== undefined) context.report({ messageId: 'kind', path, parameters: { what } });
    });
  },
});
