import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { stringify } from 'yaml';
import { CastellanError } from '../../core/errors/castellan-error.js';
import { runCheck, startPacks } from '../check/run-check.js';
import type { LoadedPack } from '../packs/load-packs.js';
import type { LoadedPolicy } from '../check/policy/load-policy.js';
import { type PolicyCase, type PolicyTests, readPolicyTests } from './read-policy-tests.js';

/** The result of a case. */
export interface CaseResult {
  /** The file of the policy test. */
  readonly file: string;
  readonly name: string;
  /** Undefined when it passed. */
  readonly failure: string | undefined;
}

/**
 * Runs the cases of a policy test file (`*.policy-test.yaml`).
 *
 * @param shownAs the file's name in messages and results.
 * @throws CAS7002 when the file is not a policy test, or has a part that would not be tested.
 */
export async function runPolicyTests(
  file: string,
  shownAs: string,
): Promise<readonly CaseResult[]> {
  const tests = readPolicyTests(file, shownAs);
  const folder = dirname(file);
  const packs = new SharedPacks(folder);
  try {
    const results: CaseResult[] = [];
    for (const policyCase of tests.cases)
      results.push({
        file: shownAs,
        name: policyCase.name,
        failure: await failureOf(policyCase, tests, folder, packs),
      });
    return results;
  } finally {
    await packs.close();
  }
}

/** The plan file of a case. */
function preparePlanFile(
  { name, plan, resources }: PolicyCase,
  folder: string,
  temporaryFolder: string,
): string | undefined {
  if (plan !== undefined) return resolve(folder, plan);
  if (resources === undefined) return undefined;
  if (resources.some(({ unknown }) => Array.isArray(unknown)))
    throw new CastellanError(
      'CAS7002',
      `${name}: unknown is a map as plans have it, such as { min_tls_version: true }`,
    );
  const changes = resources.map(({ type, name: resourceName, values, unknown = {} }) => ({
    address: `${type}.${resourceName}`,
    mode: 'managed',
    type,
    name: resourceName,
    change: { actions: ['create'], before: null, after: values, after_unknown: unknown },
  }));
  const file = join(temporaryFolder, 'plan.json');
  writeFileSync(file, JSON.stringify({ format_version: '1.2', resource_changes: changes }));
  return file;
}

/** The packs of the policy, started once for all cases. */
class SharedPacks {
  #packs: Promise<readonly LoadedPack[]> | undefined;

  constructor(private readonly folder: string) {}

  packsOf(policy: LoadedPolicy): Promise<readonly LoadedPack[]> {
    return (this.#packs ??= startPacks(policy, this.folder));
  }

  async close(): Promise<void> {
    const packs = await (this.#packs?.catch(() => []) ?? []); // the caller has got the error
    await Promise.all(packs.map((pack) => pack.close()));
  }
}

async function failureOf(
  policyCase: PolicyCase,
  tests: PolicyTests,
  folder: string,
  packs: SharedPacks,
): Promise<string | undefined> {
  const temporaryFolder = mkdtempSync(join(tmpdir(), 'castellan-test-'));
  try {
    const plan = preparePlanFile(policyCase, folder, temporaryFolder);
    const checksPlanOnly =
      plan !== undefined && policyCase.file === undefined && policyCase.config === undefined;
    const config =
      policyCase.file === undefined
        ? join(temporaryFolder, 'castellan.yaml')
        : resolve(folder, policyCase.file);
    if (policyCase.file === undefined && !checksPlanOnly)
      writeFileSync(
        config,
        stringify({ version: 1, stack: 'test', ...(policyCase.config as object) }),
      );
    const policy = tests.policy ?? 'castellan.policy.yaml';
    const now = tests.now === undefined ? {} : { now: new Date(tests.now) };
    const report = await runCheck({
      paths: checksPlanOnly ? [] : [config],
      plan,
      cwd: folder,
      env: {},
      policy,
      environment: policyCase.environment,
      baseline: 'none',
      packsOf: (loaded) => packs.packsOf(loaded),
      ...now,
    });
    // the policy's suppressions are for real stacks, so cases need not use them
    const findings = report.findings.filter(
      ({ ruleId, location }) =>
        !(ruleId === 'suppression-unused' && location?.file === report.policy.file),
    );
    const failures = new Set(
      findings
        .filter(({ verdict, severity }) => verdict === 'fail' && severity !== 'info')
        .map(({ ruleId }) => ruleId),
    );
    const missing = policyCase.expect.filter((id) => !failures.has(id));
    const extra = findings.filter(
      ({ ruleId }) => failures.has(ruleId) && !policyCase.expect.includes(ruleId),
    );
    if (missing.length === 0 && extra.length === 0) return undefined;
    return [
      ...missing.map((id) => `${id} was expected and found nothing`),
      ...extra.map(
        ({ ruleId, message, location }) =>
          `${ruleId} was not expected: ${message} (line ${String(location?.line ?? 0)})`,
      ),
    ].join('; ');
  } finally {
    rmSync(temporaryFolder, { recursive: true, force: true });
  }
}
