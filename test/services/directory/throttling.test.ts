import { onEveryEngine } from './support/engines.js';
import { TestDirectory } from './support/directory.js';

onEveryEngine('throttling', (open) => {
  /**
   * @claim directory-429: A caller over its limit gets 429 with Retry-After.
   * @source https://learn.microsoft.com/graph/throttling
   */
  it('answers 429 with Retry-After when an application exceeds its limit, and does not affect others', async () => {
    const database = await open();
    const directory = await TestDirectory.start({ database, throttle: true });
    try {
      const [busy, calm] = ['a', 'b'].map((each) => ({
        kind: 'application' as const,
        objectId: each,
        tenantId: 't',
        applicationId: each,
        scopes: new Set<string>(),
        roles: new Set(['Group.Read.All']),
        directoryRoles: new Set<string>(),
        isGuest: false,
        isPersonal: false,
      }));
      // the first request looks at the tenant's size
      expect(
        (await directory.get('/groups', { as: busy as NonNullable<typeof busy> })).status,
      ).toBe(200);
      let refused: Awaited<ReturnType<TestDirectory['get']>> | undefined;
      for (let count = 0; count < 800 && !refused; count += 1) {
        // costs five units, whether or not there is such a group
        const answer = await directory.get('/groups/none/transitiveMembers', {
          as: busy as NonNullable<typeof busy>,
        });
        if (answer.status === 429) refused = answer;
      }
      expect(refused?.body.error.code).toBe('TooManyRequests');
      expect(Number(refused?.headers['retry-after'])).toBeGreaterThanOrEqual(1);
      expect(
        (await directory.get('/groups', { as: calm as NonNullable<typeof calm> })).status,
      ).toBe(200);
      directory.passTime({ seconds: Number(refused?.headers['retry-after']) });
      expect(
        (await directory.get('/groups', { as: busy as NonNullable<typeof busy> })).status,
      ).toBe(200);
    } finally {
      await directory.stop();
      await database.close();
    }
  });
});
