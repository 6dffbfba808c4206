import { loadProvider } from '../../../provider/providers.js';
import { ProviderServer } from '../../../provider/server/provider-server.js';
import type { Api } from '../../../provider/handlers/handler.js';
import type { Request } from '../../../provider/protocol/messages.js';

it('makes the schemas of a provider once for all connections', async () => {
  const answers = await Promise.all(
    ['first', 'second'].map(async () => {
      const server = new ProviderServer(await loadProvider('fabric', () => ({}) as Api));
      return await server.call('GetProviderSchema', {} as Request);
    }),
  );
  expect(answers[1]).toBe(answers[0]);
  expect(answers[0]).toMatchObject({
    resourceSchemas: { fabric_workspace: { version: 0 } },
    functions: { content_decode: {} },
    serverCapabilities: { getProviderSchemaOptional: true },
  });
});
