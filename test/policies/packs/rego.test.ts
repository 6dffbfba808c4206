import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { runCheck } from '../../../policies/check/run-check.js';

const fixtures = join(__dirname, 'fixtures');
const example = join(__dirname, '../../../examples/own-rules/rego');
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'castellan-rego-'));
  write(
    'castellan.yaml',
    'version: 1\nstack: shop\ngroups:\n  alarms: { kind: unified, displayName: Alarms, theme: Red }\n',
  );
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (name: string, content: string | Buffer): void =>
  writeFileSync(join(folder, name), content);
const copyFixture = (file: string, from = fixtures): void =>
  copyFileSync(join(from, file), join(folder, file));

async function check(
  pack: object,
  options?: object,
  now = new Date('2026-11-01T00:00:00Z'),
): Promise<readonly string[]> {
  const id = 'policy';
  const rules = {
    'group-two-owners': 'off',
    'auth-public-app': 'off',
    ...(options !== undefined && { [id]: { options } }),
  };
  write('castellan.policy.yaml', JSON.stringify({ version: 1, rules, packs: [{ id, ...pack }] }));
  const { findings } = await runCheck({ paths: ['.'], cwd: folder, env: {}, now });
  return findings.map(
    ({ ruleId, message, location, severity }) =>
      `${location?.line ?? '-'} ${severity} ${ruleId}: ${message}`,
  );
}

/** A tar archive as `opa build` writes it: names with a leading slash. */
function bundle(files: Readonly<Record<string, Buffer>>): Buffer {
  const blocks = Object.entries(files).flatMap(([name, content]) => {
    const header = Buffer.alloc(512);
    header.write(`/${name}`, 0);
    header.write(content.length.toString(8).padStart(11, '0'), 124);
    return [header, content, Buffer.alloc((512 - (content.length % 512)) % 512)];
  });
  return gzipSync(Buffer.concat([...blocks, Buffer.alloc(1024)]));
}

const app = (tags: string): string =>
  `version: 1\nstack: shop\ncontainerApps:\n  shop:\n    image: ghcr.io/contoso/shop:1.0.0\n    targetPort: 80\n    ingress:\n      external: true\n    tags:\n      ${tags}\n`;

