import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runCheck } from '../../../policies/check/run-check.js';
import { sarifReport } from '../../../policies/reporters/sarif.js';
import { textReport } from '../../../policies/reporters/text.js';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'castellan-places-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const writeInput = (file: string, value: unknown): void => {
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), typeof value === 'string' ? value : JSON.stringify(value));
};
const group = (name: string, address = `azuread_group.${name}`, after: object | null = {}) => ({
  address,
  mode: 'managed',
  type: 'azuread_group',
  name,
  change: {
    actions: [after === null ? 'delete' : 'create'],
    before: after === null ? {} : null,
    after: after && {
      display_name: name,
      mail_nickname: 'bad nick',
      security_enabled: true,
      mail_enabled: false,
      types: [],
      ...after,
    },
    after_unknown: {},
  },
});
const writePlan = (file: string, ...changes: readonly object[]): void =>
  writeInput(file, { format_version: '1.2', resource_changes: changes });
const manifest = (files: readonly string[], ...names: readonly string[]) => ({
  version: 1,
  stack: 'shop',
  files,
  declarations: Object.fromEntries(
    names.map((name, index) => [
      `groups/${name}`,
      { place: [0, 4 + index, 3], values: { mailNickname: [0, 4 + index, 31, 4 + index, 39] } },
    ]),
  ),
  resources: Object.fromEntries(
    names.map((name) => [
      `azuread_group.${name}`,
      { declaration: `groups/${name}`, construct: `shop/groups/${name}` },
    ]),
  ),
});
const check = async (options: object = {}) =>
  runCheck({ paths: [], cwd: folder, env: {}, plan: 'plan.json', ...options });
const nicknameFindings = async (options: object = {}) => {
  const { findings, notes } = await check(options);
  const nicknames = findings.filter(({ ruleId }) => ruleId === 'group-mail-nickname');
  return {
    places: nicknames.map(
      ({ location }) => location && `${location.file}:${location.line}:${location.column}`,
    ),
    notes,
    nicknames,
  };
};

