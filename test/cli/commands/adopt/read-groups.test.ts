import { readGroups } from '../../../../cli/commands/adopt/read-groups.js';
import {
  createDirectoryClient,
  type DirectoryClient,
  type ListOptions,
} from '../../../../clients/directory/index.js';
import { id } from '../../../services/directory/support/directory.js';
import { ServedDirectory } from '../../../services/directory/support/served.js';

it('searches for words with quotes as they are', async () => {
  const requests: ListOptions[] = [];
  const groups = {
    list: (options: ListOptions) => {
      requests.push(options);
      return [];
    },
  };
  await readGroups({ groups } as unknown as DirectoryClient, {
    search: 'the "best" \\ team',
    withMembers: true,
    note: () => undefined,
  });
  expect(requests).toEqual([{ search: String.raw`"displayName:the \"best\" \\ team"` }]);
});

it.each(["displayName ne 'One'", "not(displayName eq 'One')", "startsWith(displayName,'T')"])(
  'reads the groups that %s matches, as castellan directory groups does',
  async (filter) => {
    const groups = ['One', 'Two'].map((displayName, index) => ({
      id: id(index + 1),
      displayName,
      mailNickname: displayName,
      mailEnabled: false,
      securityEnabled: true,
    }));
    const served = await ServedDirectory.start({ seed: { groups } });
    try {
      const client = createDirectoryClient({ baseUrl: served.origin });
      const found = await readGroups(client, { filter, withMembers: false, note: () => undefined });
      expect(found.map(({ group }) => group.displayName)).toEqual(['Two']);
    } finally {
      await served.stop();
    }
  },
);
