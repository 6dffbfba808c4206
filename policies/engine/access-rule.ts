import type { ConfigPath } from '../../core/yaml/layers.js';
import type { Rule } from './rule.js';

/** What a change does to who gets into an app, in numbers and names. */
export interface AccessSubject {
  readonly app: string;
  /** How many people gain and lose access by the directory, and how many there were. */
  readonly gained: number;
  readonly guestsGained: number;
  readonly lost: number;
  readonly remaining: number;
  /** Paths that become public; `/*` for the whole app. */
  readonly publicGained: readonly string[];
  /** Providers with an account at which anyone gets in now. */
  readonly anyoneGained: readonly string[];
  /** The most frequent reason for gaining and losing. */
  readonly whyGained: string;
  readonly whyLost: string;
  /** People who aren't in, but can let themselves in since the change, and by what. */
  readonly selfService: readonly { readonly who: string; readonly by: string }[];
  /** How many people there are of whom it can't be said since the change. */
  readonly unknown: number;
}

/** What an access rule says of a change. */
export interface AccessReport {
  readonly messageId: string;
  /** Below the app. */
  readonly path?: ConfigPath;
  readonly parameters?: Readonly<Record<string, unknown>>;
}

/** A rule about who gets in after a change, rather than about what is declared. */
export interface AccessRule extends Omit<Rule, 'check' | 'sections' | 'scope' | 'claims' | 'reads'> {
  check(subject: AccessSubject, options: Readonly<Record<string, unknown>>, report: (report: AccessReport) => void): void;
}

/** A number of people, in words. */
export function people(count: number): string {
  return count === 1 ? '1 person' : `${String(count)} people`;
}

/** An access rule as the catalogue lists it. */
export function accessCatalogueRule({ check: _check, ...rule }: AccessRule): Rule {
  return { ...rule, sections: [] };
}
