import type { Finding } from '../../core/findings/finding.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import { defaultEnvironment } from '../../core/project/environment-folder.js';
import type { ConfigPath } from '../../core/yaml/layers.js';
import { makeFinding } from '../engine/finding-maker.js';
import { liveCatalogueRule } from '../engine/live-rule.js';
import type { GroupNames, LiveGroup, LiveReader } from '../model/live-reader.js';
import type { LoadedStack } from '../model/loaded-stack.js';
import { liveGroupUndeclared } from '../rules/live/live-group-undeclared.js';
import { prepareStack } from './check-stack.js';
import { applyPolicy } from './policy/applied-policy.js';
import type { StackContext } from './stack-checks.js';

const rule = liveCatalogueRule(liveGroupUndeclared);

/**
 * Findings about live groups that no stack declares and that the rule's options (prefixes, owners)
 * select.
 */
export async function undeclaredGroupFindings(
  stacks: readonly LoadedStack[],
  reader: LiveReader,
  context: StackContext & { readonly liveIds: ReadonlyMap<string, string> },
): Promise<readonly Finding[]> {
  const { policy, environment, liveIds } = context;
  const { applySeverity, ruleOptions } = applyPolicy(policy.config, [], {
    stack: undefined,
    environment: environment ?? defaultEnvironment,
  });
  const options = ruleOptions[rule.id] ?? {};
  const selectedGroups = new Map<string, { readonly group: LiveGroup; readonly reason: string }>();
  const addAll = (groups: readonly LiveGroup[] | undefined, reason: string): void => {
    for (const group of groups ?? [])
      if (!selectedGroups.has(group.id)) selectedGroups.set(group.id, { group, reason });
  };
  for (const prefix of listOf(options['prefixes']))
    addAll(await reader.groupsWithPrefix?.(prefix), `its name begins with ${prefix}`);
  for (const owner of listOf(options['owners']))
    addAll(await reader.groupsOwnedBy?.(owner), `${owner} owns it`);
  const declaredIds = new Set(liveIds.values());
  const declarations = new DeclarationsByName();
  for (const stack of stacks)
    for (const { name, value } of prepareStack(stack, context).index.all('groups'))
      declarations.add({
        ...omitUndefined({ id: liveIds.get(`groups.${name}`) }),
        mailNickname: value.mailNickname ?? name,
        displayName: String(value.displayName),
      });
  const findings: Finding[] = [];
  for (const { group, reason } of selectedGroups.values()) {
    const { id, displayName, mailNickname } = group;
    if (declaredIds.has(id) || (await declarations.isDeclared(group, reader))) continue;
    const given = displayName ?? mailNickname ?? id;
    const path: ConfigPath = ['groups', String(mailNickname ?? id)];
    const finding = makeFinding(
      rule,
      { messageId: 'undeclared', parameters: { given, id, reason } },
      { path, origin: { liveId: id } },
      () => policy.locate(['rules', rule.id]),
    );
    const ratedFinding = applySeverity(finding);
    if (ratedFinding !== undefined) findings.push(ratedFinding);
  }
  return findings;
}

/**
 * Declared groups by their names. Neither names nor nicknames are unique in a directory, so that of
 * several groups with a declared name only the one that the declaration finds is declared.
 */
class DeclarationsByName {
  readonly #declarations = new Map<string, GroupNames[]>();
  readonly #foundIds = new Map<GroupNames, Promise<string | undefined>>();

  add(declared: GroupNames): void {
    for (const name of namesOf(declared))
      this.#declarations.set(name, [...(this.#declarations.get(name) ?? []), declared]);
  }

  /** Whether one of them finds this group in the directory. */
  async isDeclared(
    { id, mailNickname, displayName }: LiveGroup,
    reader: LiveReader,
  ): Promise<boolean> {
    for (const name of namesOf({ mailNickname, displayName }))
      for (const declared of this.#declarations.get(name) ?? []) {
        const foundId =
          this.#foundIds.get(declared) ?? reader.findGroup(declared).then((group) => group?.id);
        this.#foundIds.set(declared, foundId);
        if ((await foundId) === id) return true;
      }
    return false;
  }
}

/** The nickname and the display name, in lower case. */
function namesOf({
  mailNickname,
  displayName,
}: Readonly<Partial<Record<keyof GroupNames, unknown>>>): ReadonlySet<string> {
  return new Set(
    [mailNickname, displayName]
      .filter((each) => typeof each === 'string')
      .map((each) => each.toLowerCase()),
  );
}

function listOf(option: unknown): readonly string[] {
  return Array.isArray(option) ? (option as readonly string[]) : [];
}
