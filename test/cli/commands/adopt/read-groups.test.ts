import { readGroups } from '../../../../cli/commands/adopt/read-groups.js';
import type { DirectoryClient, ListOptions } from '../../../../clients/directory/index.js';

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
