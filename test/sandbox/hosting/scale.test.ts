import { scaleRule, Scaler } from '../../../sandbox/hosting/scale.js';

const rule = { min: 0, max: 5, concurrentRequests: 2, cooldownMs: 10_000, pollingMs: 1_000 };

describe('a scaler', () => {
  let now = 0;
  const createScaler = (overrides: Partial<typeof rule> = {}): Scaler => {
    now = 0;
    return new Scaler({ ...rule, ...overrides }, () => now);
  };

  test('starts with one replica and ends at none after a quiet period', () => {
    const scaler = createScaler();
    expect(scaler.desiredReplicas()).toBe(1);
    now = 9_999;
    expect(scaler.desiredReplicas()).toBe(1);
    now = 10_000;
    expect(scaler.desiredReplicas()).toBe(0);
  });

  test('has one replica per number of concurrent requests in the rule, up to the maximum', () => {
    const scaler = createScaler();
    const ends = Array.from({ length: 5 }, () => scaler.beginRequest());
    expect(scaler.desiredReplicas()).toBe(3);
    for (let more = 0; more < 20; more++) scaler.beginRequest();
    expect(scaler.desiredReplicas()).toBe(5);
    for (const end of ends) end();
    expect(scaler.desiredReplicas()).toBe(5);
  });

  test('reduces replicas to the number needed in the quiet period, after the period', () => {
    const scaler = createScaler();
    const ends = Array.from({ length: 8 }, () => scaler.beginRequest());
    expect(scaler.desiredReplicas()).toBe(4);
    for (const end of ends.slice(0, 5)) end();
    now = 5_000;
    expect(scaler.desiredReplicas()).toBe(4);
    now = 10_000;
    expect(scaler.desiredReplicas()).toBe(3);
    now = 19_999;
    expect(scaler.desiredReplicas()).toBe(3);
    now = 20_000;
    expect(scaler.desiredReplicas()).toBe(2);
  });

  test('counts a request once, however often its end is reported', () => {
    const scaler = createScaler({ cooldownMs: 0 });
    const end = scaler.beginRequest();
    scaler.beginRequest();
    scaler.beginRequest();
    end();
    end();
    end();
    now = 1;
    expect(scaler.desiredReplicas()).toBe(1);
  });

  test('a request starts the first replica again', () => {
    const scaler = createScaler({ cooldownMs: 0 });
    now = 1;
    expect(scaler.desiredReplicas()).toBe(0);
    scaler.beginRequest();
    expect(scaler.desiredReplicas()).toBe(1);
  });
});

test.each([
  [
    'nothing declared',
    {},
    'image',
    { min: 0, max: 10, concurrentRequests: 10, cooldownMs: 300_000, pollingMs: 1_000 },
  ],
  [
    'everything declared',
    {
      minReplicas: 2,
      maxReplicas: 4,
      cooldownPeriod: 20,
      pollingInterval: 5,
      rules: [
        { name: 'queue' },
        { name: 'http', http: { metadata: { concurrentRequests: '50' } } },
      ],
    },
    'image',
    { min: 2, max: 4, concurrentRequests: 50, cooldownMs: 20_000, pollingMs: 5_000 },
  ],
  [
    'more than a machine has room for',
    { minReplicas: 30, maxReplicas: 300 },
    'image',
    { min: 10, max: 10 },
  ],
  [
    'a page for an app that may have none',
    { minReplicas: 0, maxReplicas: 9 },
    'other',
    { min: 1, max: 1 },
  ],
  ['a command', { minReplicas: 9 }, 'other', { min: 3, max: 3 }],
] as const)('%s gives the rule', (_title, scale, runs, expected) => {
  expect(scaleRule({ scale }, runs, true)).toMatchObject(expected);
});

test('keeps a replica of an app that no request can reach', () => {
  expect(scaleRule({ scale: { minReplicas: 0 } }, 'image', false).min).toBe(1);
});
