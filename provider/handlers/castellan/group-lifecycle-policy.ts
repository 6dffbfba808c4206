import { undefinedIfNotFound } from '../../../clients/common/index.js';
import { groupLifecyclePolicy as kind } from '../../../kinds/group/lifecycle-policy.js';
import type { GroupLifecyclePolicy } from '../../../clients/directory/index.js';
import type { ActualValues } from '../../planner/new-state.js';
import type { ValueMap } from '../../values/value.js';
import { collectIds } from '../azuread/listing.js';
import { expandProperties, flattenProperties } from '../described-values.js';
import type { Context, ResourceHandler } from '../handler.js';
import { differsIn, listDifference, textOrEmpty, textList } from '../read-values.js';

const typeName = 'castellan_group_lifecycle_policy';

/** The resource castellan_group_lifecycle_policy. */
export const groupLifecyclePolicy: ResourceHandler = {
  async create({ planned, ...context }) {
    const { api, signal } = context;
    const answer = await api.directory.groupLifecyclePolicies.create(policyDraft(planned), {
      signal,
    });
    context.reportCreated({ id: answer.id });
    for (const group of textList(planned, 'group_object_ids'))
      await addOrRemoveGroup(answer.id, 'addGroup', group, context);
    return toState(answer, textList(planned, 'group_object_ids'));
  },
  /** Finds the policy: a tenant has one at most. */
  async findExisting({ api, signal }) {
    for await (const { id } of api.directory.groupLifecyclePolicies.list({ signal })) return { id };
    return undefined;
  },
  async read({ state, ...context }) {
    const { api, signal } = context;
    const id = textOrEmpty(state, 'id');
    const policy = await undefinedIfNotFound(
      api.directory.groupLifecyclePolicies.get(id, { signal }),
    );
    if (policy === undefined) return undefined;
    const groups = Array.isArray(state['group_object_ids'])
      ? textList(state, 'group_object_ids')
      : await selectableGroups(policy, context);
    return toState(policy, await groupsWithPolicy(id, groups, context));
  },
  async update({ prior, planned, ...context }) {
    const { api, signal } = context;
    const id = textOrEmpty(prior, 'id');
    if (
      differsIn(
        prior,
        planned,
        'group_lifetime_in_days',
        'managed_group_types',
        'alternate_notification_emails',
      )
    )
      await api.directory.groupLifecyclePolicies.update(id, policyDraft(planned), { signal });
    const { add, remove } = listDifference(
      textList(prior, 'group_object_ids'),
      textList(planned, 'group_object_ids'),
    );
    for (const group of remove) await addOrRemoveGroup(id, 'removeGroup', group, context);
    for (const group of add) await addOrRemoveGroup(id, 'addGroup', group, context);
    return toState(
      await api.directory.groupLifecyclePolicies.get(id, { signal }),
      textList(planned, 'group_object_ids'),
    );
  },
  async delete({ api, state, signal }) {
    await undefinedIfNotFound(
      api.directory.groupLifecyclePolicies.delete(textOrEmpty(state, 'id'), { signal }),
    );
  },
  import: (id) => ({ id }),
};

function policyDraft(planned: ValueMap): Omit<GroupLifecyclePolicy, 'id'> {
  return { alternateNotificationEmails: '', ...expandProperties(kind, typeName, planned) } as Omit<
    GroupLifecyclePolicy,
    'id'
  >;
}

async function addOrRemoveGroup(
  policyId: string,
  action: 'addGroup' | 'removeGroup',
  groupId: string,
  { api, signal }: Context,
): Promise<void> {
  await api.directory.http.request({
    method: 'POST',
    path: `/v1.0/groupLifecyclePolicies/${policyId}/${action}`,
    body: { groupId },
    signal,
  });
}

/** The groups that an imported policy may cover: those that can be selected. */
function selectableGroups(
  { managedGroupTypes }: GroupLifecyclePolicy,
  { api, signal }: Context,
): Promise<string[]> | string[] {
  return managedGroupTypes === 'Selected'
    ? collectIds(api.directory.groups.list({ filter: "groupTypes/any(t:t eq 'Unified')", signal }))
    : [];
}

/** How many groups are asked for their policies at once. */
const groupsAtOnce = 20;

/** Those of the groups that have the policy: each group lists its policies, but not the reverse. */
async function groupsWithPolicy(
  policyId: string,
  groups: readonly string[],
  { api, signal }: Context,
): Promise<string[]> {
  const covered: string[] = [];
  for (let start = 0; start < groups.length; start += groupsAtOnce) {
    const asked = groups.slice(start, start + groupsAtOnce);
    const policies = await Promise.all(
      asked.map((group) =>
        undefinedIfNotFound(collectIds(api.directory.groups.lifecyclePolicies(group, { signal }))),
      ),
    );
    covered.push(...asked.filter((_, index) => policies[index]?.includes(policyId)));
  }
  return covered;
}

function toState(policy: GroupLifecyclePolicy, groups: readonly string[]): ActualValues {
  return {
    id: policy.id,
    ...flattenProperties(kind, typeName, policy),
    group_object_ids: [...groups],
  };
}
