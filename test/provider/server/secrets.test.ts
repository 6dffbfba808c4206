import { optional, required } from '../../../provider/schemas/schema-builders.js';
import type { BlockSchema } from '../../../provider/schemas/schema.js';
import { withoutSecrets } from '../../../provider/server/secrets.js';

const inner: BlockSchema = {
  attributes: { name: required('string'), value: optional('string', { sensitive: true }) },
};
const body: BlockSchema = {
  attributes: {
    name: required('string'),
    password: optional('string', { sensitive: true }),
    token: optional('string', { writeOnly: true }),
    owners: { optional: true, nested: { nesting: 'map', attributes: inner.attributes } },
  },
  blocks: { secret: { nesting: 'set', ...inner }, login: { nesting: 'single', ...inner } },
};

test('secrets become null wherever they are, and other values stay', () => {
  const item = { name: 'a', value: 'hush' };
  const values = {
    name: 'n',
    password: 'hush',
    token: 'hush',
    owners: { value: item },
    secret: [item, item],
    login: item,
  };
  const withoutValue = { name: 'a', value: null };
  expect(withoutSecrets(body, values)).toEqual({
    name: 'n',
    password: null,
    token: null,
    owners: { value: withoutValue },
    secret: [withoutValue, withoutValue],
    login: withoutValue,
  });
});

test('unset values stay unset', () => {
  const values = { name: 'n', password: null, token: null, owners: null, secret: [], login: null };
  expect(withoutSecrets(body, values)).toEqual(values);
});
