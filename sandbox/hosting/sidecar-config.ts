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
  readonly origins: readonly string[];
  readonly dialect: Dialect;
  /** The sign-in settings and secrets as text; a running layer reads changes without a restart. */
  readonly settings: string;
  /**
   * Whether a request must reach the app without the headers of the signed-in person; undefined
   * while the fault `lostPrincipal` is not played.
   */
  readonly shouldDropPrincipal?: ((request: IncomingMessage) => boolean) | undefined;
}

/** An app with its sign-in settings, and its revisions. */
interface SignedInApp {
  readonly declared: DeclaredApp;
  readonly settings: AppSettings;
  readonly plans: readonly RevisionPlan[];
}

/**
 * Configures the sign-in layers of an app, and writes their files if its settings have changed.
 *
 * @param current the configuration that they have.
 */
export function sidecarConfigOf(
  { declared, settings, plans }: SignedInApp,
  context: SidecarContext & {
    readonly domain: string;
    lostPrincipalPredicate?(app: string): ((request: IncomingMessage) => boolean) | undefined;
  },
  current: SidecarConfig | undefined,
): SidecarConfig {
  const settingsText = JSON.stringify([declared.auth, declared.secrets]);
  const files =
    current?.settings === settingsText ? current.files : writeSidecarFiles(context, declared);
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
    settings: settingsText,
    shouldDropPrincipal: context.lostPrincipalPredicate?.(declared.name),
  };
}
