import { defineRule } from '../engine/rule.js';
import type { StackIndex } from '../engine/stack-index.js';

const seenIn = new WeakMap<StackIndex, Map<string, string>>();

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
    const seen = seenIn.get(context.index) ?? new Map<string, string>();
    seenIn.set(context.index, seen);
    const given = value.name ?? name;
    const key = `${section}/${given}`.toLowerCase();
    const other = seen.get(key);
    if (other === undefined || other === name) seen.set(key, name);
    else context.report({ messageId: 'taken', path: ['name'], parameters: { given, other } });
  },
});
