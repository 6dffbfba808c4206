import { execFile } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import packageJson from '../../package.json';
import { packedCastellan } from '../support/installed-package.js';

const run = promisify(execFile);

/** A folder with the package managers and jest with swc: `npm run test:long` installs them. */
const tools = process.env['CASTELLAN_PACKAGE_MANAGERS'] ?? '';

const program = `const { App, CastellanStack, SecurityGroup } = require('castellan');
const app = new App();
const stack = new CastellanStack(app, 'shop', {});
new SecurityGroup(stack, 'admins', { displayName: 'Admins', description: 'Who may change it' });
app.synth();
const { resource } = require(process.cwd() + '/cdktf.out/stacks/shop/cdk.tf.json');
console.log(Object.keys(resource).join());
`;

const jestTest = `import 'castellan/testing/jest';
import { App, CastellanStack, SecurityGroup } from 'castellan';
test('a stack', () => {
  const stack = new CastellanStack(new App(), 'shop', {});
  new SecurityGroup(stack, 'admins', { displayName: 'Admins', owners: ['22222222-1111-4222-8333-444455556666'] });
  expect(stack).toHaveFinding('group-two-owners', { at: 'shop.test.ts:5' });
  expect(stack).toHaveGroup({ displayName: 'Admins' });
});
`;

/**
 * A project that depends on the tarball, and on its peers where the manager adds none by itself.
 */
async function projectFor(manager: string, namesPeers: boolean): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), `castellan-${manager}-`));
  const dependencies = {
    castellan: `file:${await packedCastellan()}`,
    ...(namesPeers && packageJson.peerDependencies),
  };
  const files = {
    'package.json': JSON.stringify({ name: 'shop', version: '1.0.0', private: true, dependencies }),
    'main.js': program,
    'castellan.yaml': 'version: 1\nstack: shop\nworkspaces:\n  space: { displayName: Space }\n',
    '.yarnrc.yml':
      'nodeLinker: pnp\nenableTelemetry: false\nenableScripts: false\nenableGlobalCache: false\n',
    'yarn.lock': '',
  };
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

const node = process.execPath;
const inTools = (path: string): string => join(tools, 'node_modules', path);
const yarn4 = [node, inTools('@yarnpkg/cli-dist/bin/yarn.js')];

/** How each manager installs, and how it runs a program and a command of a package. */
const managers = [
  {
    name: 'yarn 1',
    // on Node 20 a dependency of fastify says that it needs Node 22
    install: [node, inTools('yarn/bin/yarn.js'), 'install', '--ignore-scripts', '--ignore-engines'],
    program: [node],
    command: ['node_modules/.bin/castellan'],
    namesPeers: true,
  },
  {
    name: 'yarn 4 with PnP',
    install: [...yarn4, 'install', '--no-immutable'],
    program: [...yarn4, 'node'],
    command: [...yarn4, 'castellan'],
    namesPeers: true,
  },
  {
    name: 'pnpm',
    install: [node, inTools('pnpm/bin/pnpm.cjs'), 'install', '--no-frozen-lockfile'],
    program: [node],
    command: ['node_modules/.bin/castellan'],
    namesPeers: false,
  },
  {
    name: 'bun',
    install: [inTools('.bin/bun'), 'install', '--ignore-scripts'],
    program: [node],
    command: ['node_modules/.bin/castellan'],
    namesPeers: false,
  },
];

describe.skipIf(tools === '')('the packed package, installed by other package managers', () => {
  test.each(managers)(
    '$name: a program synthesizes, and the command checks',
    async (manager) => {
      const folder = await projectFor(manager.name.replaceAll(' ', '-'), manager.namesPeers);
      const runInFolder = async ([command = '', ...args]: readonly string[]): Promise<string> =>
        (await run(command, [...args], { cwd: folder, maxBuffer: 1 << 26 })).stdout;
      await runInFolder(manager.install);
      expect(await runInFolder([...manager.program, 'main.js'])).toBe('azuread_group\n');
      expect(await runInFolder([...manager.command, 'check'])).toContain('0 errors');
    },
    600_000,
  );

  test('its matchers run in jest with swc', async () => {
    const folder = await projectFor('jest', true);
    await run('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund'], {
      cwd: folder,
      maxBuffer: 1 << 26,
    });
    writeFileSync(join(folder, 'shop.test.ts'), jestTest);
    const options = { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' } };
    const transform = { '\\.ts$': [inTools('@swc/jest/index.js'), options] };
    const config = JSON.stringify({ rootDir: folder, transform });
    const { stderr } = await run(node, [inTools('jest/bin/jest.js'), '--config', config], {
      cwd: folder,
    });
    expect(stderr).toContain('1 passed');
  }, 600_000);
});
