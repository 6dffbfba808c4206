import fc from 'fast-check';
import {
  hideSecretValues,
  listSecretsEntries,
  restoreSecretValues,
} from '../../../services/resource-manager/generic/hidden-values.js';
import {
  type Answer,
  type Harness,
  resourcePath,
  startManager,
  withEnvironment,
} from './support.js';

let manager: Harness;
beforeEach(async () => {
  manager = await startManager();
  await withEnvironment(manager);
});
afterEach(() => manager.close());

const put = (path: string, body: object): Promise<Answer> => manager.send('PUT', path, body);

test('any body is stored and returned as sent, without its secrets', async () => {
  const properties = fc.dictionary(
    fc.string({ minLength: 1, maxLength: 6 }),
    fc.jsonValue({ maxDepth: 3 }),
    { maxKeys: 5 },
  );
  const path = resourcePath('Contoso.Chairs/chairs', 'one');
  await fc.assert(
    fc.asyncProperty(properties, async (randomProperties) => {
      const sent = JSON.parse(
        JSON.stringify({ ...randomProperties, secrets: [{ name: 'a', value: 'h1dden' }] }),
      ) as Record<string, unknown>;
      const { __proto__: _never, provisioningState: _own, ...plain } = sent;
      const answer = await put(path, { location: 'westeurope', properties: plain });
      expect(answer.status).toBeLessThan(202);
      const returned = (await manager.send('GET', path)).body.properties;
      expect(JSON.stringify(returned)).not.toContain('h1dden');
      expect(restoreSecretValues(returned, hideSecretValues(plain as never).hidden)).toEqual({
        ...plain,
        provisioningState: 'Succeeded',
      });
    }),
    { numRuns: 40 },
  );
});

test('hidden values are restored to their places', () => {
  const value = fc.letrec<{ node: unknown }>((tie) => ({
    node: fc.oneof(
      { depthSize: 'small' },
      fc.constantFrom('x', 1, null, true),
      fc.array(
        fc.oneof(tie('node'), fc.record({ name: fc.constantFrom('a', 'b'), value: fc.string() })),
        { maxLength: 3 },
      ),
      fc.dictionary(
        fc.constantFrom('secrets', 'password', 'accountKey', 'value', 'name', 'other'),
        tie('node'),
        { maxKeys: 4 },
      ),
    ),
  })).node;
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom('secrets', 'password', 'a', 'b'), value),
      (properties) => {
        // Entries of one list that share a name share a place, too.
        fc.pre(!/"name":"(.)".*"name":"\1"/.test(JSON.stringify(properties)));
        const plain = JSON.parse(JSON.stringify(properties)) as Record<string, unknown>;
        const { properties: visible, hidden } = hideSecretValues(plain);
        expect(restoreSecretValues(visible, hidden)).toEqual(plain);
        expect(listSecretsEntries(hidden).length).toBeLessThanOrEqual(hidden.length);
      },
    ),
  );
});
