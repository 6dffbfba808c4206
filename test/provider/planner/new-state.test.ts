import { planChange } from '../../../provider/planner/plan.js';
import { newStateOf } from '../../../provider/planner/new-state.js';
import {
  block,
  computed,
  nested,
  optional,
  optionalComputed,
  required,
} from '../../../provider/schemas/schema-builders.js';
import type { ResourceSchema, ProviderSdk } from '../../../provider/schemas/schema.js';
import { normalizeLocation, isSameLocation } from '../../../provider/schemas/spelling.js';
import { unknown } from '../../../provider/values/value.js';

const schema: ResourceSchema = {
  version: 0,
  attributes: {
    id: computed('string'),
    name: required('string', { forceNew: true }),
    place: optional('string', { normalize: normalizeLocation, isEquivalent: isSameLocation }),
    note: optional('string'),
    flag: optional('bool'),
    size: optional('number', { default: 5 }),
    owners: optionalComputed(['set', 'string']),
    secret: optional('string', { writeOnly: true }),
    part: nested('optional', 'single', {
      mode: required('string', { forceNew: true }),
      hash: computed('string'),
    }),
  },
  blocks: {
    port: block('list', { number: required('number'), url: computed('string') }),
    tag: block('set', { key: required('string'), since: computed('string') }),
  },
};
const emptyConfig = {
  id: null,
  name: 'n',
  place: null,
  note: null,
  flag: null,
  size: null,
  owners: null,
  secret: null,
  part: null,
  port: [],
  tag: [],
};
const planCreation = (sdk: ProviderSdk, config: object) =>
  planChange(schema, sdk, { config: { ...emptyConfig, ...config } });

describe('a plan', () => {
  test('of a creation: defaults, unknowns, normal spellings, no write-only values', () => {
    const { planned, requiresReplace } = planCreation('sdkv2', {
      place: 'West Europe',
      secret: 's',
      part: { mode: 'm', hash: null },
      port: [{ number: 1, url: null }],
    });
    expect(planned).toEqual({
      ...emptyConfig,
      id: unknown,
      place: 'westeurope',
      size: 5,
      owners: unknown,
      part: { mode: 'm', hash: unknown },
      port: [{ number: 1, url: unknown }],
    });
    expect(requiresReplace).toEqual([]);
  });

  const prior = {
    ...emptyConfig,
    id: 'i',
    place: 'westeurope',
    note: '',
    size: 5,
    owners: ['a', 'b'],
    part: { mode: 'm', hash: 'h' },
    port: [{ number: 1, url: 'u' }],
    tag: [{ key: 'k', since: 's' }],
  };

  test.each([
    [
      'nothing changed',
      {
        place: 'West Europe',
        part: { mode: 'm', hash: null },
        port: [{ number: 1, url: null }],
        tag: [{ key: 'k', since: null }],
      },
    ],
    [
      'sets are written in another order',
      {
        place: 'westeurope',
        owners: ['b', 'a'],
        part: { mode: 'm', hash: null },
        port: [{ number: 1, url: null }],
        tag: [{ key: 'k', since: null }],
      },
    ],
    [
      'an empty text means none',
      {
        place: 'westeurope',
        flag: false,
        part: { mode: 'm', hash: null },
        port: [{ number: 1, url: null }],
        tag: [{ key: 'k', since: null }],
      },
    ],
  ])('is the state itself where %s', (_, config) => {
    const input = { config: { ...emptyConfig, ...config }, prior };
    expect(planChange(schema, 'sdkv2', input).planned).toBe(prior);
  });

  test('lists the paths whose change forces a replacement; an unknown value counts as a change', () => {
    const planUpdate = (config: object) =>
      planChange(schema, 'framework', { config: { ...emptyConfig, ...config }, prior });
    expect(planUpdate({ name: 'other' }).requiresReplace).toContainEqual(['name']);
    expect(planUpdate({ name: unknown }).requiresReplace).toContainEqual(['name']);
    expect(planUpdate({ part: { mode: 'other', hash: null } }).requiresReplace).toEqual([
      ['part', 'mode'],
    ]);
  });

  test('matches list entries by index and set entries by content', () => {
    const { planned } = planChange(schema, 'sdkv2', {
      config: {
        ...emptyConfig,
        port: [
          { number: 2, url: null },
          { number: 3, url: null },
        ],
        tag: [
          { key: 'new', since: null },
          { key: 'k', since: null },
        ],
      },
      prior,
    });
    expect(planned['port']).toEqual([
      { number: 2, url: 'u' },
      { number: 3, url: unknown },
    ]);
    expect(planned['tag']).toEqual([
      { key: 'new', since: unknown },
      { key: 'k', since: 's' },
    ]);
  });
});

describe('a state after an apply or a read', () => {
  test('keeps the present spelling of equivalent values', () => {
    const reference = { ...emptyConfig, place: 'West Europe', note: null, owners: ['b', 'a'] };
    expect(
      newStateOf(schema, 'sdkv2', reference, {
        place: 'westeurope',
        note: '',
        owners: ['a', 'b'],
      }),
    ).toMatchObject({
      place: 'West Europe',
      note: null,
      owners: ['b', 'a'],
    });
    expect(newStateOf(schema, 'framework', reference, { note: '' })).toMatchObject({ note: '' });
  });

  test('reports drift, keeps values that the service does not store, and leaves nothing unknown', () => {
    const reference = {
      ...emptyConfig,
      id: unknown,
      size: 5,
      note: 'kept',
      owners: unknown,
      port: [{ number: 1, url: unknown }],
    };
    const state = newStateOf(schema, 'sdkv2', reference, {
      id: 'i',
      size: 6,
      port: [{ number: 1, url: 'u' }],
    });
    expect(state).toMatchObject({
      id: 'i',
      size: 6,
      note: 'kept',
      owners: null,
      port: [{ number: 1, url: 'u' }],
      tag: [],
      secret: null,
    });
  });
});
