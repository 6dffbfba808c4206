import { TestDirectory, id, user } from '../support/directory.js';
import { writePageToken } from '../../../../services/common/page-token.js';

interface Entry {
  readonly id: string;
  readonly [name: string]: unknown;
}

/** Reads all pages of a round. */
async function readRound(
  directory: TestDirectory,
  link: string,
  headers = {},
): Promise<{ entries: Entry[]; deltaLink: string }> {
  const entries: Entry[] = [];
  for (let next: string | undefined = link, pages = 0; next !== undefined && pages < 100; pages++) {
    const answer = await directory.get(next, { headers });
    expect(answer.status).toBe(200);
    entries.push(...(answer.body.value as Entry[]));
    if (answer.body['@odata.deltaLink'])
      return { entries, deltaLink: answer.body['@odata.deltaLink'] as string };
    next = answer.body['@odata.nextLink'] as string;
  }
  throw new Error('no delta link');
}

describe.each(['neutral', 'azure'] as const)('group delta in the %s dialect', (dialect) => {
  let directory: TestDirectory;
  const namespace = dialect === 'neutral' ? 'svc.directory' : 'microsoft.graph';
  beforeAll(async () => {
    directory = await TestDirectory.start({ dialect, seed: { users: [user(id(1)), user(id(2))] } });
  });
  afterAll(() => directory.stop());

  /**
   * @claim delta-rounds: A delta query returns everything first, then changes, with members that
   *   came and went.
   * @source https://learn.microsoft.com/graph/api/group-delta
   */
  it('returns everything first, then the changes, with added and removed references', async () => {
    const group = await directory.group({ 'members@odata.bind': [`http://x/v1.0/users/${id(1)}`] });
    const first = await readRound(
      directory,
      `/groups/${namespace}.delta()?$select=displayName,members`,
    );
    expect(first.entries).toContainEqual({
      id: group['id'],
      displayName: group['displayName'],
      'members@delta': [{ '@odata.type': `#${namespace}.user`, id: id(1) }],
    });
    expect(first.deltaLink).toMatch(
      /^http:\/\/directory\.test\/v1\.0\/groups\/delta\?\$deltatoken=/,
    );

    const unchanged = await readRound(directory, first.deltaLink);
    expect(unchanged.entries).toEqual([]);

    await directory.post(`/groups/${group['id']}/members/$ref`, {
      '@odata.id': `http://x/v1.0/users/${id(2)}`,
    });
    await directory.delete(`/groups/${group['id']}/members/${id(1)}/$ref`);
    await directory.patch(`/groups/${group['id']}`, { description: 'not selected' });
    const second = await readRound(directory, unchanged.deltaLink);
    expect(second.entries).toEqual([
      {
        id: group['id'],
        displayName: group['displayName'],
        'members@delta': [
          { '@odata.type': `#${namespace}.user`, id: id(2) },
          { '@odata.type': `#${namespace}.user`, id: id(1), '@removed': { reason: 'deleted' } },
        ],
      },
    ]);
  });

  /**
   * @claim delta-removed: A deleted group is `@removed` with the reason changed, a purged one
   *   deleted.
   * @source https://learn.microsoft.com/graph/delta-query-overview
   */
  it('returns a deleted group as changed, a purged one as deleted, and a restored one with its members', async () => {
    const group = await directory.group({ 'members@odata.bind': [`http://x/v1.0/users/${id(1)}`] });
    const start = await readRound(directory, '/groups/delta?$deltatoken=latest');
    expect(start.entries).toEqual([]);
    await directory.delete(`/groups/${group['id']}`);
    const afterDelete = await readRound(directory, start.deltaLink);
    expect(afterDelete.entries).toEqual([{ id: group['id'], '@removed': { reason: 'changed' } }]);
    await directory.post(`/directory/deletedItems/${group['id']}/restore`);
    const afterRestore = await readRound(directory, afterDelete.deltaLink);
    expect(afterRestore.entries).toHaveLength(1);
    expect(afterRestore.entries[0]).toMatchObject({
      id: group['id'],
      displayName: group['displayName'],
      'members@delta': [{ id: id(1) }],
    });
    await directory.delete(`/groups/${group['id']}`);
    await directory.delete(`/directory/deletedItems/${group['id']}`);
    const purged = await readRound(directory, afterRestore.deltaLink);
    expect(purged.entries).toEqual([{ id: group['id'], '@removed': { reason: 'deleted' } }]);
  });

  it('removes a member that was deleted while its group was deleted', async () => {
    const inner = await directory.group();
    const group = await directory.group({
      'members@odata.bind': [`http://x/v1.0/groups/${inner['id']}`],
    });
    const start = await readRound(directory, '/groups/delta?$select=members');
    await directory.delete(`/groups/${group['id']}`);
    await directory.delete(`/groups/${inner['id']}`);
    await directory.post(`/directory/deletedItems/${group['id']}/restore`);
    const afterRestore = await readRound(directory, start.deltaLink);
    expect(afterRestore.entries.find((entry) => entry.id === group['id'])).toEqual({
      id: group['id'],
      'members@delta': [
        {
          '@odata.type': `#${namespace}.group`,
          id: inner['id'],
          '@removed': { reason: 'deleted' },
        },
      ],
    });
    await directory.post(`/directory/deletedItems/${inner['id']}/restore`);
    const afterInnerRestore = await readRound(directory, afterRestore.deltaLink);
    expect(afterInnerRestore.entries.find((entry) => entry.id === group['id'])).toEqual({
      id: group['id'],
      'members@delta': [{ '@odata.type': `#${namespace}.group`, id: inner['id'] }],
    });
  });

  it('returns only changed properties with return=minimal, and follows the ids of a filter', async () => {
    const [one, two] = [await directory.group(), await directory.group()];
    const start = await readRound(directory, `/groups/delta?$filter=id eq '${one['id']}'`);
    expect(start.entries.map((entry) => entry.id)).toEqual([one['id']]);
    await directory.patch(`/groups/${one['id']}`, { description: 'new' });
    await directory.patch(`/groups/${two['id']}`, { description: 'new' });
    const changed = await readRound(directory, start.deltaLink, { prefer: 'return=minimal' });
    expect(changed.entries).toEqual([{ id: one['id'], description: 'new' }]);
  });

  it('never returns properties outside the main store', async () => {
    const unified = await directory.post('/groups', {
      displayName: 'U',
      mailNickname: `u-${dialect}`,
      mailEnabled: true,
      securityEnabled: false,
      groupTypes: ['Unified'],
    });
    const start = await readRound(directory, '/groups/delta?$deltatoken=latest');
    expect(
      (await directory.patch(`/groups/${unified.body.id}`, { allowExternalSenders: true })).status,
    ).toBe(200);
    expect((await readRound(directory, start.deltaLink)).entries).toEqual([]);
    expect((await directory.get('/groups/delta?$select=allowExternalSenders')).status).toBe(400);
  });

  /**
   * @claim delta-token-expired: An expired delta token is 410.
   * @source https://learn.microsoft.com/graph/delta-query-overview
   */
  it('refuses unsupported options and invalid tokens with 400, and expired tokens with 410', async () => {
    for (const option of [
      '$top=5',
      '$orderby=displayName',
      '$count=true',
      "$filter=displayName eq 'x'",
      '$search="displayName:x"',
    ])
      expect([option, (await directory.advanced(`/groups/delta?${option}`)).status]).toEqual([
        option,
        400,
      ]);
    expect((await directory.get('/groups/delta?$deltatoken=nonsense')).status).toBe(400);
    const state = { upToChange: 0, issuedAt: Date.now() };
    for (const round of [
      { afterObject: 0, fromChange: 'x' },
      { afterObject: -1 },
      { afterObject: 0, rest: { object: 1, relation: -1, afterTarget: 0 } },
    ]) {
      const token = writePageToken({ ...state, round });
      expect((await directory.get(`/groups/delta?$skiptoken=${token}`)).status).toBe(400);
    }
    // forged tokens: a first request with these options is refused
    for (const options of [
      { select: ['isArchived'] },
      { ids: Array.from({ length: 51 }, (_, index) => id(index)) },
    ])
      for (const option of ['$skiptoken', '$deltatoken']) {
        const token = writePageToken({ ...state, ...options, round: { afterObject: 0 } });
        const { status } = await directory.get(`/groups/delta?${option}=${token}`);
        expect([options, option, status]).toEqual([options, option, 400]);
      }
    const { deltaLink } = await readRound(directory, '/groups/delta?$deltatoken=latest');
    directory.passTime({ days: 8 });
    const expired = await directory.get(deltaLink);
    expect(expired.status).toBe(410);
    expect(expired.body.error.code).toBe('syncStateNotFound');
    expect(expired.headers['location']).toBe('http://directory.test/v1.0/groups/delta');
  });
});
