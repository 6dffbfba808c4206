import type { Finding } from '../../core/findings/finding.js';
import { defaultEnvironment } from '../../core/project/environment-folder.js';
import type { ConfigPath } from '../../core/yaml/layers.js';
import { makeFinding } from '../engine/finding-maker.js';
import { liveCatalogueRule } from '../engine/live-rule.js';
import type { LiveGroup, LiveReader } from '../model/live-reader.js';
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
export async function findUndeclaredGroups(
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
    addAll(await reader.groupsOf?.(owner), `${owner} owns it`);
  const declaredIdsAndNames = new Set(liveIds.values());
  for (const stack of stacks)
    for (const { name, value } of prepareStack(stack, context).index.all('groups'))
      for (const each of [value.mailNickname ?? name, value.displayName])
        declaredIdsAndNames.add(String(each).toLowerCase());
  return [...selectedGroups.values()].flatMap(({ group, reason }) => {
    const { id, displayName, mailNickname } = group;
    const names = [id, String(mailNickname).toLowerCase(), String(displayName).toLowerCase()];
    if (names.some((each) => declaredIdsAndNames.has(each))) return [];
    const given = displayName ?? mailNickname ?? id;
    const path: ConfigPath = ['groups', String(mailNickname ?? id)];
    const finding = makeFinding(
      rule,
      { messageId: 'undeclared', parameters: { given, id, reason } },
      { path, origin: { liveId: id } },
      () => policy.locate(['rules', rule.id]),
    );
    return applySeverity(finding) ?? [];
  });
}

function listOf(option: unknown): readonly string[] {
  return Array.isArray(option) ? (option as readonly string[]) : [];
}
