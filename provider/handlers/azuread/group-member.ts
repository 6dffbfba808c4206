import { ProviderFailure, type ResourceHandler } from '../handler.js';
import { mustText } from '../read-values.js';
import { parseImport } from './ids.js';
import { unlessGone } from './listing.js';

/** The resource azuread_group_member: one member of a group that is managed elsewhere. */
export const groupMember: ResourceHandler = {
  async create({ api, planned, signal }) {
    const [group, member] = [mustText(planned, 'group_object_id'), mustText(planned, 'member_object_id')];
    const id = `${group}/member/${member}`;
    if (await api.directory.groups.members.has(group, member, { signal }))
      throw new ProviderFailure(
        `A resource with the ID "${id}" already exists - to be managed via Terraform this resource needs to be imported into the State. Please see the resource documentation for "azuread_group_member" for more information.`,
      );
    await api.directory.groups.members.add(group, member, { signal });
    return { id };
  },
  async read({ api, state, signal }) {
    const [group, member] = [mustText(state, 'group_object_id'), mustText(state, 'member_object_id')];
    const there = await unlessGone(api.directory.groups.members.has(group, member, { signal }));
    return there === true ? { id: `${group}/member/${member}` } : undefined;
  },
  async delete({ api, state, signal }) {
    await unlessGone(
      api.directory.groups.members.remove(mustText(state, 'group_object_id'), mustText(state, 'member_object_id'), { signal }),
    );
  },
  import(id) {
    const { groupId, memberId } = parseImport('{groupId}/member/{memberId}', id);
    return { id, group_object_id: groupId ?? '', member_object_id: memberId ?? '' };
  },
};
