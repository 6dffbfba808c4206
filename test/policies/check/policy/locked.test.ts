import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runCheck } from '../../../../policies/check/run-check.js';

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'castellan-locked-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const now = new Date('2026-11-01T12:00:00Z');
const put = (name: string, content: string): void => {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), content);
};
const app = (comment = '') =>
  `version: 1\nstack: shop\ncontainerApps:\n  web:\n    image: example.com/web:1\n    targetPort: 80\n    ingress: { external: true } ${comment}\n`;
const findingLines = async (cwd = folder, paths = ['.']) => {
  const { findings, policyFile } = await runCheck({ paths, recursive: true, cwd, env: {}, now });
  const lines = findings
    .filter(({ severity }) => severity !== 'info')
    .map(
      ({ ruleId, messageId, location }) =>
        `${location?.file}:${location?.line} ${ruleId} ${messageId}`,
    );
  return { lines, policyFile };
};
const ignore = (until: string) =>
  `# castellan-ignore auth-public-app reason=x owner=me until=${until}`;

describe('a locked rule', () => {
  it('cannot be switched off by the policy that includes its own, by a scope or a comment', async () => {
    put('shared/company.yaml', 'version: 1\nlocked: [auth-public-app]\n');
    put(
      'castellan.policy.yaml',
      'version: 1\ninclude: [shared/company.yaml]\nrules:\n  auth-public-app: off\nscopes:\n  - rules: { auth-public-app: off }\n',
    );
    put('castellan.yaml', app(ignore('2026-12-01')));
    expect((await findingLines()).lines).toEqual([
      'castellan.policy.yaml:4 policy-rule locked',
      'castellan.policy.yaml:6 policy-rule locked',
      'castellan.yaml:7 auth-public-app none',
      'castellan.yaml:7 suppression-incomplete locked',
    ]);
  });

  it('has the setting of the policy that locks it', async () => {
    put('a.yaml', 'version: 1\nlocked: [auth-public-app]\nrules: { auth-public-app: off }\n');
    put('castellan.policy.yaml', 'version: 1\ninclude: [a.yaml]\n');
    put('castellan.yaml', app());
    expect((await findingLines()).lines).toEqual([]);
  });

  it('cannot be set by a policy that is included beside the one that locks it', async () => {
    put('company.yaml', 'version: 1\nlocked: [auth-public-app]\n');
    put('ours.yaml', 'version: 1\nrules: { auth-public-app: off }\n');
    put('castellan.policy.yaml', 'version: 1\ninclude: [ours.yaml, company.yaml]\n');
    put('castellan.yaml', app());
    const lines = ['castellan.yaml:7 auth-public-app none', 'ours.yaml:2 policy-rule locked'];
    expect((await findingLines()).lines).toEqual(lines);
    // neither by one that locks it, too
    put('ours.yaml', 'version: 1\nrules: { auth-public-app: off }\nlocked: [auth-public-app]\n');
    expect((await findingLines()).lines).toEqual(lines);
  });

  it('has the setting of a policy that the one that locks it includes', async () => {
    put('defaults.yaml', 'version: 1\nrules: { auth-public-app: off }\n');
    put('a.yaml', 'version: 1\ninclude: [defaults.yaml]\nlocked: [auth-public-app]\n');
    put('castellan.policy.yaml', 'version: 1\ninclude: [a.yaml]\n');
    put('castellan.yaml', app());
    expect((await findingLines()).lines).toEqual([]);
  });
});

describe('a policy that two others include', () => {
  it('applies once, before both', async () => {
    put(
      'base.yaml',
      'version: 1\npacks: [{ file: rule.js }]\nsuppressions:\n  - { rule: auth-public-app, path: containerApps.web, reason: x, owner: me, until: 2026-12-01 }\n',
    );
    put(
      'rule.js',
      "exports.r = { id: 'no-web', title: 't', why: 'w', severity: 'error', source: 's', sections: ['containerApps'], messages: { m: 'm' }, check(_, { report }) { report({ messageId: 'm' }); } };",
    );
    put('a.yaml', 'version: 1\ninclude: [base.yaml]\nrules: { no-web: warning }\n');
    put('b.yaml', 'version: 1\ninclude: [./base.yaml]\n');
    put('castellan.policy.yaml', 'version: 1\ninclude: [a.yaml, b.yaml]\n');
    put('castellan.yaml', app());
    expect((await findingLines()).lines).toEqual(['castellan.yaml:5 no-web m']);
  });
});

