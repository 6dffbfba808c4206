import { dirname, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { statSync } from 'node:fs';
import { CastellanError } from '../../core/errors/castellan-error.js';
import type { Finding } from '../../core/findings/finding.js';
import { diskFiles, type FileAccess } from '../../core/source/file-access.js';
import { loadConfig, type LoadedStack, runCheck } from '../../policies/index.js';
import { startPacks } from '../../policies/check/run-check.js';
import { environmentsOfStacks } from '../../policies/model/environments.js';
import { policyName } from '../../policies/check/policy/find-policy.js';
import type { LoadedPolicy } from '../../policies/check/policy/load-policy.js';
import type { LoadedPack } from '../../policies/packs/load-packs.js';
import { ConfigurationIndex } from './configuration-index.js';

/** What a check of one file gives the editor. */
export interface CheckedFile {
  readonly stacks: readonly LoadedStack[];
  readonly findings: readonly Finding[];
}

/**
 * The texts that are open in the editor, laid over the disk, and the checks of them: as
 * `castellan check` does, by the same policy.
 */
export class Workspace {
  readonly #open = new Map<string, string>();
  readonly #packs = new RunningPacks();
  /** The disk, with the texts of the editor in place of what it has. */
  readonly #files: FileAccess = {
    stat: (path) => {
      const text = this.#open.get(path);
      return text === undefined
        ? diskFiles.stat(path)
        : { kind: 'file', size: Buffer.byteLength(text) };
    },
    read: (path) => {
      const text = this.#open.get(path);
      return text === undefined ? diskFiles.read(path) : Buffer.from(text);
    },
    list: (path) => diskFiles.list(path),
  };
  readonly #configurations = new ConfigurationIndex(this.#files);

  constructor(private readonly env: Readonly<Record<string, string | undefined>>) {}

  /** Takes the text of a document as it is in the editor. */
  set(uri: string, text: string): void {
    const file = fileURLToPath(uri);
    if (!this.#open.has(file)) this.#configurations.refresh();
    this.#open.set(file, text);
    this.#configurations.changed(file);
  }

  /** Goes back to what is on the disk. */
  forget(uri: string): void {
    this.#open.delete(fileURLToPath(uri));
    this.#configurations.refresh();
    this.#configurations.changed(fileURLToPath(uri));
  }

  /**
   * Checks a configuration with everything that it includes, or all those that include it; of a
   * policy the configuration beside it.
   */
  async check(uri: string): Promise<CheckedFile> {
    const file = fileURLToPath(uri);
    const policy = isPolicy(uri) ? file : undefined;
    const configs = isPolicy(uri)
      ? this.#configurations.in(dirname(file)).slice(0, 1)
      : await this.#configurations.of(file);
    try {
      const { findings, stacks } = await runCheck({
        paths: configs,
        cwd: '/',
        env: this.env,
        files: this.#files,
        policy,
        baseline: 'none',
        packsOf: (loaded) => this.#packs.of(loaded),
      });
      return { findings, stacks };
    } catch (error) {
      if (!(error instanceof CastellanError)) throw error;
      return { stacks: [], findings: [findingOf(error, policy ?? file)] };
    }
  }

  /**
   * The stacks of the configurations that a file belongs to, and of those that share a file with
   * one of them, as they are in the editor, with those of each of their environments.
   */
  async stacksAround(uri: string): Promise<readonly LoadedStack[]> {
    const workingFolder = { cwd: '/', files: this.#files };
    const all: LoadedStack[] = [];
    for (const config of await this.#configurations.connectedWith(fileURLToPath(uri))) {
      const { stacks } = await loadConfig({ paths: [config], ...workingFolder });
      all.push(...stacks);
      for (const environment of environmentsOfStacks(stacks, workingFolder))
        all.push(...(await loadConfig({ paths: [config], environment, ...workingFolder })).stacks);
    }
    return all;
  }

  /** Ends what runs beside the server. */
  close(): Promise<void> {
    return this.#packs.close();
  }
}

/** Whether a document is a policy rather than a configuration. */
export function isPolicy(uri: string): boolean {
  return uri.endsWith(`/${policyName}`);
}

/** What keeps the check from running, at the top of the file that is to be corrected. */
function findingOf({ code, message }: CastellanError, file: string): Finding {
  const location = { file, line: 1, column: 1 };
  return {
    ruleId: code,
    messageId: 'failed',
    parameters: {},
    verdict: 'fail',
    severity: 'error',
    message,
    location,
    fingerprint: code,
  };
}

/** The URI of a file that a finding names. */
export function uriOf(file: string): string {
  return pathToFileURL(resolve('/', file)).href;
}

/**
 * The packs of the policies at work, kept running from one check to the next and started again when
 * a policy or a pack's file changes.
 */
class RunningPacks {
  readonly #running = new Map<
    string,
    { readonly state: string; readonly packs: Promise<readonly LoadedPack[]> }
  >();

  /** The packs of a policy. */
  async of(policy: LoadedPolicy): Promise<readonly LoadedPack[]> {
    const { config, file } = policy;
    if (file === undefined) return [];
    const packs = config.packs ?? [];
    const folder = resolve('/', dirname(file));
    const state = JSON.stringify([
      packs,
      packs.map((pack) => changedAt(resolve(folder, pack.file ?? '.'))),
    ]);
    const known = this.#running.get(file);
    if (known?.state === state) return known.packs;
    const started = startPacks(policy, '/');
    this.#running.set(file, { state, packs: started });
    await closePacks(known?.packs);
    return started.catch((error: unknown) => {
      this.#running.delete(file);
      throw error;
    });
  }

  /** Ends all of them. */
  async close(): Promise<void> {
    const all = [...this.#running.values()];
    this.#running.clear();
    await Promise.all(all.map(({ packs }) => closePacks(packs)));
  }
}

async function closePacks(packs: Promise<readonly LoadedPack[]> | undefined): Promise<void> {
  // What could not be started was said then, and has ended
  const loaded = await packs?.catch(() => []);
  await Promise.all((loaded ?? []).map((each) => each.close()));
}

function changedAt(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
