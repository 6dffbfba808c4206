import { defineRule } from '../../engine/rule.js';
import { type ReplacedSection, replacingChanges } from '../../engine/replacing-changes.js';

const nouns: Readonly<Record<ReplacedSection, string>> = {
  groups: 'group',
  registrations: 'registration',
  environments: 'environment',
  containerApps: 'app',
  eventhouses: 'eventhouse',
  eventstreams: 'eventstream',
};

export const changeReplaces = defineRule({
  id: 'change-replaces',
  title: 'No change makes the official providers delete and recreate something.',
  why: 'An eventhouse loses its data when its units change; a group loses what was granted to it when its kind, nickname or way of membership changes.',
  severity: 'error',
  source: 'what the official providers replace; Items rules, "EventhouseCreationPayload"',
  sections: Object.keys(nouns) as ReplacedSection[],
  scope: 'change',
  messages: {
    replaced:
      '{property} was {before}, now {given}: the {what} is deleted and recreated; this loses {loss}',
  },
  check(declaration, { base, index, report }) {
    const baseDeclaration = base?.find(declaration.section, declaration.name);
    if (base === undefined || baseDeclaration === undefined) return;
    const settings = { before: base.settings, now: index.settings };
    for (const { property, before: was = 'unset', now: after = 'unset', loss } of replacingChanges(
      { declaration: baseDeclaration, settings: settings.before },
      { declaration, settings: settings.now },
    )) {
      const parameters = {
        property,
        before: was,
        given: after,
        what: nouns[declaration.section],
        loss,
      };
      const isOfStack = property.startsWith('azure.');
      report({
        messageId: 'replaced',
        path: isOfStack ? [] : [property],
        at: isOfStack ? 'key' : 'value',
        parameters,
      });
    }
  },
});
