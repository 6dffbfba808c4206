import { openDatabase } from '../../../services/common/database.js';
import {
  endSessionsOf,
  openIdentityStore,
} from '../../../sandbox/identity-provider/identity-store.js';

const [ada, grace] = ['ada', 'grace'];

test('the sessions, grants and refresh tokens of one person end, those of others go on', async () => {
  const database = await openDatabase('memory:');
  const adapterOf = await openIdentityStore(database);
  const models = ['Session', 'Grant', 'AuthorizationCode', 'DeviceCode', 'RefreshToken'];
  for (const model of models)
    for (const accountId of [ada, grace])
      await adapterOf(model).upsert(accountId, { accountId }, 60);
  await adapterOf('Interaction').upsert('i', { accountId: ada }, 60);
  await endSessionsOf(database, ada);
  const remaining = async (id: string): Promise<string[]> => {
    const found: string[] = [];
    for (const model of models) if (await adapterOf(model).find(id)) found.push(model);
    return found;
  };
  expect([await remaining(ada), await remaining(grace)]).toEqual([[], models]);
  expect(await adapterOf('Interaction').find('i')).toBeDefined();
  await database.close();
});

test('sessions are ended where nobody has ever signed in', async () => {
  const database = await openDatabase('memory:');
  await expect(endSessionsOf(database, ada)).resolves.toBeUndefined();
  await database.close();
});
