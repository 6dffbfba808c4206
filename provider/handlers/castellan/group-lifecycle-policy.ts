import { undefinedIfNotFound } from '../../../clients/common/index.js';
import { groupLifecyclePolicy as kind } from '../../../kinds/group/lifecycle-policy.js';
import type { GroupLifecyclePolicy } from '../../../clients/directory/index.js';
import type { ActualValues } from '../../planner/new-state.js';
import type { ValueMap } from '../../values/value.js';
import { collectAll } from '../azuread/listing.js';
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
    return policy === undefined
      ? undefined
      : toState(policy, await groupsWithPolicy(id, textList(state, 'group_object_ids'), context));
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
  import: (id) => ({ id, group_object_ids: [] }),
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

/** Those of the groups that have the policy: each group lists its policies, but not the reverse. */
async function groupsWithPolicy(
  policyId: string,
  groups: readonly string[],
  { api, signal }: Context,
): Promise<string[]> {
  const haveThePolicy = await Promise.all(
    groups.map(async (group) =>
      (
        (await undefinedIfNotFound(
          collectAll(api.directory.groups.lifecyclePolicies(group, { signal })),
        )) ?? []
      ).some(({ id }) => id === policyId),
    ),
  );
  return groups.filter((_, index) => haveThePolicy[index]);
}

function toState(policy: GroupLifecyclePolicy, groups: readonly string[]): ActualValues {
  return {
    id: policy.id,
    ...flattenProperties(kind, typeName, policy),
    group_object_ids: [...groups],
  };
}
