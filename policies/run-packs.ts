import { readFileSync } from 'node:fs';
import type { ErrorCode } from '../core/errors/catalogue.js';
import { isCastellanError } from '../core/errors/castellan-error.js';
import type { PackConfig } from '../kinds/policy/schema.js';
import { type LoadedPack, loadPacks } from './packs/load-packs.js';
import type { PackInput, PackCheckResult, RuleDescription } from './packs/protocol.js';

// The program by which constructs have packs judge a tree: packs run in processes of their own
// (`pack-main.ts`), which cdktf's synthesis, as synchronous code, cannot wait for.

/** The input of this program, as JSON on stdin. */
export interface PackRequest {
  readonly packs: readonly PackConfig[];
  /** The folder of the policy. */
  readonly folder: string;
  /** The ids of Castellan's own rules. */
  readonly reservedIds: readonly string[];
  readonly input: PackInput;
}

/**
 * The output of this program, as JSON on stdout: the results of each pack, or why there are none.
 */
export type PackResults =
  | {
      readonly packs: readonly (PackCheckResult & {
        readonly name: string;
        readonly rules: readonly RuleDescription[];
      })[];
    }
  | { readonly error: { readonly code: ErrorCode; readonly message: string } };

async function runPacks({ packs, folder, reservedIds, input }: PackRequest): Promise<PackResults> {
  try {
    const loaded = await loadPacks(packs, folder, reservedIds);
    return { packs: await runAndClose(loaded, input) };
  } catch (error) {
    if (!isCastellanError(error)) throw error;
    const { code, message } = error;
    return { error: { code, message } };
  }
}

async function runAndClose(loaded: readonly LoadedPack[], input: PackInput) {
  try {
    return await Promise.all(
      loaded.map(async (pack) => ({
        name: pack.name,
        rules: pack.rules,
        ...(await pack.run(input)),
      })),
    );
  } finally {
    await Promise.all(loaded.map((pack) => pack.close()));
  }
}

void runPacks(JSON.parse(readFileSync(0, 'utf8')) as PackRequest).then((results) =>
  process.stdout.write(JSON.stringify(results)),
);
