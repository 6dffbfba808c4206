import { defineResourceRule, defineRule, RuleTester } from '../../../policies/index.js';

const noRed = defineRule({
  id: 'no-red',
  title: 'No group is red.',
  why: 'Red is for alarms.',
  severity: 'warning',
  source: 'our style guide',
  sections: ['groups'],
  options: { type: 'object', properties: { instead: { type: 'string' } } },
  messages: { red: 'the theme is {given}' },
  check(group, context) {
    const value = String(context.options['instead'] ?? 'Orange');
    if (group.value.theme === 'Red')
      context.report({
        messageId: 'red',
        path: ['theme'],
        parameters: { given: 'Red' },
        fix: { description: 'paint it', value },
      });
  },
});
const alarms = (theme: string): string =>
  `groups: { alarms: { kind: unified, displayName: Alarms, theme: ${theme} } } # a comment`;

const plainHttp = defineResourceRule({
  id: 'storage-over-https',
  title: 'Storage takes HTTPS only.',
  why: 'Keys travel in clear.',
  severity: 'error',
  source: 'our baseline',
  resources: ['azurerm_storage_account'],
  reads: ['https_traffic_only_enabled'],
  messages: { http: '{given} takes plain HTTP' },
  check({ address, values }, context) {
    if (values['https_traffic_only_enabled'] === false && context.options['allowed'] !== address)
      context.report({
        messageId: 'http',
        path: ['https_traffic_only_enabled'],
        parameters: { given: address },
      });
  },
});
const storage = (name: string, httpsOnly: boolean) => ({
  type: 'azurerm_storage_account',
  name,
  values: { https_traffic_only_enabled: httpsOnly },
});

/** Runs the cases of a rule and says how each came out. */
async function outcomes(run: (tester: RuleTester) => void): Promise<readonly string[]> {
  const tests: [string, () => Promise<void>][] = [];
  run(new RuleTester({ it: (name, test) => void tests.push([name, test]) }));
  const results: string[] = [];
  for (const [name, test] of tests)
    results.push(
      await test().then(
        () => `ok ${name}`,
        (error: Error) => `not ok ${name}: ${error.message.split('\n')[0] ?? ''}`,
      ),
    );
  return results;
}

// the tester itself, in this test runner
new RuleTester({ it }).run(plainHttp, {
  valid: [
    {
      resources: [
        storage('fine', true),
        { type: 'azurerm_key_vault', name: 'other', values: { https_traffic_only_enabled: false } },
      ],
    },
    { resources: [storage('old', false)], options: { allowed: 'azurerm_storage_account.old' } },
    {
      name: 'leaves open what is known after apply',
      resources: [{ ...storage('later', false), unknown: [['https_traffic_only_enabled']] }],
    },
  ],
  invalid: [
    {
      resources: [storage('fine', true), { ...storage('old', false), module: 'module.shop' }],
      messages: [{ messageId: 'http', address: 'module.shop.azurerm_storage_account.old' }],
    },
  ],
});
new RuleTester({ it }).run(noRed, {
  valid: [alarms('Teal')],
  invalid: [
    { yaml: alarms('Red'), messages: [{ messageId: 'red', line: 1 }], output: alarms('Orange') },
  ],
});

