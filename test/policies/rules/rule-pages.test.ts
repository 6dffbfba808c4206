import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Finding } from '../../../core/findings/finding.js';
import { SourceText } from '../../../core/source/source-text.js';
import { runCheck } from '../../../policies/check/run-check.js';
import { fakeDirectory, type FakeGroup } from '../../support/fake-directory.js';
import { fakeItems, type FakeWorkspace } from '../../support/fake-items.js';
import { type FakeApps, fakeApps } from '../../support/fake-apps.js';
import type { LiveReader } from '../../../policies/model/live-reader.js';
import { rules } from '../../../policies/rules/index.js';
import { stacksByAccessTest } from '../../../cli/access/access-test-files.js';
import { accessTestFindings } from '../../../cli/access/access-test-findings.js';
import type { LoadedStack } from '../../../policies/model/loaded-stack.js';
import { runGitCommands } from '../../support/git-repository.js';
import { runCli } from '../../support/run-cli.js';
import { blocksIn, rulePage, ruleTables } from '../../../scripts/rule-pages/rule-page.js';

const pagesFolder = join(__dirname, '../../../docs/rules');
const now = new Date('2026-11-01T00:00:00Z');
/** Rules that are about a program, which has no line in a configuration. */
const rulesWithoutPlace = new Set(['pack-failed']);
const configProblems = /^config-/;

/** The files of one example, by their names. */
type Example = Readonly<Record<string, string>>;

/**
 * Checks the files of an example. A line `# options: {…}` in the configuration gives the rule
 * options.
 */
