import { relative } from 'node:path';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import type { DirectoryGet } from '../../access/directory/read-person.js';
import type { DeclaredApp } from '../../services/resource-manager/index.js';
import type { AppSettingsByName } from '../settings.js';
import type { AppStatus, AppView } from './app-status.js';
import { appLogFile } from './app-log.js';
import { customDomainsOf } from './custom-domains.js';
import { HostedApp } from './hosted-app.js';
import { signInPrefixOf } from './sign-in-prefix.js';
import type { HostingContext } from './hosting-context.js';
import { appNameOfHost, type Route, type AppRouter } from '../ingress/ingress.js';
import type { Refusal, SignInAttempt } from '../identity-provider/refusals.js';

/** The apps of a sandbox by name, kept as declared. */
export class Hosting implements AppRouter {
  readonly #apps = new Map<string, HostedApp>();
  #settings: AppSettingsByName;
  #declared: readonly DeclaredApp[] = [];
  /** The app of each domain. */
  #domains: ReadonlyMap<string, string> = new Map();
  /** Apps that are no longer declared, until they have stopped. */
  readonly #ending = new Set<Promise<void>>();

  constructor(
    private readonly context: HostingContext,
    settings: AppSettingsByName,
  ) {
    this.#settings = settings;
  }

  /** Reconciles the hosted apps with the declared ones. */
  setApps(apps: readonly DeclaredApp[]): void {
    this.#declared = apps;
    this.#domains = new Map(
      apps.flatMap((app) => customDomainsOf(app).map((domain) => [domain, app.name] as const)),
    );
    const names = new Set(apps.map(({ name }) => name));
    for (const [name, app] of this.#apps) {
      if (names.has(name)) continue;
      this.#apps.delete(name);
      const ending = app
        .close()
        .catch((error: unknown) =>
          this.context.log.error({ err: error, app: name }, 'the app could not be ended'),
        )
        .finally(() => this.#ending.delete(ending));
      this.#ending.add(ending);
    }
    for (const declared of apps) {
      const settings = this.#settings[declared.name] ?? {};
      const app = this.#apps.get(declared.name);
      if (app === undefined)
        this.#apps.set(declared.name, new HostedApp(this.context, declared, settings));
      else app.update(declared, settings);
    }
  }

  /** Sets how apps run, by name. */
  setSettings(settings: AppSettingsByName): void {
    this.#settings = settings;
    this.setApps(this.#declared);
  }

  /** The declaration of an app. */
  findDeclared(name: string): DeclaredApp | undefined {
    return this.#declared.find((each) => each.name === name);
  }

  /** Reconciles the apps again after a change of the injected faults. */
  refresh(): void {
    this.setApps(this.#declared);
  }

  /** The hosted app of a name. */
  find(name: string): HostedApp | undefined {
    return this.#apps.get(name);
  }

  appNameAt(host: string | undefined): string | undefined {
    return appNameOfHost(host) ?? this.#domains.get(host?.toLowerCase().replace(/:\d+$/, '') ?? '');
  }

  /** The path below which the sign-in layer of the app at a Host answers. */
  signInPrefixAt(host: string): string {
    return signInPrefixOf(this.findDeclared(parseAppName(this.appNameAt(host) ?? '').name)?.auth);
  }

  /**
   * The target of requests to `<host>.localhost`: an app, one of its revisions (`web--blue`) or a
   * label (`web---stage`).
   */
  route(host: string): Route | undefined {
    const { name, label, suffix } = parseAppName(host);
    const app = this.#apps.get(name);
    if (app === undefined) return undefined;
    const choice = omitUndefined({ label, suffix });
    const { projectDir, root } = this.context;
    return {
      lease: () => app.lease(choice),
      status: () => app.status(),
      logFile: relative(projectDir, appLogFile(root, name)),
    };
  }

  /** The states of the apps, sorted by their names. */
  statuses(): AppStatus[] {
    return this.#sorted().map((app) => app.status());
  }

  /** The apps for the console, sorted by their names. */
  views(): AppView[] {
    return this.#sorted().map((app) => app.view());
  }

  #sorted(): readonly HostedApp[] {
    return [...this.#apps]
      .toSorted(([a], [b]) => a.localeCompare(b, undefined, { numeric: true }))
      .map(([, app]) => app);
  }

  /**
   * Determines which apps refuse a person who signs in with a registration, and why; each app
   * records it.
   */
  async recordRefusalsOfSignIn(attempt: SignInAttempt, readDirectory: DirectoryGet): Promise<void> {
    const { refusalLines, refusalOf } = await import('../identity-provider/refusals.js');
    for (const declared of this.#declared) {
      const refusal = await refusalOf(declared, attempt, readDirectory);
      if (refusal !== undefined)
        this.#apps.get(declared.name)?.recordRefusal(refusal, refusalLines(refusal));
    }
  }

  /** The latest refusal of a person by an app of a registration. */
  latestRefusal(
    personId: string,
    clientId: string,
  ): { readonly app: string; readonly refusal: Refusal } | undefined {
    for (const [name, app] of this.#apps) {
      const latestRefusal = app
        .view()
        .refusals.findLast((each) => each.personId === personId && each.clientId === clientId);
      if (latestRefusal !== undefined) return { app: name, refusal: latestRefusal };
    }
    return undefined;
  }

  /** Ends every app. */
  async close(): Promise<void> {
    await Promise.all([...this.#ending, ...[...this.#apps.values()].map((app) => app.close())]);
  }
}

/** The app that a name means, with the label (`web---stage`) or the revision (`web--blue`) of it. */
function parseAppName(text: string): { name: string; label?: string; suffix?: string } {
  const [, name = '', label, suffix] = /^(.+?)(?:---(.+)|--(.+))?$/.exec(text) ?? [];
  return { name, ...omitUndefined({ label, suffix }) };
}
