import { TestDirectory, id } from '../support/directory.js';

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
});
