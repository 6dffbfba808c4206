import { type DirectoryClient, type Group, quote } from '../../../clients/directory/index.js';
import { CastellanError } from '../../../core/errors/castellan-error.js';
import { isGuid } from '../../../core/values/guid.js';

/**
 * Finds a group by object id, mail nickname or display name.
 *
 * @throws CAS8201 when there is none, or more than one.
 */
export async function findGroup(directory: DirectoryClient, name: string): Promise<Group> {
  if (isGuid(name)) {
    const group = await directory.groups.find(name);
    if (group) return group;
  } else
    for (const property of ['mailNickname', 'displayName']) {
      const groups: Group[] = [];
      for await (const group of directory.groups.list({ filter: `${property} eq ${quote(name)}` }))
        groups.push(group);
      const [singleGroup] = groups;
      if (singleGroup && groups.length === 1) return singleGroup;
      if (groups.length > 1)
        throw new CastellanError(
          'CAS8201',
          `${groups.length} groups have the ${property} "${name}": name one by its id (${groups.map(({ id }) => id).join(', ')})`,
        );
    }
  throw new CastellanError('CAS8201', `there is no group "${name}"`);
}
