import type { LiveItemRule } from '../../engine/live-item-rule.js';

const kinds = {
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
  check({ declaration: { section, value }, item, extras }, report) {
    if (item !== undefined) return;
    const names = extras.slice(0, maxNames).map((name) => `"${name}"`);
    const more = extras.length > maxNames ? ', …' : '';
    const verb = extras.length === 1 ? 'is' : 'are';
    const hint =
      names.length === 0
        ? ''
        : `: its workspace has ${names.join(', ')}${more}, which ${verb} not declared`;
    report({
      messageId: 'missing',
      at: 'key',
      parameters: { kind: kinds[section], given: value.displayName, hint },
    });
  },
};