async function check(example: Example, ruleId: string): Promise<readonly Finding[]> {
  const folder = mkdtempSync(join(tmpdir(), 'castellan-rule-'));
  try {
    const options = /^# options: (\{.*\})$/m.exec(example['castellan.yaml'] ?? '')?.[1];
    const policy =
      options === undefined
        ? {}
        : {
            'castellan.policy.yaml': `{ "version": 1, "rules": { "${ruleId}": { "options": ${options} } } }`,
          };
    for (const [name, content] of Object.entries({ ...policy, ...example }))
      writeFileSync(join(folder, name), content);
    const base =
      example['before.yaml'] === undefined
        ? undefined
        : commitBefore(folder, example['before.yaml'], ['castellan.yaml', ...Object.keys(policy)]);
    const plan = example['plan.json'] === undefined ? undefined : 'plan.json';
    const paths = example['castellan.yaml'] === undefined ? [] : ['castellan.yaml'];
    if (base !== undefined && example['seed.yaml'] !== undefined)
      return await accessFindings(folder, base);
    const live = liveOf(example);
    const accessTests = (stacks: readonly LoadedStack[]) =>
      accessTestFindings(stacksByAccessTest(stacks, folder), {
        cwd: folder,
        env: {},
        stdout: process.stdout,
        stderr: process.stderr,
      });
    const { findings } = await runCheck({
      paths,
      plan,
      base,
      live,
      cwd: folder,
      env: {},
      now,
      accessTests,
      environment: example['castellan.prod.yaml'] === undefined ? undefined : 'prod',
    });
    return findings;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What `castellan access --base` finds, with the people of the example's seed. */
async function accessFindings(folder: string, base: string): Promise<readonly Finding[]> {
  const { stdout } = await runCli(
    ['access', '--base', base, '--from', 'seed.yaml', '--format', 'json', 'castellan.yaml'],
    { cwd: folder },
  );
  return (JSON.parse(stdout) as { readonly findings: readonly Finding[] }).findings;
}

/**
 * The live objects of an example: groups of `live.json`, workspaces of `workspaces.json`, apps of
 * `apps.json`.
 */
function liveOf(example: Example): LiveReader | undefined {
  const { 'live.json': groups, 'workspaces.json': workspaces, 'apps.json': apps } = example;
  if (groups === undefined && workspaces === undefined && apps === undefined) return undefined;
  const directory = fakeDirectory(JSON.parse(groups ?? '[]') as FakeGroup[]);
  return {
    ...directory,
    ...(workspaces !== undefined && {
      items: fakeItems(JSON.parse(workspaces) as FakeWorkspace[]),
    }),
    ...(apps !== undefined && { apps: fakeApps(JSON.parse(apps) as FakeApps) }),
  };
}

/** Commits a configuration as it was before a change, and puts the changed one back. */
function commitBefore(folder: string, before: string, files: readonly string[]): string {
  const file = join(folder, 'castellan.yaml');
  const after = readFileSync(file);
  writeFileSync(file, before);
  runGitCommands(folder, ['init'], ['add', ...files], ['commit', '--message', 'before']);
  writeFileSync(file, after);
  return 'HEAD';
}

/**
 * The examples of a section: blocks with file names belong together, each of the others is by
 * itself.
 */
function examplesOf(page: string, heading: string): readonly Example[] {
  const blocks = blocksIn(page, heading).filter(({ language }) => language !== 'ts');
  if (blocks.some(({ file }) => file !== undefined))
    return [Object.fromEntries(blocks.map(({ file, text }) => [file ?? 'castellan.yaml', text]))];
  return blocks.map(({ text }) => ({ 'castellan.yaml': text }));
}

const readPage = (id: string) => readFileSync(join(pagesFolder, `${id}.md`), 'utf8');

describe.each(rules.map((rule) => [rule.id, rule] as const))('the page of %s', (id, rule) => {
  it('says what the rule says, in YAML and in TypeScript (node scripts/write-rule-pages.mjs)', () => {
    expect(readPage(id)).toBe(rulePage(rule, readPage(id)));
  });

  it('has failing examples, each of which fails by this rule with a place in the text', async () => {
    const examples = examplesOf(readPage(id), 'Failing');
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) {
      const ownFindings = (await check(example, id)).filter(
        ({ ruleId, verdict }) => ruleId === id && verdict === 'fail',
      );
      expect(ownFindings.length).toBeGreaterThan(0);
      for (const finding of ownFindings) {
        expect(Object.keys(rule.messages)).toContain(finding.messageId);
        expect(finding.message).not.toMatch(/\{\w+\}/);
        if (rulesWithoutPlace.has(id) || id.startsWith('plan-')) continue;
        const line = new SourceText('', example[finding.location?.file ?? ''] ?? '').line(
          finding.location?.line ?? 0,
        );
        expect(line.trim()).not.toBe('');
      }
    }
  });

  it('has passing examples, which break no rule of weight', async () => {
    const examples = examplesOf(readPage(id), 'Passing');
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) {
      const broken = (await check(example, id)).filter(
        ({ ruleId, severity, verdict }) =>
          verdict === 'fail' &&
          (ruleId === id || severity === 'error' || configProblems.test(ruleId)),
      );
      expect(broken).toEqual([]);
    }
  });
});

describe('the catalogue', () => {
  it('has no page without a rule', () => {
    const ids = new Set(rules.map(({ id }) => id));
    expect(
      readdirSync(pagesFolder)
        .map((name) => name.replace(/\.md$/, ''))
        .filter((name) => name !== 'index' && !ids.has(name)),
    ).toEqual([]);
    expect(existsSync(join(pagesFolder, 'index.md'))).toBe(true);
  });

  it('lists every rule in its index', () => {
    expect(readPage('index')).toContain(ruleTables(rules));
  });

  it('has ids that are unique and named like their files, but for the rules that share one', () => {
    const ids = rules.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const shared = ['policy-rules', 'schema-rules', 'unique-names', 'value-limits'];
    const files = ['.', 'declaration', 'plan', 'live', 'access', 'stack'].flatMap((folder) => {
      const path = join(__dirname, '../../../policies/rules', folder);
      const names = readdirSync(path).filter((name) => name.endsWith('.ts'));
      return names.map((name) => ({
        name: basename(name, '.ts'),
        text: readFileSync(join(path, name), 'utf8'),
      }));
    });
    for (const id of ids) {
      const [file, ...others] = files.filter(({ text }) => text.includes(`  id: '${id}',`));
      expect(others).toEqual([]);
      expect([id, ...shared]).toContain(file?.name);
    }
  });
});
