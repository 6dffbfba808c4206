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

/** What a check says of a document in the editor. */
export interface EditorCheckResult {
  /** Empty where an error, which is then the only finding, prevented the check. */
  readonly stacks: readonly LoadedStack[];
  readonly findings: readonly Finding[];
}

/**
 * The texts that are open in the editor, laid over the disk, and the checks of them: as
 * `castellan check` does, by the same policy.
 */
export class Workspace {
  readonly #openTexts = new Map<string, string>();
  readonly #packs = new RunningPacks();
  /** The disk, with the texts of the editor in place of what it has. */
  readonly #files: FileAccess = {
    stat: (path) => {
      const text = this.#openTexts.get(path);
      return text === undefined
        ? diskFiles.stat(path)
        : { kind: 'file', size: Buffer.byteLength(text) };
    },
    read: (path) => {
      const text = this.#openTexts.get(path);
      return text === undefined ? diskFiles.read(path) : Buffer.from(text);
    },
    // the folder of a new document may come to exist only when it is saved
    list: (path) => (diskFiles.stat(path).kind === 'missing' ? [] : diskFiles.list(path)),
  };
  readonly #configurations = new ConfigurationIndex(this.#files);

  constructor(private readonly env: Readonly<Record<string, string | undefined>>) {}

  /** Stores the text of a document as it is in the editor. */
  setText(uri: string, text: string): void {
    const file = fileOf(uri);
    if (file === undefined) return;
    if (!this.#openTexts.has(file)) this.#configurations.forgetCandidates();
    this.#openTexts.set(file, text);
    this.#configurations.markOutdated(file);
  }

  /** Forgets the text of a closed document: its file on disk counts again. */
  closeText(uri: string): void {
    const file = fileOf(uri);
    if (file === undefined) return;
    this.#openTexts.delete(file);
    this.#configurations.forgetCandidates();
    this.#configurations.markOutdated(file);
  }

  /** Reads again what files on disk say: they were changed outside of the editor. */
  diskChanged(): void {
    this.#configurations.forgetCandidates();
  }

  /**
   * Whether a document is a policy, a configuration, or part of one: editors also send other YAML
   * files, about which there is nothing to say.
   */
  async isCastellanFile(uri: string): Promise<boolean> {
    const file = fileOf(uri);
    return (
      file !== undefined &&
      (isPolicy(uri) || (await this.#configurations.configurationsOf(file)).length > 0)
    );
  }

  /**
   * Checks a configuration with everything that it includes, or all those that include it; of a
   * policy the configuration beside it.
   */
  async check(uri: string): Promise<EditorCheckResult> {
    if (!(await this.isCastellanFile(uri))) return { stacks: [], findings: [] };
    const file = fileURLToPath(uri);
    const policy = isPolicy(uri) ? file : undefined;
    const configs = isPolicy(uri)
      ? this.#configurations.configurationsIn(dirname(file)).slice(0, 1)
      : await this.#configurations.configurationsOf(file);
    try {
      const { findings, stacks } = await runCheck({
        paths: configs,
        cwd: '/',
        env: this.env,
        files: this.#files,
        policy,
        baseline: 'none',
        packsOf: (loadedPolicy) => this.#packs.packsOf(loadedPolicy),
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
  async connectedStacks(uri: string): Promise<readonly LoadedStack[]> {
    const source = { cwd: '/', files: this.#files };
    const connectedStacks: LoadedStack[] = [];
    const file = fileOf(uri);
    if (file === undefined) return [];
    for (const config of await this.#configurations.configurationsConnectedWith(file)) {
      const { stacks } = await loadConfig({ paths: [config], ...source });
      connectedStacks.push(...stacks);
      for (const environment of environmentsOfStacks(stacks, source))
        connectedStacks.push(
          ...(await loadConfig({ paths: [config], environment, ...source })).stacks,
        );
    }
    return connectedStacks;
  }

  /** Ends the running packs. */
  close(): Promise<void> {
    return this.#packs.close();
  }
}

/** Whether a document is a policy rather than a configuration. */
export function isPolicy(uri: string): boolean {
  return uri.endsWith(`/${policyName}`);
}

/**
 * The path of a document; undefined for one that is no file of this machine: `untitled:`, or on
 * another host.
 */
function fileOf(uri: string): string | undefined {
  if (!uri.startsWith('file:')) return undefined;
  try {
    return fileURLToPath(uri);
  } catch {
    return undefined;
  }
}

/** The finding for an error that prevents the check, at the top of the file to correct. */
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
 * The URI of a document as {@link uriOf} writes it: editors encode more of a path, such as `@` and
 * parentheses.
 */
export function canonicalUri(uri: string): string {
  const file = fileOf(uri);
  return file === undefined ? uri : uriOf(file);
}

/**
 * The packs (rules that a team wrote itself, in a process each) of the policies, kept running from
 * one check to the next and started again when a policy or a pack's file changes.
 */
class RunningPacks {
  readonly #running = new Map<
    string,
    { readonly version: string; readonly packs: Promise<readonly LoadedPack[]> }
  >();

  /** The packs of a policy. */
  async packsOf(policy: LoadedPolicy): Promise<readonly LoadedPack[]> {
    const { config, file } = policy;
    if (file === undefined) return [];
    const packs = config.packs ?? [];
    const folder = resolve('/', dirname(file));
    const version = JSON.stringify([
      packs,
      packs.map((pack) => modifiedAt(resolve(folder, pack.file ?? '.'))),
    ]);
    const running = this.#running.get(file);
    if (running?.version === version) return running.packs;
    const startingPacks = startPacks(policy, '/');
    this.#running.set(file, { version, packs: startingPacks });
    await closePacks(running?.packs);
    return startingPacks.catch((error: unknown) => {
      this.#running.delete(file);
      throw error;
    });
  }

  /** Ends all of them. */
  async close(): Promise<void> {
    const runs = [...this.#running.values()];
    this.#running.clear();
    await Promise.all(runs.map(({ packs }) => closePacks(packs)));
  }
}

async function closePacks(packs: Promise<readonly LoadedPack[]> | undefined): Promise<void> {
  // packs that could not be started were reported when they were started
  const loadedPacks = await packs?.catch(() => []);
  await Promise.all((loadedPacks ?? []).map((each) => each.close()));
}

function modifiedAt(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