describe('the RuleTester', () => {
  it('says what differs', async () => {
    const cases = {
      valid: [alarms('Red'), { name: 'likes teal', yaml: alarms('Teal') }],
      invalid: [
        { yaml: alarms('Teal'), messages: ['red'] },
        { name: 'another line', yaml: alarms('Red'), messages: [{ messageId: 'red', line: 7 }] },
        {
          name: 'another output',
          yaml: alarms('Red'),
          messages: ['red'],
          options: { instead: 'Blue' },
          output: alarms('Teal'),
        },
        {
          name: 'an option',
          yaml: alarms('Red'),
          messages: ['red'],
          options: { instead: 'Blue' },
          output: alarms('Blue'),
        },
        { name: 'no configuration', yaml: 'groups: [', messages: ['red'] },
      ],
    };
    expect(await outcomes((tester) => tester.run(noRed, cases))).toEqual([
      'not ok no-red: accepts case 1: the rule said [{"messageId":"red","line":1}], expected was []',
      'ok no-red: likes teal',
      'not ok no-red: refuses case 1: the rule said [], expected was [{"messageId":"red"}]',
      'not ok no-red: another line: the rule said [{"messageId":"red","line":1}], expected was [{"messageId":"red","line":7}]',
      expect.stringContaining(
        'not ok no-red: another output: the rule said ["groups: { alarms: { kind: unified, displayName: Alarms, theme: Blue }',
      ),
      'ok no-red: an option',
      expect.stringContaining('not ok no-red: no configuration: the case is no configuration:'),
    ]);
  });

  it('requires an invalid case, and a rule that uses its own messages', async () => {
    expect(() => new RuleTester({ it }).run(noRed, { valid: [], invalid: [] })).toThrow(
      'the rule no-red has no invalid case',
    );
    const slip = defineRule({ ...noRed, check: (_, { report }) => report({ messageId: 'blue' }) });
    expect(
      await outcomes((tester) =>
        tester.run(slip, { valid: [], invalid: [{ yaml: alarms('Red'), messages: ['red'] }] }),
      ),
    ).toEqual(['not ok no-red: refuses case 1: it has no message "blue", only red']);
  });

  it('fails a valid case in which the rule throws', async () => {
    const broken = defineRule({
      ...noRed,
      check: () => {
        throw new Error('broken');
      },
    });
    const cases = {
      valid: [alarms('Teal')],
      invalid: [{ yaml: alarms('Red'), messages: ['red'] }],
    };
    expect(await outcomes((tester) => tester.run(broken, cases))).toEqual([
      expect.stringContaining('not ok no-red: accepts case 1:'),
      expect.stringContaining('not ok no-red: refuses case 1:'),
    ]);
  });

  it('refuses cases that would test nothing', async () => {
    const invalid = [{ resources: [storage('old', false)], messages: ['http'] }];
    expect(
      await outcomes((tester) => tester.run(plainHttp, { valid: ['groups: {}'], invalid })),
    ).toEqual([
      'not ok storage-over-https: accepts case 1: the rule storage-over-https is about resources: give it resources',
      'ok storage-over-https: refuses case 1',
    ]);
    const withOutput = invalid.map((each) => ({ ...each, output: 'groups: {}' }));
    expect(
      await outcomes((tester) => tester.run(plainHttp, { valid: [], invalid: withOutput })),
    ).toEqual([
      'not ok storage-over-https: refuses case 1: output is checked for yaml only: resources have no fixes',
    ]);
    expect(
      await outcomes((tester) =>
        tester.run(noRed, { valid: [], invalid: [{ yaml: alarms('Teal'), messages: [] }] }),
      ),
    ).toEqual(['not ok no-red: refuses case 1: an invalid case needs a message of the rule']);
  });

  it('takes version and stack where they are given, and keys in any order', async () => {
    const yamls = ['version: 1\n', 'stack: mine\n', 'stack: mine\nversion: 1\n', ''].map(
      (header) => ({ yaml: header + alarms('Red'), line: header.split('\n').length }),
    );
    const invalid = yamls.map(({ yaml, line }) => ({
      yaml,
      messages: [{ line, messageId: 'red' }],
    }));
    expect(await outcomes((tester) => tester.run(noRed, { valid: [], invalid }))).toEqual(
      yamls.map((_, index) => `ok no-red: refuses case ${index + 1}`),
    );
  });

  it('takes an empty module for the root module', async () => {
    const address = 'azurerm_storage_account.old';
    const invalid = [
      {
        resources: [{ ...storage('old', false), module: '' }],
        messages: [{ messageId: 'http', address }],
      },
    ];
    expect(await outcomes((tester) => tester.run(plainHttp, { valid: [], invalid }))).toEqual([
      'ok storage-over-https: refuses case 1',
    ]);
  });
});
