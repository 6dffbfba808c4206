import type { IncomingMessage } from 'node:http';
import type { Dialect } from '../../core/dialect/dialect.js';
import type { DeclaredApp } from '../../services/resource-manager/index.js';
import type { AppSettings } from '../settings.js';
import { customDomainsOf } from './custom-domains.js';
import type { RevisionPlan } from './revision-plan.js';
import { type SidecarContext, type SidecarFiles, writeSidecarFiles } from './sidecar.js';

/** The configuration of the sign-in layers of an app's replicas. */
export interface SidecarConfig {
  readonly files: SidecarFiles;
  /** The addresses at which browsers reach the app: `https://web.localhost:8443`. */
  readonly origins: readonly string[];
  readonly dialect: Dialect;
  /**
   * The sign-in settings and secrets as JSON, to see whether they changed; a running layer reads
   * changes without a restart.
   */
  readonly settingsJson: string;
  /**
   * Whether a request must reach the app without the headers of the signed-in person; undefined
   * while the fault `lostPrincipal` is not injected.
   */
  readonly shouldDropPrincipal?: ((request: IncomingMessage) => boolean) | undefined;
}

/** An app with its settings of the sandbox and its revisions. */
interface AppWithSignIn {
  readonly declared: DeclaredApp;
  readonly settings: AppSettings;
  readonly plans: readonly RevisionPlan[];
}

/**
 * Configures the sign-in layers of an app, and writes their files if its sign-in settings or secrets
 * have changed.
 *
 * @param current their configuration until now; undefined if they have none.
 */
export function configureSidecars(
  { declared, settings, plans }: AppWithSignIn,
  context: SidecarContext & {
    readonly domain: string;
    dropPrincipalPredicateOf?(app: string): ((request: IncomingMessage) => boolean) | undefined;
  },
  current: SidecarConfig | undefined,
): SidecarConfig {
  const settingsJson = JSON.stringify([declared.auth, declared.secrets]);
  const files =
    current?.settingsJson === settingsJson ? current.files : writeSidecarFiles(context, declared);
  const labels = plans.flatMap((plan) => plan.labels.map((label) => `${declared.name}---${label}`));
  const hosts = [
    declared.name,
    ...labels,
    ...(plans.length > 1 ? plans.map(({ name }) => name) : []),
  ];
  return {
    files,
    origins: [
      ...hosts.map((host) => `${host}.${context.domain}`),
      ...customDomainsOf(declared),
    ].map((host) => `https://${host}`),
    dialect: settings.dialect ?? 'neutral',
    settingsJson,
    shouldDropPrincipal: context.dropPrincipalPredicateOf?.(declared.name),
  };
}
