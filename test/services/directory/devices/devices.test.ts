import { TestDirectory, id, user } from '../support/directory.js';

describe('devices', () => {
  /**
   * @claim device-by-device-id: A device is found by its deviceId, too.
   * @source https://learn.microsoft.com/graph/api/device-get
   */
  it('are created, found by deviceId, changed and deleted, with owners', async () => {
    const directory = await TestDirectory.start({ seed: { users: [user(id(1))] } });
    const draft = {
      accountEnabled: true,
      deviceId: id(40),
      displayName: 'Laptop',
      operatingSystem: 'Linux',
      operatingSystemVersion: '1',
    };
    const created = await directory.post('/devices', draft);
    expect(created.status).toBe(201);
    expect((await directory.post('/devices', draft)).body.error.message).toContain(
      'property deviceId already exists',
    );
    expect((await directory.post('/devices', { displayName: 'x' })).status).toBe(400);
    expect((await directory.get(`/devices(deviceId='${id(40)}')`)).body.id).toBe(created.body.id);
    expect(
      (await directory.get(`/devices?$filter=${encodeURIComponent(`deviceId eq '${id(40)}'`)}`))
        .body.value,
    ).toHaveLength(1);
    expect(
      (
        await directory.patch(`/devices/${created.body.id}`, {
          extensionAttributes: { extensionAttribute1: 'lab' },
        })
      ).status,
    ).toBe(204);
    expect(
      (
        await directory.patch(`/devices/${created.body.id}`, {
          extensionAttributes: { extensionAttribute2: 'x' },
        })
      ).status,
    ).toBe(204);
    expect((await directory.get(`/devices/${created.body.id}`)).body.extensionAttributes).toEqual({
      extensionAttribute1: 'lab',
      extensionAttribute2: 'x',
    });
    expect(
      (
        await directory.post(`/devices/${created.body.id}/registeredOwners/$ref`, {
          '@odata.id': `https://x/v1.0/users/${id(1)}`,
        })
      ).status,
    ).toBe(204);
    expect(
      (await directory.get(`/devices/${created.body.id}/registeredOwners`)).body.value,
    ).toHaveLength(1);
    expect((await directory.delete(`/devices/${created.body.id}`)).status).toBe(204);
    await directory.stop();
  });
});
