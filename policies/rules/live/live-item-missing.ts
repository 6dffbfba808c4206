import type { LiveItemRule } from '../../engine/live-item-rule.js';

const nouns = {
  workspaces: 'workspace',
  eventhouses: 'eventhouse',
  eventstreams: 'eventstream',
} as const;

/** The most names in a message. */
const maxNames = 3;

export const liveItemMissing: LiveItemRule = {
  id: 'live-item-missing',
  title: 'A declared workspace, eventhouse or eventstream exists.',
  why: 'It was never applied, or has been deleted or renamed; what writes to it or reads from it fails.',
  severity: 'error',
  source: 'Items rules, "Errors" 1 (ItemNotFound) and "Get eventhouse"',
  messages: {
    missing: 'there is no {kind} "{given}"; it was never applied, deleted or renamed{hint}',
  },
  check({ declaration: { section, value }, item, undeclaredNames }, report) {
    if (item !== undefined) return;
    const names = undeclaredNames.slice(0, maxNames).map((name) => `"${name}"`);
    const more = undeclaredNames.length > maxNames ? ', …' : '';
    const verb = undeclaredNames.length === 1 ? 'is' : 'are';
    const hint =
      names.length === 0
        ? ''
        : `: its workspace has ${names.join(', ')}${more}, which ${verb} not declared`;
    report({
      messageId: 'missing',
      at: 'key',
      parameters: { kind: nouns[section], given: value.displayName, hint },
    });
  },
};
