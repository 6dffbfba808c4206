import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Finding } from '../../../core/findings/finding.js';
import { runCheck } from '../../../policies/check/run-check.js';
import { runCli } from '../../support/run-cli.js';

const root = join(__dirname, '../../..');
const guide = readFileSync(join(root, 'docs/guides/write-a-rule.md'), 'utf8');
const guideExamples = [...guide.matchAll(/```typescript\n([\s\S]*?)```/g)].map(
  ([, text = '']) => text,
);

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'castellan-resources-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));
const write = (name: string, content: string): void => {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), content);
};
const resource = (address: string, values: object, more: object = {}) => {
  const [type = '', name = ''] = address.replace(/^(module\.[^.]+\.)*/, '').split(/[.[]/);
  return {
    address,
    mode: 'managed',
    type,
    name,
    change: { actions: ['create'], before: null, after: values, after_unknown: {}, ...more },
  };
};

/** What a check of a plan with the pack finds. */
async function findingsOf(
  policy: object,
  resources: readonly object[],
  configuration: object = {},
): Promise<readonly Finding[]> {
  write('castellan.policy.yaml', JSON.stringify({ version: 1, ...policy }));
  write(
    'plan.json',
    JSON.stringify({
      format_version: '1.2',
      resource_changes: resources,
      configuration: { root_module: configuration },
    }),
  );
  return (
    await runCheck({
      paths: [],
      plan: 'plan.json',
      policy: 'castellan.policy.yaml',
      cwd: folder,
      env: {},
    })
  ).findings;
}

/** The findings as texts: `verdict rule address path`. */
async function findingTextsOf(...given: Parameters<typeof findingsOf>): Promise<readonly string[]> {
  return (await findingsOf(...given)).map(
    ({ verdict, ruleId, terraformAddress, path }) =>
      `${verdict} ${ruleId} ${terraformAddress ?? ''} ${(path ?? []).join('.')}`,
  );
}

describe('where a value comes from', () => {
  const pack = `const { defineResourceRule, defineRule } = require('castellan/policies');
const asked = [['a'], ['b'], ['c'], ['d'], ['e'], ['net', 0, 'way'], ['net'], ['gone']];
exports.sources = defineResourceRule({
  id: 'says-sources', title: 'Says it.', why: 'A test.', severity: 'info', source: 'us',
  resources: ['aws_thing'], messages: { says: '{list}' },
  check(resource, { source, report }) {
    report({ messageId: 'says', parameters: { list: asked.map((path) => path.join('.') + ' ' + source(path)).join(', ') } });
  },
});
exports.declared = defineRule({
  id: 'says-declared', title: 'Says it.', why: 'A test.', severity: 'info', source: 'us',
  sections: ['groups'], messages: { says: '{list}' },
  check(group, { source, report }) {
    report({ messageId: 'says', parameters: { list: ['kind', 'description', 'displayName'].map((key) => source([key])).join(', ') } });
  },
});
`;
  const values = { a: 1, b: 2, c: null, e: 'x', net: [{ way: 'in', other: true }] };

  it('is known for a resource of a plan: written, left out, or computed', async () => {
    write('sources.js', pack);
    const [said] = await findingsOf(
      { packs: [{ file: 'sources.js' }] },
      [resource('aws_thing.x', values, { after_unknown: { d: true } })],
      {
        resources: [
          {
            address: 'aws_thing.x',
            mode: 'managed',
            type: 'aws_thing',
            name: 'x',
            expressions: {
              a: { constant_value: 1 },
              e: { references: ['var.e'] },
              net: [{ way: { constant_value: 'in' } }],
            },
          },
        ],
      },
    );
    expect(said?.message).toBe(
      'a written, b default, c default, d unknown, e written, net.0.way written, net written, gone default',
    );
  });

  it('is known for a declaration that only a plan has, in a rule for its section', async () => {
    write('sources.js', pack);
    const values = {
      display_name: 'Shoppers',
      mail_nickname: 'shoppers',
      mail_enabled: false,
      security_enabled: true,
    };
    const found = await findingsOf({ packs: [{ file: 'sources.js' }] }, [
      resource('azuread_group.shoppers', values),
    ]);
    const said = found.filter(({ ruleId }) => ruleId.endsWith('says-declared'));
    expect(said.map(({ terraformAddress }) => terraformAddress)).toEqual([
      'azuread_group.shoppers',
    ]);
  });

  it('is unknown where the input does not say it, as in a state', async () => {
    write('sources.js', pack);
    const [said] = await findingsOf({ packs: [{ file: 'sources.js' }] }, [
      resource('aws_thing.x', values),
    ]);
    expect(said?.message).toMatch(/^a unknown, b unknown, /);
  });

  it('is known for a declaration', async () => {
    write('sources.js', pack);
    write('castellan.policy.yaml', 'version: 1\npacks: [{ file: sources.js }]\n');
    write(
      'castellan.yaml',
      'version: 1\nstack: s\ngroups: { g: { kind: security, displayName: "${env:NAME}" } }\n',
    );
    const { findings } = await runCheck({ paths: ['.'], cwd: folder, env: {} });
    expect(findings.find(({ ruleId }) => ruleId === 'says-declared')?.message).toBe(
      'written, default, written',
    );
  });
});

describe('rules about Terraform resources', () => {
  it('check storage accounts of any module by their values, and leave values known only later unknown', async () => {
    write('storage.ts', guideExamples[0] ?? '');
    const resources = [
      resource('azurerm_storage_account.old', { min_tls_version: 'TLS1_0' }),
      resource('module.shop.azurerm_storage_account.eu["a.b"]', { min_tls_version: 'TLS1_1' }),
      resource('azurerm_storage_account.fine', { min_tls_version: 'TLS1_2' }),
      resource('azurerm_storage_account.later', {}, { after_unknown: { min_tls_version: true } }),
      resource('azurerm_key_vault.other', { min_tls_version: 'TLS1_0' }),
    ];
    expect(await findingTextsOf({ packs: [{ file: 'storage.ts' }] }, resources)).toEqual([
      'fail storage-tls azurerm_storage_account.old azurerm_storage_account.old.min_tls_version',
      'fail storage-tls module.shop.azurerm_storage_account.eu["a.b"] module.shop.azurerm_storage_account.eu["a.b"].min_tls_version',
      'unknown storage-tls azurerm_storage_account.later azurerm_storage_account.later.min_tls_version',
    ]);
    const suppressions = [
      {
        rule: 'storage-tls',
        path: 'azurerm_storage_account.old',
        reason: 'It goes in May.',
        owner: 'shop',
        until: '2099-01-01',
      },
    ];
    expect(
      await findingTextsOf(
        { packs: [{ file: 'storage.ts' }], rules: { 'storage-tls': 'warning' }, suppressions },
        resources.slice(0, 2),
      ),
    ).toEqual([
      'fail storage-tls module.shop.azurerm_storage_account.eu["a.b"] module.shop.azurerm_storage_account.eu["a.b"].min_tls_version',
    ]);
  });

  it('check subnets by the resources that refer to them', async () => {
    write('subnets.ts', guideExamples[1] ?? '');
    const association = 'azurerm_subnet_network_security_group_association.a';
    const resources = [
      resource('azurerm_subnet.a', {}),
      resource('azurerm_subnet.bare', {}),
      resource(association, {}),
    ];
    const configuration = {
      resources: [
        {
          address: association,
          mode: 'managed',
          expressions: { subnet_id: { references: ['azurerm_subnet.a.id', 'azurerm_subnet.a'] } },
        },
      ],
    };
    expect(
      await findingTextsOf({ packs: [{ file: 'subnets.ts' }] }, resources, configuration),
    ).toEqual(['fail subnets-guarded azurerm_subnet.bare azurerm_subnet.bare']);
  });

  it('judge by a JSON Schema', async () => {
    write(
      'storage.schema.json',
      JSON.stringify({ title: 'Storage has a kind.', required: ['account_kind'] }),
    );
    const packs = [{ file: 'storage.schema.json', resources: ['azurerm_storage_account'] }];
    expect(
      await findingTextsOf({ packs }, [
        resource('azurerm_storage_account.a', {}),
        resource('azurerm_subnet.a', {}),
      ]),
    ).toEqual(['fail storage azurerm_storage_account.a azurerm_storage_account.a.account_kind']);
  });

  it('check by a JSON Schema, but not values known only after apply', async () => {
    const schema = {
      properties: { version: { const: '1.2' } },
      required: ['version'],
      anyOf: [{ required: ['version'] }, { required: ['other'] }],
    };
    write('storage.schema.json', JSON.stringify(schema));
    const packs = [{ file: 'storage.schema.json', resources: ['azurerm_storage_account'] }];
    const resources = [
      resource('azurerm_storage_account.later', {}, { after_unknown: { id: true, version: true } }),
      resource('azurerm_storage_account.old', { version: '1.0' }, { after_unknown: { id: true } }),
    ];
    expect(await findingTextsOf({ packs }, resources)).toEqual([
      'unknown storage azurerm_storage_account.later azurerm_storage_account.later.version',
      'fail storage azurerm_storage_account.old azurerm_storage_account.old.version',
    ]);
    const [{ message } = { message: '' }] = await findingsOf({ packs }, resources.slice(1));
    expect(message).toBe('version must be "1.2"');
  });

  it('are undecided by a JSON Schema that makes demands on values known only after apply', async () => {
    const schema = {
      properties: {
        version: { const: '1.2' },
        name: { type: 'string' },
        rules: { items: { properties: { port: { const: 443 } } } },
      },
      additionalProperties: { type: 'string' },
    };
    write('storage.schema.json', JSON.stringify(schema));
    const packs = [{ file: 'storage.schema.json', resources: ['azurerm_storage_account'] }];
    const unknown = { id: true, name: true, version: true, rules: [{ port: true }] };
    const later = resource(
      'azurerm_storage_account.later',
      { rules: [{}] },
      { after_unknown: unknown },
    );
    const address = 'unknown storage azurerm_storage_account.later azurerm_storage_account.later';
    expect(await findingTextsOf({ packs }, [later])).toEqual([
      `${address}.version`,
      `${address}.rules.0.port`,
    ]);
    write('storage.schema.json', JSON.stringify({ ...schema, additionalProperties: false }));
    expect(await findingTextsOf({ packs }, [later])).toHaveLength(2);
  });

  describe('judge by Rego', () => {
    const types = [
      'azurerm_storage_account',
      'azurerm_subnet',
      'azurerm_subnet_network_security_group_association',
      'test_values',
    ];
    /** What a policy compiled from resources.rego says of a plan. */
    const denialsOf = async (
      given: readonly object[],
      options: object = {},
      configuration = {},
    ): Promise<readonly string[]> => {
      copyFileSync(join(__dirname, 'fixtures/resources.wasm'), join(folder, 'resources.wasm'));
      const packs = [{ file: 'resources.wasm', resources: types }];
      const findings = await findingsOf(
        {
          packs,
          rules: { resources: { options: { versions: ['TLS1_2', 'TLS1_3'], ...options } } },
        },
        given,
        configuration,
      );
      return findings.map(({ message, path }) => `${(path ?? []).join('.')}: ${message}`).sort();
    };
    const account = (name: string, values: object, more?: object) =>
      resource(`azurerm_storage_account.${name}`, values, more);

    it('values, options, and what is known only after apply', async () => {
      const later = account('later', {}, { after_unknown: { min_tls_version: true } });
      const given = [
        account('new', { min_tls_version: 'TLS1_2' }),
        account('old["eu"]', { min_tls_version: 'TLS1_1' }),
        account('bare', {}),
        later,
      ];
      expect(await denialsOf(given)).toEqual([
        'azurerm_storage_account.bare.min_tls_version: azurerm_storage_account.bare takes TLS1_0',
        'azurerm_storage_account.old["eu"].min_tls_version: azurerm_storage_account.old["eu"] takes TLS1_1',
      ]);
      expect(await denialsOf(given, { versions: ['TLS1_0', 'TLS1_1', 'TLS1_2'] })).toEqual([]);
    });

    it('actions, modules, and what was there before', async () => {
      const gone = { actions: ['delete'], before: { tags: { team: 'shop' } }, after: null };
      const given = ['module.ours["a"].test_values.x', 'module.theirs.test_values.y'].map(
        (address) => resource(address, {}, gone),
      );
      expect((await denialsOf(given)).filter((each) => each.includes('goes'))).toEqual([
        'module.ours["a"].test_values.x: module.ours["a"].test_values.x goes, which was tagged {"team": "shop"}',
      ]);
    });

    it('references between resources', async () => {
      const association = 'azurerm_subnet_network_security_group_association.a';
      const configuration = {
        resources: [
          {
            address: association,
            expressions: { subnet_id: { references: ['azurerm_subnet.a.id', 'azurerm_subnet.a'] } },
          },
        ],
      };
      const given = [
        resource('azurerm_subnet.a', {}),
        resource('azurerm_subnet.bare', {}),
        resource(association, {}),
      ];
      expect(await denialsOf(given, {}, configuration)).toEqual([
        'azurerm_subnet.bare: azurerm_subnet.bare has no security group',
      ]);
    });

    it('values of every kind, as the plan has them', async () => {
      const values = {
        text: 'ü "q" \\ \u0000 𝄞',
        numbers: [0, -1.5, 1e21, 9007199254740991],
        nothing: null,
        flags: [true, false],
        deep: { '': [[], {}] },
      };
      expect(await denialsOf([resource('test_values.a', values)])).toEqual([]);
      expect(await denialsOf([resource('test_values.a', { ...values, nothing: 0 })])).toEqual([
        expect.stringContaining('the values are'),
      ]);
    });

    it('no types but those that the pack names, and many of them', async () => {
      const given = Array.from({ length: 3_000 }, (_, index) =>
        account(`a${index}`, { min_tls_version: 'TLS1_2' }),
      );
      expect(
        await denialsOf([...given, resource('azurerm_key_vault.a', {})], { count: true }),
      ).toEqual([': 3000 resources of azurerm_storage_account']);
    });
  });

  it('judge the resources of a state, too', async () => {
    write('storage.ts', guideExamples[0] ?? '');
    write('castellan.policy.yaml', JSON.stringify({ version: 1, packs: [{ file: 'storage.ts' }] }));
    const values = { id: '/subscriptions/s/a', min_tls_version: 'TLS1_0' };
    const resources = [
      {
        address: 'azurerm_storage_account.a',
        mode: 'managed',
        type: 'azurerm_storage_account',
        name: 'a',
        values,
      },
    ];
    write(
      'state.json',
      JSON.stringify({ format_version: '1.0', values: { root_module: { resources } } }),
    );
    const { findings } = await runCheck({
      paths: [],
      state: 'state.json',
      policy: 'castellan.policy.yaml',
      cwd: folder,
      env: {},
    });
    expect(
      findings.map(({ ruleId, terraformAddress }) => `${ruleId} ${terraformAddress ?? ''}`),
    ).toEqual(['storage-tls azurerm_storage_account.a']);
  });

  it('need both their types and their check', async () => {
    write(
      'half.js',
      "exports.rule = { id: 'half', title: 'Half.', why: '', severity: 'error', source: '', sections: [], messages: {}, resources: ['a'], check() {} };",
    );
    await expect(findingTextsOf({ packs: [{ file: 'half.js' }] }, [])).rejects.toThrow(
      'the rule half needs both resources',
    );
  });
});

describe('examples/packs', () => {
  it('tries its two packs', async () => {
    const test = await runCli(['test'], { cwd: join(root, 'examples/packs') });
    expect([test.exitCode, test.stdout, test.stderr]).toEqual([
      0,
      expect.stringContaining('1 file, 9 passed, 0 failed'),
      expect.anything(),
    ]);
  });
});
