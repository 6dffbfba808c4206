import { writePageToken } from '../../../../services/common/page-token.js';
import { onEveryEngine } from '../support/engines.js';
import { TestDirectory } from '../support/directory.js';

onEveryEngine('page tokens that the service did not give out', (openDatabase) => {
  let directory: TestDirectory;
  let group: string;
  beforeAll(async () => {
    directory = await TestDirectory.start({ database: await openDatabase() });
    group = (await directory.group()).id ?? '';
  });
  afterAll(async () => {
    await directory.stop();
    await directory.database.close();
  });

  it.each([[[2 ** 31]], [[-1]], [[1.5]], [[Number.MAX_SAFE_INTEGER]], [['1']]])(
    'such as one of %j, are refused in lists',
    async (place) => {
      const token = `$skiptoken=${writePageToken(place)}`;
      for (const path of ['/groups', `/groups/${group}/members`, `/groups/${group}/memberOf`])
        expect([path, (await directory.get(`${path}?${token}`)).status]).toEqual([path, 400]);
    },
  );

  it.each([[['a', 2 ** 31]], [['a\u0000', 1]], [['\ud800', 1]], [[null, 1]]])(
    'such as one of %j, are refused in sorted lists',
    async (place) => {
      const path = `/groups?$orderby=displayName&$skiptoken=${writePageToken(place)}`;
      expect((await directory.get(path)).status).toBe(400);
    },
  );

  it.each([
    { upToChange: 2 ** 31 },
    { ids: ['a\u0000'] },
    { round: { afterObject: 2 ** 31 } },
    { round: { afterObject: 0, fromChange: 2 ** 31 } },
    { round: { afterObject: 0, rest: { object: 1, relation: 0, afterTarget: 2 ** 31 } } },
  ])('such as one of %j, are refused in deltas', async (state) => {
    const valid = { upToChange: 1, issuedAt: directory.clock.now, round: { afterObject: 0 } };
    const read = async (content: object): Promise<number> =>
      (await directory.get(`/groups/delta?$skiptoken=${writePageToken(content)}`)).status;
    expect(await read(valid)).toBe(200);
    expect(await read({ ...valid, ...state })).toBe(400);
  });
});
