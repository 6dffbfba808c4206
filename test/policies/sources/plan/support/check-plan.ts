import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Finding } from '../../../../../core/findings/finding.js';
import { runCheck } from '../../../../../policies/check/run-check.js';

/** A resource that a plan creates. */
export const change = (type: string, name: string, after: object, afterUnknown: object = {}) => ({
  address: `${type}.${name}`,
  mode: 'managed',
  type,
  name,
  change: { actions: ['create'], before: null, after, after_unknown: afterUnknown },
});

/**
 * Checks a configuration, or none, with a plan of such changes.
 *
 * @param planProperties other properties of the plan.
 */
export type CheckPlan = (
  yaml: string | undefined,
  changes: readonly object[],
  env?: Record<string, string>,
  planProperties?: object,
) => Promise<readonly Finding[]>;

/** Makes and removes the folder for the tests of this file. */
export function useCheckedPlan(): CheckPlan {
  let folder: string;
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'castellan-plan-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  return async (yaml, changes, env = {}, planProperties = {}) => {
    if (yaml !== undefined) writeFileSync(join(folder, 'castellan.yaml'), yaml);
    writeFileSync(
      join(folder, 'plan.json'),
      JSON.stringify({ format_version: '1.2', resource_changes: changes, ...planProperties }),
    );
    return (
      await runCheck({
        paths: yaml === undefined ? [] : ['castellan.yaml'],
        plan: 'plan.json',
        cwd: folder,
        env,
      })
    ).findings;
  };
}
