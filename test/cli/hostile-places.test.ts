import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { publicAppYaml, PullRequest } from '../support/pull-request.js';
import { runCli } from '../support/run-cli.js';

// Each pull request puts a configuration where a search of folders does not look for one, and could
// deploy it from there.

let request: PullRequest;
beforeEach(() => (request = new PullRequest()));
afterEach(() => request.remove());

const other = publicAppYaml
  .replace('version: 1', 'version: 1\nstack: other')
  .replace('app:', 'web:');

it.each([
  ['a folder of built files', 'dist/castellan.yaml'],
  ['a folder of synthesized files', 'cdktf.out/castellan.json'],
  ['a folder whose name begins with a dot', '.deploy/castellan.yml'],
  ['installed packages', 'node_modules/shop/castellan.yaml'],
  ['a very deep folder', `${'a/'.repeat(23)}castellan.yaml`],
])('finds a configuration in %s', async (_name, file) => {
  request.put(file, file.endsWith('json') ? JSON.stringify({ version: 1, stack: 4 }) : other);
  request.commit();
  expect(await request.check()).toMatchObject({
    exitCode: 1,
    findings: file.endsWith('json') ? ['property-type'] : ['auth-public-app'],
  });
});

it('finds one that is ignored and tracked, from a folder of the repository, too', async () => {
  request.put('shop/.gitignore', 'hidden\n*\n');
  request.put('shop/.hidden/castellan.yaml', other);
  request.commit();
  const seen = await request.check(join(request.folder, 'shop'));
  expect(seen).toMatchObject({ exitCode: 1, findings: ['auth-public-app'] });
});

it('finds one behind a link', async () => {
  request.put('.hidden/castellan.yaml', other);
  mkdirSync(join(request.folder, 'apps'));
  symlinkSync('../.hidden', join(request.folder, 'apps/web'));
  request.commit();
  expect(await request.check()).toMatchObject({ exitCode: 1, findings: ['auth-public-app'] });
});

it('finds what a file opens that one in such a folder includes', async () => {
  request.put('.deploy/castellan.yaml', 'version: 1\nstack: other\ninclude: [../apps.yaml]\n');
  request.put('apps.yaml', 'containerApps: { web: { image: "example.com/a:1" } }\n');
  request.merge();
  request.edit('apps.yaml', ':1"', ':1", targetPort: 80, ingress: { external: true }');
  request.commit();
  expect(await request.check()).toMatchObject({ exitCode: 1, findings: ['auth-public-app'] });
});

it('passes over generated files, and says so under --verbose', async () => {
  request.put('.gitignore', 'dist\n');
  request.commit();
  request.put('dist/castellan.yaml', other);
  expect(await request.check()).toMatchObject({ exitCode: 0, findings: [] });
  const { stderr } = await runCli(['check', '--verbose'], { cwd: request.folder });
  expect(stderr).toContain('castellan: did not search dist for configurations; name it to do so\n');
  expect(stderr).not.toContain('search .git');
});

it('sees in access who gets into an app that is declared there', async () => {
  request.put('.deploy/castellan.yaml', other);
  request.put(
    'castellan.seed.yaml',
    'users: [{ userPrincipalName: a@contoso.example, displayName: A }]\n',
  );
  request.commit();
  const { stdout } = await runCli(['access', '--base', 'main'], { cwd: request.folder });
  expect(stdout).toContain('.deploy/castellan.yaml:3:18: warning: web is open to everyone now');
});
