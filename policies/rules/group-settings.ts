import { nearest } from '../../core/text/nearest.js';
import { groupLimits } from '../limits/group.js';
import { defineRule } from '../engine/rule.js';
import { isUnified } from '../engine/stack-index.js';

/** A group's settings come from a template for its kind. */
export const groupSettings = defineRule({
  id: 'group-settings',
  title: 'Settings of a group come from a template for that kind of group.',
  why: 'The directory refuses settings of another template.',
  severity: 'error',
  source: 'spec 001, "What the service does" 10 and "Group operations" (group settings)',
  sections: ['groups'],
  reads: ['settings', 'kind', 'groupTypes'],
  messages: {
    unknown: 'there is no setting template "{given}"; allowed: {allowed}{hint}',
    kind: 'the template {given} is for the whole organization or another kind of group; a {kind} group takes {allowed}',
  },
  check({ value }, context) {
    if (value.settings === undefined) return;
    const kind = isUnified(value) ? 'unified' : 'security';
    const allowed = kind === 'unified' ? ['Group.Unified.Guest'] : ['Group.Security', 'Group.Security.Policies'];
    for (const template of Object.keys(value.settings)) {
      if (allowed.includes(template)) continue;
      const known = (groupLimits.settingTemplates as readonly string[]).includes(template);
      const meant = nearest(template, allowed);
      const hint = meant === undefined ? '' : `; did you mean "${meant}"?`;
      const parameters = { given: template, allowed, kind, hint };
      context.report({ messageId: known ? 'kind' : 'unknown', path: ['settings', template], at: 'key', parameters });
    }
  },
});
