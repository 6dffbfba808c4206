import { TestDirectory, id, user } from '../support/directory.js';

describe('contacts', () => {
  it('are created by seed files and read-only', async () => {
    const directory = await TestDirectory.start({
      seed: { contacts: [{ id: id(30), displayName: 'Supplier', mail: 's@supplier.example' }] },
    });
    expect((await directory.get(`/contacts/${id(30)}`)).body).toMatchObject({
      displayName: 'Supplier',
      mail: 's@supplier.example',
    });
    expect((await directory.post('/contacts', { displayName: 'x' })).status).toBe(405);
    expect((await directory.delete(`/contacts/${id(30)}`)).status).toBe(405);
    await directory.stop();
  });

  it('have the manager that the seed names, and those who report to them', async () => {
    const directory = await TestDirectory.start({
      seed: {
        users: [user(id(1))],
        contacts: [
          { id: id(30), displayName: 'Supplier', manager: id(1) },
          { id: id(31), displayName: 'Assistant', manager: { id: id(30) } },
          { id: id(32), displayName: 'Alone' },
        ],
      },
    });
    const idAt = async (path: string): Promise<unknown> => (await directory.get(path)).body.id;
    expect(await idAt(`/contacts/${id(30)}/manager`)).toBe(id(1));
    expect(await idAt(`/contacts/${id(31)}/manager`)).toBe(id(30));
    expect((await directory.get(`/contacts/${id(30)}?$expand=manager`)).body.manager.id).toBe(
      id(1),
    );
    expect((await directory.get(`/contacts/${id(30)}/manager/$ref`)).body['@odata.id']).toContain(
      id(1),
    );
    const none = await directory.get(`/contacts/${id(32)}/manager`);
    expect([none.status, none.body.error.message]).toEqual([
      404,
      expect.stringContaining("Resource 'manager' does not exist"),
    ]);
    expect((await directory.get(`/contacts/${id(40)}/manager`)).status).toBe(404);
    for (const [path, reports] of [
      [`/users/${id(1)}`, [id(30)]],
      [`/contacts/${id(30)}`, [id(31)]],
    ] as const)
      expect(
        (await directory.get(`${path}/directReports`)).body.value.map(
          (each: { id: string }) => each.id,
        ),
      ).toEqual(reports);
    await directory.stop();
  });
});
