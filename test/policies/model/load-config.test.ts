import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadConfig } from '../../../policies/model/load-config.js';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'castellan-config-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (name: string, content: string | Buffer): void => {
  mkdirSync(join(folder, name, '..'), { recursive: true });
  writeFileSync(join(folder, name), content);
};
const load = (...paths: string[]) => loadConfig({ paths, cwd: folder });
const findingLines = async (...paths: string[]) =>
  (await load(...paths)).findings.map(
    ({ ruleId, message, location }) =>
      `${location?.file}:${location?.line}:${location?.column} ${ruleId} ${message}`,
  );

const base = 'version: 1\nstack: shop\n';

describe('loading configurations', () => {
  it('takes a folder for the castellan.yaml in it', async () => {
    write('shop/castellan.yaml', base);
    const { stacks, findings } = await load('shop');
    expect([stacks[0]?.config, stacks[0]?.files, findings]).toEqual([
      { version: 1, stack: 'shop' },
      ['shop/castellan.yaml'],
      [],
    ]);
  });

  it('takes a policy for the configuration beside it, not for the overlay of an environment', async () => {
    write('shop/castellan.yaml', base);
    write('shop/castellan.policy.yaml', 'version: 1\nrules: { group-theme: off }\n');
    const { stacks, findings } = await load('shop/castellan.policy.yaml', 'shop/castellan.yaml');
    expect([stacks.map(({ files }) => files), findings]).toEqual([[['shop/castellan.yaml']], []]);
  });

  it('reports what was found in place of a file: a folder of that name, or cyclic links', async () => {
    mkdirSync(join(folder, 'other.yaml'));
    symlinkSync('round.yaml', join(folder, 'round.yaml'));
    expect(await findingLines('other.yaml')).toEqual([
      'other.yaml:1:1 config-unreadable other.yaml is a folder, not a file',
    ]);
    expect(await findingLines('round.yaml')).toEqual([
      expect.stringMatching(/^round\.yaml:1:1 config-unreadable .*(link|ELOOP)/),
    ]);
  });

  it('applies the overlay of an environment: maps merge, lists replace, null removes', async () => {
    write(
      'castellan.yaml',
      `${base}groups:\n  a: { displayName: A, owners: [x, y], theme: Red }\n`,
    );
    write(
      'castellan.prod.yaml',
      'groups:\n  a: { owners: [z], theme: null }\n  b: { displayName: B }\n',
    );
    const { stacks } = await loadConfig({
      paths: ['castellan.yaml'],
      cwd: folder,
      environment: 'prod',
    });
    expect(stacks[0]?.config.groups).toEqual({
      a: { displayName: 'A', owners: ['z'] },
      b: { displayName: 'B' },
    });
    expect(stacks[0]?.locate(['groups', 'a', 'owners', 0])).toMatchObject({
      file: 'castellan.prod.yaml',
      line: 2,
      column: 17,
    });
    expect(stacks[0]?.locate(['groups', 'a', 'displayName'])).toMatchObject({
      file: 'castellan.yaml',
      line: 4,
      column: 21,
    });
    const loadedOverlay = await load('castellan.prod.yaml');
    expect(loadedOverlay.stacks[0]?.environment).toBe('prod');
  });

  it('says of an overlay that is a link where it leads nowhere', async () => {
    write('castellan.yaml', base);
    symlinkSync('nowhere', join(folder, 'castellan.prod.yaml'));
    const { findings } = await loadConfig({ paths: ['.'], cwd: folder, environment: 'prod' });
    expect(findings.map(({ message }) => message)).toEqual([
      'castellan.prod.yaml is a link to a file that does not exist',
    ]);
  });

  it('reports an overlay with another ending than its configuration, which nothing reads', async () => {
    write('castellan.yaml', base);
    write('castellan.prod.yml', 'groups: { a: { theme: Red } }\n');
    write('castellan.qa.yml', 'include: [people.yaml]\n');
    write(
      'castellan.gitlab-ci.yml',
      'include: [x]\ncastellan: { script: [npx castellan check] }\n',
    );
    write('castellan.report.json', '{ "version": 1 }\n');
    expect(await findingLines('.')).toEqual([
      'castellan.prod.yml:1:1 config-overlay castellan.prod.yml is not read: an overlay has the ending of its configuration, castellan.yaml; rename it to castellan.prod.yaml',
      'castellan.qa.yml:1:1 config-overlay castellan.qa.yml is not read: an overlay has the ending of its configuration, castellan.yaml; rename it to castellan.qa.yaml',
    ]);
    write('castellan.yml', base.replace('shop', 'other'));
    expect(await findingLines('.')).toEqual([]);
  });

  it('reports an overlay of a stack that its configuration has not, and an empty one once', async () => {
    write('castellan.yaml', base);
    write('castellan.prod.yaml', 'stack: shpo\n');
    write('castellan.qa.yaml', '');
    const inEnvironment = async (environment: string) =>
      (await loadConfig({ paths: ['.'], cwd: folder, environment })).findings.map(
        ({ ruleId, message, location }) =>
          `${location?.file}:${location?.line}:${location?.column} ${ruleId} ${message}`,
      );
    expect(await inEnvironment('prod')).toEqual([
      'castellan.prod.yaml:1:8 config-overlay castellan.yaml has no stack "shpo" that this overlay could change; its stack is shop',
    ]);
    expect(await inEnvironment('qa')).toEqual([
      'castellan.qa.yaml:1:1 config-empty there is nothing in this file: write what it is to declare, or delete it',
    ]);
    write('castellan.yaml', `${base}---\n${base.replace('shop', 'more')}`);
    write('castellan.prod.yaml', 'groups: {}\n');
    expect(await inEnvironment('prod')).toEqual([
      'castellan.prod.yaml:1:1 config-overlay stack is missing in this overlay: castellan.yaml has the stacks shop, more; write which it changes',
    ]);
  });

  it.each([
    ['.', '. is a folder: name files in it, as ./*.yaml'],
    [
      '**/*.yaml',
      'nothing is found at **/*.yaml to include: a path begins in the folder of this file, and * stands for names in one folder',
    ],
    [
      'https://x.example/a.yaml',
      'nothing is found at https://x.example/a.yaml to include: a path begins in the folder of this file, and * stands for names in one folder',
    ],
  ])('says at the entry why %s includes nothing', async (path, message) => {
    write('castellan.yaml', `${base}include: ["${path}"]\n`);
    expect(await findingLines('.')).toEqual([`castellan.yaml:3:11 config-include ${message}`]);
  });

  it('does not take an included file for an overlay', async () => {
    write('castellan.yaml', `${base}include: [castellan.prod.yml]\n`);
    write('castellan.prod.yml', 'groups: { a: { theme: Red } }\n');
    expect(await findingLines('.')).toEqual([]);
  });

  it('reports when no configuration has the overlay', async () => {
    write('castellan.yaml', base);
    const { findings } = await loadConfig({ paths: ['.'], cwd: folder, environment: 'prod' });
    expect(findings[0]?.message).toBe(
      'there is no environment "prod": castellan.prod.yaml does not exist; there are none',
    );
  });

  it('merges includes, with the location of everything', async () => {
    write('castellan.yaml', `${base}include: [groups/*.yaml]\n`);
    write('groups/one.yaml', 'groups:\n  one: { displayName: One }\n');
    write('groups/two.yaml', 'groups:\n  two: { displayName: Two }\n');
    const { stacks } = await load('.');
    expect(Object.keys(stacks[0]?.config.groups ?? {})).toEqual(['one', 'two']);
    expect(stacks[0]?.locate(['groups', 'two', 'displayName'])).toMatchObject({
      file: 'groups/two.yaml',
      line: 2,
    });
  });

  it.each(['hello\n', '- a\n'])('refuses to include a file that is no map: %j', async (text) => {
    write('castellan.yaml', `${base}include: [a.yaml]\n`);
    write('a.yaml', text);
    expect(await findingLines('.')).toEqual([
      'a.yaml:1:1 config-include an included file must be a map of sections, such as groups: and containerApps:',
    ]);
  });

  it('refuses includes that contradict each other, are cyclic, or do not exist', async () => {
    write('castellan.yaml', `${base}include: [a.yaml, b.yaml, castellan.yaml, none.yaml]\n`);
    write('a.yaml', 'groups: { x: { displayName: A } }\n');
    write('b.yaml', 'groups: { x: { displayName: B } }\n');
    expect(await findingLines('.')).toEqual([
      'castellan.yaml:3:27 config-include castellan.yaml includes itself: castellan.yaml -> castellan.yaml',
      'castellan.yaml:3:43 config-include nothing is found at none.yaml to include: a path begins in the folder of this file, and * stands for names in one folder',
      'b.yaml:1:11 config-include groups.x is declared in a.yaml already',
    ]);
  });

  const blob = (key: string): string =>
    `backend: { azurerm: { storageAccountName: states, containerName: states, key: "${key}" } }\n`;

  it.each([
    ['of one blob', blob('main.tfstate'), blob('main.tfstate'), 'azurerm.key'],
    [
      'of one workspace',
      'backend: { remote: { organization: o, workspaces: { name: w } } }\n',
      'backend: { remote: { organization: o, workspaces: { name: w } } }\n',
      'remote.workspaces.name',
    ],
    [
      'of one file',
      'backend: { local: { path: ../s.tfstate } }\n',
      'backend: { local: { path: ../other/../s.tfstate } }\n',
      'local.path',
    ],
  ])('refuses two stacks %s', async (_case, first, second, place) => {
    write('one/castellan.yaml', `version: 1\nstack: one\n${first}`);
    write('two/castellan.yaml', `version: 1\nstack: two\n${second}`);
    expect(await findingLines('.')).toEqual([
      expect.stringMatching(
        new RegExp(
          `^two/castellan.yaml:3:\\d+ config-backend the stacks one and two share the state ".*": write \\$\\{castellan.stack\\} into backend.${place}$`,
        ),
      ),
    ]);
  });

  it('accepts stacks with states of their own', async () => {
    const local = 'backend: { local: { path: s.tfstate } }\n';
    write('one/castellan.yaml', `version: 1\nstack: one\n${local}`);
    write('two/castellan.yaml', `version: 1\nstack: two\n${local}`);
    const ownBlob = blob('${castellan.stack}.tfstate');
    write(
      'three/castellan.yaml',
      `version: 1\nstack: three\n${ownBlob}---\nversion: 1\nstack: four\n${ownBlob}`,
    );
    expect(await findingLines('.')).toEqual([]);
  });

  it('reads several documents, each a stack, and refuses two of one name', async () => {
    write('castellan.yaml', `${base}---\nversion: 1\nstack: other\n---\nversion: 1\nstack: shop\n`);
    expect((await load('.')).stacks.map(({ config }) => config.stack)).toEqual([
      'shop',
      'other',
      'shop',
    ]);
    expect(await findingLines('.')).toEqual([
      'castellan.yaml:8:8 config-include the stack "shop" is declared in castellan.yaml already',
    ]);
  });

  it.each([
    [
      'an empty file',
      '',
      'castellan.yaml:1:1 config-empty there is nothing in this file: write what it is to declare, or delete it',
    ],
    [
      'bytes that are not UTF-8',
      Buffer.from([0x61, 0x3a, 0x20, 0x31, 0x0a, 0x62, 0x3a, 0xff]),
      'castellan.yaml:2:3 config-encoding byte 0xff is not UTF-8 here; save the file as UTF-8',
    ],
    [
      'UTF-16',
      Buffer.from([0xff, 0xfe, 0x61, 0]),
      'castellan.yaml:1:1 config-encoding castellan.yaml is in UTF-16; save it as UTF-8',
    ],
    [
      'a reference that is none',
      `${base}azure: { location: "\${STAGE}" }\n`,
      'castellan.yaml:3:20 config-reference ${STAGE} is no reference: write ${env:NAME} for a variable of the environment, ${castellan.environment} or ${castellan.stack} for a name, or $${ for the characters themselves',
    ],
  ])('says what is wrong with %s', async (_, content, expected) => {
    write('castellan.yaml', content);
    expect(await findingLines('castellan.yaml')).toEqual([expected]);
  });

  it.each([
    '"${castellan.stack}"',
    String.raw`"\x24{castellan.stack}"`,
    String.raw`"\u0024{castellan.stack}"`,
    '"$\\\n      {castellan.stack}"',
  ])('resolves an escaped reference: %j', async (text) => {
    write('castellan.yaml', `${base}azure:\n  resourceGroup: ${text}\n`);
    const { stacks } = await load('castellan.yaml');
    expect(stacks[0]?.config).toMatchObject({ azure: { resourceGroup: 'shop' } });
    write(
      'castellan.yaml',
      `${base}azure:\n  location: ${text.replace('castellan.stack', 'STAGE')}\n`,
    );
    expect(await findingLines('castellan.yaml')).toEqual([
      expect.stringContaining('config-reference ${STAGE} is no reference'),
    ]);
  });

  it('says what is wrong with a path that is no readable file', async () => {
    mkdirSync(join(folder, 'folder/castellan.yaml'), { recursive: true });
    write('large.yaml', '');
    truncateSync(join(folder, 'large.yaml'), 50 * 1024 * 1024);
    expect(await findingLines('folder', 'large.yaml', 'missing.yaml', '-')).toEqual([
      'missing.yaml:1:1 config-unreadable missing.yaml does not exist',
      '-:1:1 config-unreadable - does not exist: a configuration is read from a file, not from a pipe',
      'folder/castellan.yaml:1:1 config-unreadable folder/castellan.yaml is a folder, not a file',
      'large.yaml:1:1 config-too-large large.yaml has 50 MB; at most 20 MB are read',
    ]);
  });

  it.each([
    ['main.tf', 'resource "azuread_group" "g" {}', 'is code of Terraform'],
    ['main.tf.json', '{}', 'is code of Terraform'],
    ['plan.json', '{ "format_version": "1.2", "planned_values": {} }', 'give it by --plan'],
    ['state.json', '{ "format_version": "1.0", "values": {} }', 'give it by --state'],
    ['terraform.tfstate', '{ "version": 4, "lineage": "x" }', 'give it by --state'],
  ])('says how %s is checked', async (file, text, hint) => {
    write(file, text);
    expect(await findingLines(file)).toEqual([
      expect.stringMatching(`${file}:1:1 config-unreadable .*${hint}`),
    ]);
    expect((await load(file)).stacks).toEqual([]);
  });

  it('refuses an empty path, as that of an unset variable is', async () => {
    write('castellan.yaml', base);
    await expect(load('')).rejects.toMatchObject({
      code: 'CAS2010',
      message: expect.stringContaining('a path is empty') as string,
    });
  });

  it('reports missing permissions', async () => {
    write('castellan.yaml', base);
    const files = {
      ...(await import('../../../core/source/file-access.js')).diskFiles,
      read: () => {
        throw Object.assign(new Error('x'), { code: 'EACCES' });
      },
    };
    chmodSync(join(folder, 'castellan.yaml'), 0);
    const { findings } = await loadConfig({ paths: ['castellan.yaml'], cwd: folder, files });
    expect(findings[0]?.message).toBe("castellan.yaml can't be read: permission denied");
  });
});
