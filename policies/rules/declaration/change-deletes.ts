import { defineRule } from '../../engine/rule.js';
import type { Declaration, StackIndex } from '../../engine/stack-index.js';

const lossBySection = {
  eventhouses: 'the eventhouse is deleted with all its data',
  workspaces: 'the workspace is deleted with everything in it',
  groups: 'the group is deleted with its members and what was granted to it',
  registrations: 'the registration is deleted, and no one can sign in with it',
} as const;

type DeletableSection = keyof typeof lossBySection;

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
    environment:
      'the environment "{given}" of the stack "{stack}" is gone with everything that it declares ({count}): nothing checks it any more',
    deleted: '"{given}" is gone: {what}',
    renamed:
      '"{given}" is gone, and "{now}" has its display name: it is not renamed, {what}, and another one is created; keep the name "{given}"',
  },
  checkRemoved(declaration, { base, index, report }) {
    const { section, name } = declaration;
    const newName = newNames(index, section, base).get(declaration.value.displayName);
    const parameters = { given: name, what: lossBySection[section], now: newName };
    report({ messageId: newName === undefined ? 'deleted' : 'renamed', parameters });
  },
});

type NamesByDisplayName = ReadonlyMap<string, string>;

const cachedNewNames = new WeakMap<StackIndex, Map<DeletableSection, NamesByDisplayName>>();

/** New declarations by display name, found once for all removed ones. */
function newNames(
  index: StackIndex,
  section: DeletableSection,
  base: StackIndex | undefined,
): NamesByDisplayName {
  const namesBySection =
    cachedNewNames.get(index) ?? new Map<DeletableSection, NamesByDisplayName>();
  cachedNewNames.set(index, namesBySection);
  const declared = index.all(section) as readonly Declaration<DeletableSection>[];
  const names =
    namesBySection.get(section) ??
    new Map(declared.filter(({ name }) => base?.find(section, name) === undefined).map(entryOf));
  namesBySection.set(section, names);
  return names;
}

function entryOf({ name, value }: Declaration<DeletableSection>): [string, string] {
  return [value.displayName, name];
}
