import { defineRule } from '../engine/rule.js';
import type { ReplacingProperties } from '../engine/replacing-changes.js';
import { replacingProperties } from '../engine/replacing-changes.js';

const words = {
  groups: { what: 'group', loss: ', without what was granted to it' },
  registrations: { what: 'registration', loss: ', with another client id: no one can sign in until every app has it' },
  environments: { what: 'environment', loss: ', with every app in it' },
  containerApps: { what: 'app', loss: '' },
  eventhouses: { what: 'eventhouse', loss: ', without its data' },
  eventstreams: { what: 'eventstream', loss: '' },
} as const;

type Replaced = keyof typeof words;

/** What the official providers replace is not changed by accident. */
export const changeReplaces = defineRule({
  id: 'change-replaces',
  title: 'No change makes the official providers delete and recreate something.',
  why: 'An eventhouse loses its data when its units change; a group loses what was granted to it when its kind, nickname or way of membership changes.',
  severity: 'error',
  source: 'what the official providers replace; spec 002, "EventhouseCreationPayload"',
  sections: Object.keys(words) as Replaced[],
  scope: 'change',
  messages: { replaced: '{property} was {before}, now {given}: the {what} is deleted and recreated{loss}' },
  check(declaration, { base, index, report }) {
    const before = base?.find(declaration.section, declaration.name);
    if (base === undefined || before === undefined) return;
    const read = replacingProperties[declaration.section] as (declared: unknown, settings: object) => ReplacingProperties;
    const [old, next] = [read(before, base.settings), read(declaration, index.settings)];
    for (const property of new Set([...Object.keys(old), ...Object.keys(next)])) {
      if (old[property] === next[property]) continue;
      const parameters = { property, before: old[property] ?? 'unset', given: next[property] ?? 'unset', ...words[declaration.section] };
      const isOfStack = property.startsWith('azure.');
      report({ messageId: 'replaced', path: isOfStack ? [] : [property], at: isOfStack ? 'key' : 'value', parameters });
    }
  },
});
