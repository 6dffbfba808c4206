import { renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import {
  projectFilesWithPack,
  publicAppYaml,
  PullRequest,
  signInYaml,
} from '../support/pull-request.js';
import { runCli } from '../support/run-cli.js';

// Pull requests that open an app by what YAML, files and accepted findings permit.

let request: PullRequest;
beforeEach(() => {
  request = new PullRequest();
});
afterEach(() => request.remove());

const ignoreComment = '# castellan-ignore auth-public-app reason=x owner=me until=2099-12-31';
const app = (name: string, settings = '', anchor = ''): string =>
  `  ${name}: ${anchor}\n    image: example.com/${name}:1\n    targetPort: 80\n    ingress: { external: true } ${settings}\n`;
const withSignIn = (name: string): string => `${app(name)}    ${signInYaml}\n`;
const stack = (...apps: readonly string[]): string =>
  `version: 1\nstack: shop\ncontainerApps:\n${apps.join('')}`;
const put = (text: string, file = 'shop/castellan.yaml') => request.put(file, text);

/** Makes what a text declares the main branch, all findings of it accepted. */
async function accept(text: string): Promise<void> {
  put(text);
  request.merge();
  await runCli(['baseline'], { cwd: request.folder, env: {} });
  request.merge();
}

const pullRequests: Readonly<Record<string, () => void | Promise<void>>> = {
  'repeats an accepted app by an alias': () => {
    put(stack(app('web-old', ignoreComment, '&old'), withSignIn('web')));
    request.merge();
    put(stack(app('web-old', ignoreComment, '&old'), '  web: *old\n'));
  },
  'merges an accepted app into another': () => {
    put(stack(app('web-old', ignoreComment, '&old'), withSignIn('web')));
    request.merge();
    put(stack(app('web-old', ignoreComment, '&old'), '  web: { <<: *old }\n'));
  },
  'says that an accepted app was moved to another': async () => {
    await accept(stack(app('web-old'), withSignIn('web')));
    put(`${stack(app('web'))}moved: [{ from: containerApps.web-old, to: containerApps.web }]\n`);
  },
  'uses the name of an accepted app in a second document': async () => {
    await accept(stack(app('web-old')));
    put(`${stack(app('web-old'))}---\n${stack(app('web-old')).replace('shop', 'other')}`);
  },
  'opens in production what is accepted in development': async () => {
    put('containerApps: { web: { auth: null } }\n', 'shop/castellan.dev.yaml');
    await accept(stack(withSignIn('web')));
    put('containerApps: { web: { auth: null } }\n', 'shop/castellan.prod.yaml');
  },
  'has git ignore the configuration': () => {
    put(stack(app('web')));
    put('shop/\n', '.gitignore');
  },
  'puts a configuration where nobody looks': () => {
    put(`stack: more\n${publicAppYaml}`, 'node_modules/web/castellan.yaml');
  },
  'links to a folder with a configuration': () => {
    put(`stack: more\n${publicAppYaml}`, '.more/castellan.yaml');
    symlinkSync('.more', join(request.folder, 'apps'));
  },
  'links to the text of another file': () => {
    put(stack(app('web')), 'docs/example.txt');
    renameSync(
      join(request.folder, 'shop/castellan.yaml'),
      join(request.folder, 'shop/former.txt'),
    );
    symlinkSync('../docs/example.txt', join(request.folder, 'shop/castellan.yaml'));
  },
};

describe('a hostile configuration', () => {
  it.each(Object.keys(pullRequests))('%s', async (name) => {
    await pullRequests[name]?.();
    request.commit();
    const { exitCode, findings } = await request.check();
    expect(findings.join()).toContain('auth-public-app');
    expect(exitCode).toBe(1);
  });

  it.each([
    ['a package that a pack imports', 'node_modules/names/index.js', 'exports.pattern = /./;\n'],
    [
      'the package castellan itself',
      'node_modules/castellan/policies.js',
      'exports.defineRule = (rule) => ({ ...rule, check() {} });\n',
    ],
  ])('brings %s', async (_name, file, text) => {
    put('exports.pattern = /^web/;\n', 'node_modules/names/index.js');
    put('{ "name": "names", "version": "1.0.0" }', 'node_modules/names/package.json');
    const { 'castellan.policy.yaml': policy = '', 'packs/tags.js': pack = '' } =
      projectFilesWithPack;
    put(policy, 'castellan.policy.yaml');
    put(pack.replace('./pattern.js', 'names'), 'packs/tags.js');
    request.merge();
    put(text, file);
    put(
      '{ "name": "castellan", "exports": { "./policies": "./policies.js" } }',
      'node_modules/castellan/package.json',
    );
    put(stack(withSignIn('evil')));
    request.commit();
    expect((await request.check()).findings).toContain('own-names');
  });
});
