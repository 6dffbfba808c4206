import { defineRule } from '../../engine/rule.js';
import type { Declaration, StackIndex } from '../../engine/stack-index.js';

const lossBySection = {
  eventhouses: 'the eventhouse is deleted with all its data',
  workspaces: 'the workspace is deleted with everything in it',
  groups: 'the group is deleted with its members and what was granted to it',
  registrations: 'the registration is deleted, and no one can sign in with it',
} as const;

type Deleted = keyof typeof lossBySection;

export const changeDeletes = defineRule({
  id: 'change-deletes',
  title: 'No eventhouse, workspace, group, registration or stack is deleted.',
  why: 'Their content is lost; a deleted eventhouse or workspace cannot be restored.',
  severity: 'error',
  source: 'Directory rules, "States and transitions"; Items rules',
  sections: ['eventhouses', 'workspaces', 'groups', 'registrations'],
  scope: 'change',
  messages: {
    stack:
      'the stack "{given}" is gone with everything that it declares ({count}): nothing checks it any more',
    deleted: '"{given}" is gone: {what}',
    renamed:
      '"{given}" is gone, and "{now}" has its display name: it is not renamed, {what}, and another one is created; keep the name "{given}"',
  },
  checkRemoved(removed, { base, index, report }) {
    const { section, name } = removed;
    const now = newNames(index, section, base).get(removed.value.displayName);
    const parameters = { given: name, what: lossBySection[section], now };
    report({ messageId: now === undefined ? 'deleted' : 'renamed', parameters });
  },
});

type Names = ReadonlyMap<string, string>;

const newNamesOf = new WeakMap<StackIndex, Map<Deleted, Names>>();

/** New declarations by display name, found once for all removed ones. */
function newNames(index: StackIndex, section: Deleted, base: StackIndex | undefined): Names {
  const own = newNamesOf.get(index) ?? new Map<Deleted, Names>();
  newNamesOf.set(index, own);
  const declared = index.all(section) as readonly Declaration<Deleted>[];
  const names =
    own.get(section) ??
    new Map(declared.filter(({ name }) => base?.find(section, name) === undefined).map(entryOf));
  own.set(section, names);
  return names;
}

function entryOf({ name, value }: Declaration<Deleted>): [string, string] {
  return [value.displayName, name];
}