describe('Rego compiled to WebAssembly', () => {
  it('judges declarations at their lines and the stack, with data, options, the time, and text as Rego formats it', async () => {
    copyFixture('policy.wasm', example);
    copyFixture('data.json', example);
    write('castellan.yaml', app('team: chekout'));
    const pack = { file: 'policy.wasm', data: 'data.json', severity: 'warning' };
    expect(await check(pack, { most: 0 })).toEqual([
      '1 warning policy: 1 apps are reached from outside; at most 0 may be',
      '10 warning policy: there is no team "chekout"; there are checkout, catalogue',
    ]);
    write('castellan.yaml', app('cost: low'));
    expect(await check(pack)).toEqual([
      '8 warning policy: the app "shop" is reached from outside and has no tag team',
    ]);
    write('castellan.yaml', app('{ team: checkout, until: "2026-10-31" }'));
    expect(await check(pack)).toEqual([
      '10 warning policy: the app was to be public until 2026-10-31',
    ]);
    expect(await check(pack, undefined, new Date('2026-10-30T00:00:00Z'))).toEqual([]);
  });

  it('is read from the bundle that opa writes, with its data', async () => {
    const wasm = readFileSync(join(example, 'policy.wasm'));
    write(
      'bundle.tar.gz',
      bundle({
        'data.json': readFileSync(join(example, 'data.json')),
        '.manifest': Buffer.from('{}'),
        'policy.wasm': wasm,
      }),
    );
    write('castellan.yaml', app('team: catalogue'));
    expect(await check({ file: 'bundle.tar.gz' })).toEqual([]);
    write('castellan.yaml', app('team: other'));
    expect(await check({ file: 'bundle.tar.gz' })).toEqual([
      '10 error policy: there is no team "other"; there are checkout, catalogue',
    ]);
  });

  it('may have an entry point of another name; its results about undeclared names are kept', async () => {
    copyFixture('violations.wasm');
    write(
      'castellan.yaml',
      'version: 1\nstack: shop\ngroups:\n  alarms: { kind: unified, displayName: "${env:NAME}", theme: Red }\n',
    );
    expect(await check({ file: 'violations.wasm' })).toEqual(
      expect.arrayContaining([
        '4 error policy: the group is red',
        '1 error policy: who is this? (groups.nobody)',
        '1 error policy: an unknown value at ["displayName"]',
      ]),
    );
  });

  it('runs on a stack without declarations', async () => {
    copyFixture('violations.wasm');
    write('castellan.yaml', 'version: 1\nstack: shop\n');
    expect(await check({ file: 'violations.wasm' })).toEqual([
      '1 error policy: who is this? (groups.nobody)',
    ]);
  });

  it.each([
    ['endless', 'the rules did not finish within 0.7 s'],
    ['hungry', 'the rule policy failed: opa_malloc: failed'],
    [
      'wrong',
      'the rule policy failed: a result is a text, { msg, section, name, path } or { msg, address, path }, not {"message":"this is no denial"}',
    ],
  ])('cannot stop the check when it is %s', async (how, reason) => {
    copyFixture('misbehaves.wasm');
    const timeLimitSeconds = how === 'endless' ? 0.7 : 30;
    expect(await check({ file: 'misbehaves.wasm', timeLimitSeconds }, { how })).toEqual([
      `1 error pack-failed: misbehaves.wasm: ${reason}`,
    ]);
  });

  it.each([
    [
      'a policy that sends requests',
      { file: 'calls-out.wasm' },
      "the policy calls http.send, which rules can't",
    ],
    [
      'a broken module',
      { file: 'broken.wasm' },
      'it is no policy that opa build -t wasm -e castellan/deny has written: WebAssembly.instantiate()',
    ],
    [
      'a module of another kind',
      { file: 'other.wasm' },
      'it is no policy that opa build -t wasm -e castellan/deny has written',
    ],
    [
      'a broken bundle',
      { file: 'broken.tar.gz' },
      "the bundle can't be unpacked: incorrect header check",
    ],
    [
      'a bundle without a module',
      { file: 'empty.tar.gz' },
      'the bundle holds no policy.wasm: build it with opa build -t wasm',
    ],
    ['a cut bundle', { file: 'cut.tar.gz' }, 'the bundle is no whole tar archive'],
    ['data that are not JSON', { file: 'calls-out.wasm', data: 'broken.wasm' }, 'is not JSON'],
    [
      'a file whose name can be no id',
      { file: 'Cut.wasm', id: undefined },
      '"Cut" can\'t be the id of a rule',
    ],
    ['an id that castellan has', { file: 'calls-out.wasm', id: 'app-name' }, 'http.send'],
  ])('is refused with a reason: %s', async (_, pack, reason) => {
    copyFixture('calls-out.wasm');
    copyFileSync(join(fixtures, 'violations.wasm'), join(folder, 'Cut.wasm'));
    write('broken.wasm', 'this is no module');
    write('other.wasm', Buffer.from([0, 0x61, 0x73, 0x6d, 1, 0, 0, 0]));
    write('broken.tar.gz', 'this is no archive');
    write('empty.tar.gz', bundle({ 'data.json': Buffer.from('{}') }));
    write(
      'cut.tar.gz',
      gzipSync(
        Buffer.concat([
          Buffer.from('/policy.wasm'.padEnd(124, '\0') + '00000100000 '),
          Buffer.alloc(400),
        ]),
      ),
    );
    await expect(check(pack)).rejects.toMatchObject({
      code: 'CAS7003',
      message: expect.stringContaining(reason) as string,
    });
  });
});
