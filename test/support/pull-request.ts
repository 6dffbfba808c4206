import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { runCli } from './run-cli.js';

/** Runs git in a folder. */
export function run(where: string, ...args: readonly string[]): string {
  const settings = ['user.name=t', 'user.email=t@example.com', 'protocol.file.allow=always'];
  const options = settings.flatMap((each) => ['-c', each]);
  return execFileSync('git', [...options, ...args], { cwd: where, stdio: 'pipe' }).toString();
}

export const signIn =
  'auth: { providers: { codehost: { clientId: a, clientSecret: "${env:SECRET}" } } }';
export const publicApp =
  'version: 1\ncontainerApps: { app: { image: example.com/a:1, targetPort: 80, ingress: { external: true } } }\n';

/** A repository with an app that demands sign-in, a policy, a pack and a baseline. */
export const project: Readonly<Record<string, string>> = {
  'shop/castellan.yaml': `version: 1
stack: shop
containerApps:
  web:
    image: example.com/web:1
    targetPort: 80
    ingress: { external: true }
    ${signIn}
`,
  'castellan.policy.yaml': `version: 1
include: [shared/company.yaml]
rules:
  workspace-items-limit: { options: { limit: 10 } }
  live-group-undeclared: { options: { prefixes: [shop-] } }
packs:
  - file: packs/tags.js
`,
  'shared/company.yaml': 'version: 1\nrules: { auth-allow-insecure: error, auth-nonce: error }\n',
  'castellan.baseline.json': '{ "version": 1, "findings": [] }\n',
  'packs/tags.js': `const { defineRule } = require('castellan/policies');
const { pattern } = require('./pattern.js');
exports.ownNames = defineRule({
  id: 'own-names', title: 'Names are ours.', why: 'Order.', severity: 'error', source: 'us',
  sections: ['containerApps'], messages: { name: 'not our name: {given}' },
  check({ name }, context) {
    if (!pattern.test(name)) context.report({ messageId: 'name', parameters: { given: name } });
  },
});
`,
  'packs/pattern.js': 'exports.pattern = /^web/;\n',
};

/** What a check says. */
export interface Seen {
  readonly exitCode: number;
  readonly stderr: string;
  readonly policy: string | undefined;
  /** The new findings that fail it, with what they weaken and the environment. */
  readonly findings: readonly string[];
}

/** A branch of a repository. The check runs as in CI: in its work tree, against the main branch. */
export class PullRequest {
  readonly folder = mkdtempSync(join(tmpdir(), 'castellan-hostile-'));

  constructor(files: Readonly<Record<string, string>> = project) {
    this.git('init', '--initial-branch', 'main');
    for (const [file, text] of Object.entries(files)) this.put(file, text);
    this.commit();
    this.git('checkout', '-b', 'change');
  }

  git(...args: readonly string[]): string {
    return run(this.folder, ...args);
  }

  put(file: string, text: string): void {
    mkdirSync(dirname(join(this.folder, file)), { recursive: true });
    writeFileSync(join(this.folder, file), text);
  }

  read(file: string): string {
    return readFileSync(join(this.folder, file), 'utf8');
  }

  edit(file: string, from: string, to: string): void {
    expect(this.read(file)).toContain(from);
    this.put(file, this.read(file).replace(from, to));
  }

  /** Takes the sign-in of the app away. */
  openApp(): void {
    this.edit('shop/castellan.yaml', `    ${signIn}\n`, '');
  }

  /** Commits everything, ignored files too. */
  commit(): void {
    this.git('add', '--all', '--force');
    this.git('commit', '--allow-empty', '--message', 'a commit');
  }

  /** Makes what was committed the main branch, too. */
  merge(): void {
    this.commit();
    this.git('branch', '--force', 'main');
  }

  async judge(
    cwd = this.folder,
    base = 'main',
    options: readonly string[] = [],
    env: NodeJS.ProcessEnv = {},
  ): Promise<Seen> {
    const args = ['check', '--base', base, '--json', ...options];
    const { exitCode, stdout, stderr } = await runCli(args, { cwd, env });
    const { policy, findings = [] } = (stdout === '' ? {} : JSON.parse(stdout)) as {
      policy?: string;
      findings?: {
        ruleId: string;
        weakened?: string;
        change?: string;
        severity: string;
        verdict: string;
        environments?: string[];
      }[];
    };
    const failing = findings.filter(
      ({ change, severity, verdict }) =>
        change === 'new' && severity !== 'info' && verdict === 'fail',
    );
    const texts = failing.map(({ ruleId, weakened, environments: [only, ...more] = [] }) =>
      [ruleId, weakened, more.length === 0 ? only : undefined]
        .filter((part) => part !== undefined)
        .join(' '),
    );
    return { exitCode, stderr, policy, findings: texts };
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}
