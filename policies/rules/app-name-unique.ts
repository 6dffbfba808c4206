import { defineRule } from '../engine/rule.js';

/** Apps and environments of a stack have different names in the cloud. */
export const appNameUnique = defineRule({
  id: 'app-name-unique',
  title: 'No two apps and no two environments have the same name in the cloud.',
  why: 'They share a resource group: the second would overwrite the first, and the official provider fails half-way through the apply.',
  severity: 'error',
  source: 'the official provider: a resource that exists already must be imported',
  sections: ['containerApps', 'environments'],
  scope: 'stack',
  reads: ['name'],
  messages: { taken: '"{other}" already has the name "{given}"' },
  check({ section, name, value }, context) {
    const given = value.name ?? name;
    const other = context.index.saidBefore('app-name-unique', `${section}/${given}`, name);
    if (other !== undefined) context.report({ messageId: 'taken', path: ['name'], parameters: { given, other } });
  },
});
