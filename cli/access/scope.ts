import type { ReadScope } from '../../access/directory/read-service.js';
import { ruleProperties } from '../../access/directory/read-service.js';
import type { DirectoryClient } from '../../clients/directory/index.js';
import { quoted } from '../../clients/directory/index.js';
import type { AccessStack } from './load.js';

const guid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** What of a live directory some stacks refer to: their groups as they are there, their principals, and everyone where a rule asks. */
export async function scopeOf(stacks: readonly AccessStack[], directory: DirectoryClient): Promise<ReadScope> {
  const groups = new Set<string>();
  const people = new Set<string>();
  let everyone = false;
  const groupsNamed = async (name: string): Promise<void> => {
    for await (const { id } of directory.groups.list({ filter: `displayName eq ${quoted(name)}`, select: ['id'] })) groups.add(id);
  };
  for (const { config } of stacks) {
    for (const { user, group } of Object.values(config.principals ?? {})) {
      if (user !== undefined) people.add(user);
      if (group !== undefined) await (guid.test(group) ? groups.add(group.toLowerCase()) : groupsNamed(group));
    }
    for (const { displayName, dynamicMembership, membershipRule } of Object.values(config.groups ?? {})) {
      await groupsNamed(displayName);
      everyone ||= dynamicMembership !== undefined || membershipRule !== undefined;
    }
    for (const { auth } of Object.values(config.containerApps ?? {})) {
      const provider = auth?.providers.directory;
      if (provider === undefined) continue;
      const allowed = [...(provider.allowedGroups ?? []), ...(provider.claimGroups ?? [])];
      for (const id of allowed) if (guid.test(id)) groups.add(id.toLowerCase());
      for (const id of provider.allowedPrincipals ?? []) if (guid.test(id)) people.add(id.toLowerCase());
      everyone ||= allowed.length === 0 && provider.allowedPrincipals === undefined;
    }
  }
  return { groups: [...groups], people: everyone ? 'all' : [...people], properties: everyone ? ruleProperties() : [], roles: true };
}
