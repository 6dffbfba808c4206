import { openDatabase } from '../../../services/common/database.js';
import { emptyPostgres } from '../../support/postgres.js';
import { describeWithTool } from '../../support/require-tool.js';
import {
  app1,
  appBody,
  environment,
  group,
  type Harness,
  startManager,
  subscription,
  withEnvironment,
} from './support.js';

describeWithTool('postgres', 'the resource manager on PostgreSQL', () => {
  let database: string;
  let manager: Harness;
  beforeAll(async () => {
    database = await emptyPostgres();
    manager = await startManager({}, {}, await openDatabase(database));
  });
  afterAll(async () => {
    await manager.close();
  });

  it('stores an app with its sign-in settings, lists it, and deletes it with its group and nothing else', async () => {
    await withEnvironment(manager);
    const neighbour = `/subscriptions/${subscription}/resourceGroups/rg1-neighbour`;
    await manager.send('PUT', neighbour, { location: 'westeurope' });
    expect((await manager.send('PUT', app1, appBody())).status).toBe(201);
    expect(
      (
        await manager.send('PUT', `${app1}/authConfigs/current`, {
          properties: { platform: { enabled: true } },
        })
      ).status,
    ).toBe(200);
    expect(await manager.service.apps()).toEqual([
      expect.objectContaining({ name: 'app1', auth: { platform: { enabled: true } } }),
    ]);
    const groupResources = await manager.send('GET', `${group}/resources`);
    expect(groupResources.body.value.map(({ id }: { id: string }) => id)).toEqual([
      app1,
      environment,
    ]);
    expect((await manager.send('DELETE', group)).status).toBe(200);
    expect(await manager.service.apps()).toEqual([]);
    expect((await manager.send('GET', neighbour)).status).toBe(200);
  });

  it('keeps the changes that several processes make to one group at once', async () => {
    await manager.send('PUT', group, { location: 'westeurope' });
    const second = await startManager({}, {}, await openDatabase(database));
    const names = Array.from({ length: 20 }, (_, index) => `tag${index}`);
    const answers = await Promise.all(
      names.map((name, index) =>
        (index % 2 === 0 ? manager : second).send(
          'PATCH',
          `${group}/providers/Microsoft.Resources/tags/default`,
          { operation: 'Merge', properties: { tags: { [name]: 'set' } } },
        ),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(names.map(() => 200));
    const { body } = await second.send('GET', group);
    expect(Object.keys(body.tags as object).sort()).toEqual(names.toSorted());
    await second.close();
  });

  it('reads a resource group that another process has written', async () => {
    await manager.send('PUT', group, { location: 'westeurope' });
    const second = await startManager({}, {}, await openDatabase(database));
    expect((await second.send('GET', group)).status).toBe(200);
    await second.close();
  });
});
