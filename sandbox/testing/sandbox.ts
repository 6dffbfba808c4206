import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { fetchTrusting, cacheTokens } from '../../clients/common/index.js';
import { createDirectoryClient, type DirectoryClient } from '../../clients/directory/index.js';
import { createItemsClient, type ItemsClient } from '../../clients/items/index.js';
import { CastellanError } from '../../core/errors/castellan-error.js';
import { type Fault, type FaultPlan, noFaults } from '../faults/fault.js';
import type { FaultsStatus } from '../faults/injector.js';
import { faultPlanOfPreset } from '../faults/presets.js';
import { cliPath } from '../command-line.js';
import {
  type ClockStatus,
  ensureSandbox,
  moveSandboxClock,
  recordSandbox,
  restoreSandbox,
  rewindSandbox,
  type SandboxHandle,
  sandboxClockStatus,
  sandboxFaults,
  saveSandbox,
  setSandboxFaults,
  stopSandbox,
} from '../index.js';
import { prepareSandboxFolder, sandboxPaths } from '../paths.js';
import { writePrivate } from '../private-file.js';
import { readSettings, type SandboxSettings } from '../settings.js';
import type { BrowserFetch } from './browser.js';
import { openSignedInBrowser } from './sign-in.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';

/** Options of {@link Sandbox.start}. */
export interface SandboxOptions {
  /** A folder whose files are copied beside the sandbox: `castellan.yaml`, sources of apps. */
  readonly files?: string;
  /** What exists from the start: text of a seed file in YAML. @default nothing */
  readonly seed?: string;
  /** The engine of `castellan` commands. @default as castellan finds it */
  readonly engine?: 'terraform' | 'tofu';
}

/** The result of a command. */
export interface CommandResult {
  /** 0 for success; 1 for findings; 2 for wrong input. */
  readonly exitCode: number;
  /** What it printed for programs and people. */
  readonly stdout: string;
  /** Progress and errors. */
  readonly stderr: string;
}

/** Clients that act for one person or application. */
export interface ActingClients {
  /** Groups, people, registrations. */
  readonly directory: DirectoryClient;
  /** Workspaces, eventhouses, eventstreams. */
  readonly items: ItemsClient;
  /**
   * One request to any service of the sandbox, with the token and without retries: `await
   * sandbox.as().fetch('/v1.0/groups')`.
   */
  fetch(path: string, init?: RequestInit): Promise<Response>;
}

/** The time of a sandbox in a test. */
export interface TestClock {
  /** The present time of the sandbox. */
  now(): Promise<Date>;
  /**
   * Moves the time ahead: `31d`, `1d12h`. What is due on the way is done in order.
   *
   * @throws CAS4020 for another text.
   */
  advance(span: string): Promise<Date>;
  /** Moves the time ahead to an instant. @throws CAS4020 for one in the past of the sandbox. */
  set(instant: Date): Promise<Date>;
  /** Returns to the machine's time. */
  resume(): Promise<Date>;
}

/** The faults of a sandbox in a test. */
export interface TestFaults {
  /**
   * Injects these faults from now on, in place of earlier ones.
   *
   * @param faults the name of a preset (`castellan sandbox faults list`), faults of your own, or a
   *   plan with a seed.
   * @throws CAS4023 for faults that are not valid.
   */
  set(faults: string | readonly Fault[] | FaultPlan): Promise<void>;
  /** Injects no more faults. */
  off(): Promise<void>;
  /** The present faults, and how many requests each met. */
  reading(): Promise<FaultsStatus>;
}

/** The recording of calls in a test. */
export interface TestRecording {
  /**
   * Records every call of the services from now on, secrets masked, in place of an earlier
   * recording.
   *
   * @param file of the format HAR 1.2; replaced where it is there.
   * @throws CAS4024 when it can't be written.
   */
  start(file: string): Promise<void>;
  /** Ends it. @returns the number of calls in the file */
  stop(): Promise<number>;
}