describe('the limits of suppressions', () => {
  it('refuse one that runs for longer, or has no end', async () => {
    put('castellan.policy.yaml', 'version: 1\nsuppressionLimits: { longest: 30d }\n');
    put('castellan.yaml', app(ignore('2026-12-01')));
    expect((await findingLines()).lines).toEqual([]);
    put('castellan.yaml', app(ignore('2026-12-02')));
    expect((await findingLines()).lines).toEqual([
      'castellan.yaml:7 auth-public-app none',
      'castellan.yaml:7 suppression-incomplete tooLong',
    ]);
    put('castellan.yaml', app('# castellan-ignore auth-public-app reason=x owner=me'));
    expect((await findingLines()).lines).toContain('castellan.yaml:7 auth-public-app none');
  });

  it('accept only owners that all policies name', async () => {
    const limits = (owner: string) =>
      `version: 1\nsuppressionLimits: { approvedBy: ['@a/security', '${owner}'] }\n`;
    put('ours.yaml', limits('@a/everyone'));
    put('company.yaml', limits('@a/lawyers'));
    put('castellan.policy.yaml', 'version: 1\ninclude: [ours.yaml, company.yaml]\n');
    put('castellan.yaml', app(ignore('2026-12-01')));
    put('CODEOWNERS', '* @a/everyone\n');
    expect((await findingLines()).lines).toContain('castellan.yaml:7 auth-public-app none');
    put('CODEOWNERS', '* @a/security\n');
    expect((await findingLines()).lines).toEqual([]);
  });

  it('want the file of a suppression to belong to an owner', async () => {
    put(
      'castellan.policy.yaml',
      "version: 1\nsuppressionLimits: { approvedBy: ['@a/security'] }\n",
    );
    put('castellan.yaml', app(ignore('2026-12-01')));
    put('CODEOWNERS', '* @a/everyone\n');
    expect((await findingLines()).lines).toEqual([
      'castellan.yaml:7 auth-public-app none',
      'castellan.yaml:7 suppression-incomplete approval',
    ]);
    // the code host asks for the review of any one of them
    put('CODEOWNERS', 'castellan.yaml @a/everyone @a/security\n');
    expect((await findingLines()).lines).toEqual([
      'castellan.yaml:7 auth-public-app none',
      'castellan.yaml:7 suppression-incomplete approval',
    ]);
    put('CODEOWNERS', '* @a/everyone\ncastellan.yaml @a/security\n');
    expect((await findingLines()).lines).toEqual([]);
  });
});

describe('the place of the policy', () => {
  it('is the same from every folder of a repository: the outermost one judges', async () => {
    execFileSync('git', ['init'], { cwd: folder, stdio: 'ignore' });
    put('castellan.policy.yaml', 'version: 1\nrules: { auth-public-app: off }\n');
    put('apps/shop/castellan.policy.yaml', 'version: 1\n');
    put('apps/shop/castellan.yaml', app());
    expect(await findingLines()).toEqual({ lines: [], policyFile: 'castellan.policy.yaml' });
    expect(await findingLines(join(folder, 'apps/shop'))).toEqual({
      lines: [],
      policyFile: '../../castellan.policy.yaml',
    });
  });

  it('includes policies that include others, and reports one that is missing or includes itself', async () => {
    put('castellan.policy.yaml', 'version: 1\ninclude: [a/b.yaml, none.yaml]\n');
    put(
      'a/b.yaml',
      'version: 1\ninclude: [../castellan.policy.yaml]\nrules: { auth-public-app: off }\n',
    );
    put('castellan.yaml', app());
    expect((await findingLines()).lines).toEqual([
      'a/b.yaml:2 config-include config-include',
      'castellan.policy.yaml:2 config-include config-include',
    ]);
  });
});
