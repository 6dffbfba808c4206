import { connectFromConfig } from '../../provider/connect-from-config.js';

describe('the settings of castellan/castellan', () => {
  test.each([
    [{ ARM_USE_CLI: 'false' }],
    [{ ARM_USE_CLI: '0' }],
    [{ ARM_USE_CLI: 'F', ARM_USE_MSI: '' }],
  ])('leave no credential with %o', async (env) => {
    await expect(connectFromConfig({}, env)).rejects.toThrow('no credential');
  });

  test.each([
    [{ ARM_USE_CLI: '' }],
    [{ ARM_USE_CLI: '1' }],
    [{ ARM_USE_CLI: 'false', ARM_USE_MSI: '1' }],
    [{ ARM_USE_CLI: 'false', ARM_USE_MSI: 'True' }],
  ])('find a credential with %o', async (env) => {
    await expect(connectFromConfig({}, env)).resolves.toBeDefined();
  });

  it('name the endpoint of the managed identity', async () => {
    const env = {
      ARM_USE_MSI: 'true',
      IDENTITY_ENDPOINT: 'http://127.0.0.1:9',
      IDENTITY_HEADER: 'h',
    };
    const { identity } = await connectFromConfig({}, env);
    await expect(identity.objectId()).rejects.toThrow(
      "the managed identity endpoint http://127.0.0.1:9 can't be reached",
    );
  });

  it('refuse a flag that is neither true nor false', async () => {
    await expect(connectFromConfig({}, { ARM_USE_MSI: 'yes' })).rejects.toThrow(
      'ARM_USE_MSI is "yes": allowed are true and false',
    );
  });

  test.each([
    [{ ca_file: '/missing.pem' }, {}, 'ca_file'],
    [{}, { CASTELLAN_CA_FILE: '/missing.pem' }, 'CASTELLAN_CA_FILE'],
    [{}, { CASTELLAN_CA_FILE: '', SSL_CERT_FILE: '/missing.pem' }, 'SSL_CERT_FILE'],
  ])('name the source of a file that cannot be read: %o %o', async (config, env, source) => {
    await expect(connectFromConfig(config, env)).rejects.toThrow(
      `${source} is "/missing.pem": the file can't be read`,
    );
  });

  test.each([
    [{ directory_endpoint: 'graph.example' }, {}, 'directory_endpoint is "graph.example"'],
    [{}, { FABRIC_ENDPOINT: 'fabric' }, 'FABRIC_ENDPOINT is "fabric"'],
  ])('name the source of an address that is none: %o %o', async (config, env, message) => {
    await expect(connectFromConfig(config, env)).rejects.toThrow(`${message}: it must be a URL`);
  });
});
