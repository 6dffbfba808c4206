import { didYouMean, nearest } from '../../../core/text/nearest.js';
import {
  settingTemplates,
  type SettingTemplateValue,
} from '../../../kinds/group/setting-templates.js';
import { defineRule } from '../../engine/rule.js';
import { isGuid } from '../../../core/values/guid.js';
import { isUnified } from '../../engine/stack-index.js';

export const groupSettings = defineRule({
  id: 'group-settings',
  title:
    'Settings of a group come from a template for that kind of group, by the names and values that it has.',
  why: 'The directory refuses settings of another template, and names and values that the template does not have.',
  severity: 'error',
  source: 'Directory rules, "What the service does" 10 and "Group operations" (group settings)',
  sections: ['groups'],
  whenDeclared: 'settings',
  reads: ['settings', 'kind', 'groupTypes'],
  messages: {
    template: 'there is no setting template "{given}"; allowed: {allowed}{hint}',
    otherKind:
      'the template {given} is for the whole organization or another kind of group; a {kind} group takes {allowed}',
    setting: 'the template {template} has no setting "{given}"; allowed: {allowed}{hint}',
    missing:
      'the template {template} has {given} without a value: the directory wants every setting of a template',
    value: '{property} is "{given}"; it must be {wanted}',
  },
  check({ value }, context) {
    if (value.settings === undefined) return;
    const kind = isUnified(value) ? 'unified' : 'security';
    const allowed = templatesFor(kind);
    for (const [templateName, values] of Object.entries(value.settings)) {
      const template = settingTemplates.find(({ displayName }) => displayName === templateName);
      const path = ['settings', templateName];
      if (!allowed.includes(templateName)) {
        const parameters = {
          given: templateName,
          allowed,
          kind,
          hint: didYouMean(nearest(templateName, allowed)),
        };
        context.report({
          messageId: template === undefined ? 'template' : 'otherKind',
          path,
          at: 'key',
          parameters,
        });
        continue;
      }
      for (const { name: requiredName } of template?.values ?? [])
        if (!Object.hasOwn(values, requiredName))
          context.report({
            messageId: 'missing',
            path,
            at: 'key',
            parameters: { given: requiredName, template: templateName },
          });
      for (const [name, settingValue] of Object.entries(values)) {
        const setting = template?.values.find((each) => each.name === name);
        const names = template?.values.map((each) => each.name) ?? [];
        if (setting === undefined)
          context.report({
            messageId: 'setting',
            path: [...path, name],
            at: 'key',
            parameters: {
              given: name,
              template: templateName,
              allowed: names,
              hint: didYouMean(nearest(name, names)),
            },
          });
        else if (!isAllowedValue(setting, settingValue))
          context.report({
            messageId: 'value',
            path: [...path, name],
            parameters: { property: name, wanted: allowedText(setting) },
          });
      }
    }
  },
});

/** The templates for groups; the others are for the whole organization. */
function templatesFor(kind: 'unified' | 'security'): readonly string[] {
  const prefix = kind === 'unified' ? 'Group.Unified' : 'Group.Security';
  return settingTemplates
    .filter(({ scope, displayName }) => scope === 'group' && displayName.startsWith(prefix))
    .map(({ displayName }) => displayName);
}

function isAllowedValue({ type }: SettingTemplateValue, value: unknown): boolean {
  if (typeof value === 'string' && value.includes('${')) return true;
  if (type === 'System.Boolean') return /^(true|false)$/i.test(String(value));
  return type === 'System.Guid' ? value === '' || isGuid(value) : true;
}

function allowedText({ type }: SettingTemplateValue): string {
  return type === 'System.Boolean' ? 'true or false' : 'an id (a GUID)';
}