/**
 * A sandbox of a test: in a temporary folder, on a free port, with everything that `castellan
 * sandbox start` runs. Several run side by side.
 *
 * @example
 * const seed = 'users: [{ id: ada, userPrincipalName: ada@contoso.example, displayName: Ada }]';
 * const sandbox = await Sandbox.start({ files: 'examples/storefront', seed });
 * await sandbox.castellan('up');
 * const ada = await sandbox.signIn('ada@contoso.example', 'storefront');
 * expect((await ada('/')).status).toBe(200);
 * await sandbox.stop();
 */
export class Sandbox implements AsyncDisposable {
  private constructor(
    private readonly handle: SandboxHandle,
    private readonly settings: SandboxSettings,
    private readonly ca: string,
    private readonly engine: string | undefined,
  ) {}

  /** Starts a sandbox. @throws CAS4002 for an invalid seed, CAS4011 when it does not start */
  static async start({ files, seed, engine }: SandboxOptions = {}): Promise<Sandbox> {
    const projectDir = mkdtempSync(join(tmpdir(), 'castellan-sandbox-'));
    try {
      if (files !== undefined)
        cpSync(files, projectDir, {
          recursive: true,
          filter: (path) => !/[/\\](?:\.castellan|node_modules)$/.test(path),
        });
      const paths = sandboxPaths(projectDir);
      prepareSandboxFolder(paths);
      if (seed !== undefined) writePrivate(paths.seed, seed);
      const handle = await ensureSandbox({ projectDir }).catch(async (error: unknown) => {
        // the reader of seeds is large, and only needed for the place of a mistake
        if (seed !== undefined) (await import('../serve/seed-file.js')).parseSeed(seed, 'seed');
        throw error;
      });
      const settings = readSettings(paths);
      if (settings === undefined)
        throw new CastellanError('CAS4011', `${projectDir} has no settings of a sandbox`);
      await saveSandbox(projectDir, startSnapshot);
      return new Sandbox(handle, settings, readFileSync(handle.caFile, 'utf8'), engine);
    } catch (error) {
      await stopSandbox(projectDir).catch(() => undefined); // the first error is more helpful
      rmSync(projectDir, { recursive: true, force: true });
      throw error;
    }
  }

  /** The folder of the sandbox, with the copied files. */
  get folder(): string {
    return this.handle.projectDir;
  }

  /** Its address: `https://localhost:<port>`. */
  get origin(): string {
    return this.handle.origin;
  }

  /** The environment variables with which Terraform and cdktf use it. */
  get env(): Record<string, string> {
    return this.handle.environmentVariables('castellan');
  }

  /** Its clock. */
  readonly clock: TestClock = {
    now: async () => toDate(await sandboxClockStatus(this.folder)),
    advance: async (span) => toDate(await moveSandboxClock(this.folder, `+${span}`)),
    set: async (instant) => toDate(await moveSandboxClock(this.folder, instant.toISOString())),
    resume: async () => toDate(await moveSandboxClock(this.folder, 'resume')),
  };

  /** What goes wrong in it. */
  readonly faults: TestFaults = {
    set: async (faults) => void (await setSandboxFaults(this.folder, faultPlanOf(faults))),
    off: async () => void (await setSandboxFaults(this.folder, noFaults)),
    reading: () => sandboxFaults(this.folder),
  };

  /** What is called in it, for a test in another language: `castellan sandbox replay FILE`. */
  readonly recording: TestRecording = {
    start: async (file) => void (await recordSandbox(this.folder, resolve(file))),
    stop: async () => (await recordSandbox(this.folder, undefined)).calls,
  };