describe('finding the source of a plan', () => {
  it.each([
    [
      'beside the plan',
      'out/castellan.manifest.json',
      ['../src/castellan.yaml'],
      { plan: 'out/plan.json' },
    ],
    ['in this folder', 'castellan.manifest.json', ['src/castellan.yaml'], {}],
    [
      'among the synthesized stacks',
      'cdktf.out/stacks/shop/castellan.manifest.json',
      ['../../../src/castellan.yaml'],
      {},
    ],
    [
      'where CDKTF_OUTDIR says',
      'other/stacks/shop/castellan.manifest.json',
      ['../../../src/castellan.yaml'],
      { env: { CDKTF_OUTDIR: 'other' } },
    ],
    ['where it is named', 'm.json', ['src/castellan.yaml'], { manifest: 'm.json' }],
  ])('finds the manifest %s', async (_case, file, files, options) => {
    writeInput(file, manifest(files, 'shoppers'));
    writePlan('plan' in options ? options.plan : 'plan.json', group('shoppers'));
    const { places, notes, nicknames } = await nicknameFindings(options);
    expect(places).toEqual(['src/castellan.yaml:4:31']);
    expect(nicknames[0]).toMatchObject({
      constructPath: 'shop/groups/shoppers',
      terraformAddress: 'azuread_group.shoppers',
    });
    expect(notes).toEqual([]);
  });

  it('shows the lines of a source that only the manifest names', async () => {
    writeInput(
      'castellan.yaml',
      'version: 1\nstack: shop\ngroups:\n  shoppers: { mailNickname:   bad nick }\n',
    );
    writeInput('castellan.manifest.json', manifest(['castellan.yaml'], 'shoppers'));
    writePlan('plan.json', group('shoppers'));
    const report = await check();
    expect(textReport(report)).toContain('> 4 |   shoppers: { mailNickname:   bad nick }');
    expect(report.summary.files).toBe(0);
  });

  it('locates one of several instances by its block, and ignores deleted resources and those in modules', async () => {
    writeInput('castellan.manifest.json', manifest(['a.yaml'], 'shoppers'));
    writePlan(
      'plan.json',
      group('shoppers', 'azuread_group.shoppers["a.b[\\"]"]'),
      group('old', 'azuread_group.old', null),
      group('other', 'module.m.azuread_group.other'),
    );
    expect((await nicknameFindings()).places.toSorted()).toEqual(['a.yaml:4:31', undefined]);
  });

  it('picks the manifest of the stack that has all resources of the plan', async () => {
    writeInput('cdktf.out/stacks/a/castellan.manifest.json', manifest(['a.yaml'], 'shoppers'));
    writeInput(
      'cdktf.out/stacks/b/castellan.manifest.json',
      manifest(['b.yaml'], 'shoppers', 'sellers'),
    );
    writePlan('plan.json', group('shoppers'), group('sellers'));
    expect(
      (await nicknameFindings()).places.every((place) =>
        place?.startsWith('cdktf.out/stacks/b/b.yaml:'),
      ),
    ).toBe(true);
  });

  it('takes the stack of the manifest if two stacks declare the same name', async () => {
    const stack = (name: string) =>
      `version: 1\nstack: ${name}\ngroups:\n  shoppers: { kind: unified, displayName: S, mailNickname: ${name} }\n`;
    writeInput('castellan.yaml', `${stack('one')}---\n${stack('shop')}`);
    writeInput('castellan.manifest.json', manifest(['castellan.yaml'], 'shoppers'));
    writePlan('plan.json', group('shoppers', undefined, { types: ['Unified'] }));
    const { places, nicknames } = await nicknameFindings({ paths: ['castellan.yaml'] });
    expect(places).toEqual(['castellan.yaml:9:60']);
    expect(nicknames[0]?.stack).toBe('shop');
  });

  it('says why findings have no place', async () => {
    writePlan('plan.json', group('shoppers'));
    expect((await nicknameFindings()).notes).toEqual([]); // the plan may be of anyone
    writeInput('cdktf.json', {});
    expect((await nicknameFindings()).notes).toEqual([
      expect.stringMatching(
        /^\d+ findings? of plan.json without a place in the source: there is no castellan.manifest.json/,
      ),
    ]);
    writeInput('castellan.manifest.json', manifest(['a.yaml'], 'sellers'));
    expect(await nicknameFindings()).toMatchObject({
      places: [undefined],
      notes: [
        expect.stringMatching(
          /castellan.manifest.json is of another synthesis: azuread_group.shoppers of the plan is not in it$/,
        ),
      ],
    });
    await expect(nicknameFindings({ manifest: 'castellan.manifest.json' })).rejects.toMatchObject({
      code: 'CAS7103',
    });
  });

  it.each([
    ['is not there', undefined, /does not exist/],
    ['ends too early', '{', /it ends in the middle of its JSON/],
    ['is no JSON', '{"version": 1,\n "files": [x]}', /'x', line 2, column 12/],
    ['is something else', '{"version":2}', /not what castellan synth writes/],
    [
      'holds something else',
      '{"version":1,"files":[],"declarations":{"a":1},"resources":{}}',
      /not what castellan synth writes/,
    ],
  ])('refuses a named manifest that %s, and ignores a found one', async (_case, text, message) => {
    writePlan('plan.json', group('shoppers'));
    if (text !== undefined) writeInput('castellan.manifest.json', text);
    await expect(check({ manifest: 'castellan.manifest.json' })).rejects.toMatchObject({
      code: 'CAS7103',
      message: expect.stringMatching(message),
    });
    expect((await nicknameFindings()).places).toEqual([undefined]);
  });

  it('locates every result of SARIF: in the source, otherwise in the plan, otherwise by its name', async () => {
    const places = async (options: object = {}) => {
      const log = JSON.parse(sarifReport(await check(options))) as {
        runs: [{ results: { locations: object[] }[] }];
      };
      return log.runs[0].results.map(({ locations: [location] }) => location);
    };
    writePlan('plan.json', group('shoppers'));
    for (const place of await places())
      expect(place).toMatchObject({
        physicalLocation: { artifactLocation: { uri: 'plan.json' }, region: { startLine: 1 } },
      });
    writeInput('castellan.manifest.json', manifest(['castellan.yaml'], 'shoppers'));
    for (const place of await places())
      expect(place).toMatchObject({
        physicalLocation: { artifactLocation: { uri: 'castellan.yaml' } },
      });
  });
});