  /** Runs a castellan command in its folder: `await sandbox.castellan('up')`. */
  castellan(...words: readonly string[]): Promise<CommandResult> {
    const child = spawn(process.execPath, [cliPath(), ...words], {
      cwd: this.folder,
      env: {
        ...process.env,
        NO_COLOR: '1',
        ...omitUndefined({ CASTELLAN_ENGINE: this.engine }),
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    return new Promise((done, fail) => {
      child.once('error', fail);
      child.once('close', (code) => done({ exitCode: code ?? 1, stdout, stderr }));
    });
  }

  /**
   * Signs a person in to an app of the sandbox.
   *
   * @param person the user principal name.
   * @param app the name of the app; paths of the returned `fetch` are relative to it.
   * @returns a `fetch` with the person's cookies.
   * @throws CAS4022 for a person whom the app refuses or whose sign-in fails, CAS8106 for an app
   *   without an address.
   */
  async signIn(person: string, app: string): Promise<BrowserFetch> {
    const apps = await this.handle.apps();
    const url = apps.find((each) => each.name === app)?.url;
    if (url === undefined)
      throw new CastellanError(
        'CAS8106',
        `there is no app "${app}" with an address; there are ${apps.map(({ name }) => name).join(', ') || 'none'}`,
      );
    return openSignedInBrowser({ origin: this.origin, ca: this.ca, person, app, url });
  }

  /**
   * Clients that act as a person, or by default as the application that Terraform uses; a call
   * fails with CAS5004 for a person who does not exist.
   *
   * @param person a user principal name.
   */
  as(person?: string): ActingClients {
    const send = fetchTrusting(this.ca);
    const credential = cacheTokens({
      getToken: async (scope) => ({ token: await this.#token(scope, person) }),
    });
    const options = { dialect: 'azure', baseUrl: this.origin, fetch: send, credential } as const;
    return {
      directory: createDirectoryClient(options),
      items: createItemsClient(options),
      fetch: async (path, init = {}) => {
        const { token } = await credential.getToken(`${this.origin}/.default`);
        const headers = new Headers(init.headers);
        headers.set('authorization', `Bearer ${token}`);
        return send(new URL(path, this.origin).href, { ...init, headers });
      },
    };
  }

  async #token(scope: string, person: string | undefined): Promise<string> {
    const answer = await fetchTrusting(this.ca)(
      `${this.origin}/${this.settings.tenantId}/oauth2/v2.0/token`,
      {
        method: 'POST',
        body: new URLSearchParams({
          client_id: this.settings.clientId,
          client_secret: this.settings.clientSecret,
          scope,
          ...(person === undefined
            ? { grant_type: 'client_credentials' }
            : {
                grant_type: 'password',
                username: person,
                password: 'any',
                scope: delegatedScope(scope),
              }),
        }),
      },
    );
    const body = (await answer.json()) as { access_token?: string; error_description?: string };
    if (body.access_token === undefined)
      throw new CastellanError('CAS5004', body.error_description ?? `status ${answer.status}`);
    return body.access_token;
  }

  /**
   * Returns to how it was after its start: objects, apps, clock, faults and Terraform's states. Its
   * process goes on, so that this takes some hundredths of a second.
   */
  async reset(): Promise<void> {
    await rewindSandbox(this.folder, startSnapshot);
  }

  /** Saves its present state under a name. */
  async save(name: string): Promise<void> {
    await saveSandbox(this.folder, name);
  }

  /** Returns to a saved state. @throws CAS4021 for a name under which nothing was saved */
  async restore(name: string): Promise<void> {
    await restoreSandbox(this.folder, name);
  }

  /** Stops it and deletes its folder. */
  async stop(): Promise<void> {
    await stopSandbox(this.folder);
    rmSync(this.folder, { recursive: true, force: true });
  }

  /** The same, for `await using`. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.stop();
  }
}

/** The snapshot of the sandbox after its start, to which `reset` returns. */
const startSnapshot = 'start';

function faultPlanOf(faults: string | readonly Fault[] | FaultPlan): FaultPlan {
  if (typeof faults === 'string') return faultPlanOfPreset(faults);
  return 'faults' in faults ? faults : { faults };
}

/**
 * What a person's token permits; their roles in the directory and in workspaces decide the rest.
 */
const delegatedPermissions = [
  'Directory.ReadWrite.All',
  'Group.ReadWrite.All',
  'User.ReadWrite.All',
  'Application.ReadWrite.All',
  'Workspace.ReadWrite.All',
  'Item.ReadWrite.All',
];

/** The permissions for the resource of `https://graph.microsoft.com/.default`. */
function delegatedScope(scope: string): string {
  const resource = scope.slice(0, scope.lastIndexOf('/'));
  return delegatedPermissions.map((permission) => `${resource}/${permission}`).join(' ');
}

function toDate({ now }: ClockStatus): Date {
  return new Date(now);
}
