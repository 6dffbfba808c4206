import type { Dialect } from '../core/dialect/dialect.js';
import type { SandboxPaths } from './paths.js';
import { readJson, writePrivate } from './private-file.js';

/** How the sandbox runs one app: what a container app's declaration in the cloud has no word for. */
export interface AppSettings {
  /** Runs in a shell in the working directory, with `PORT` saying where to listen. @default the image by Docker, else a page that shows the request */
  readonly command?: string;
  /** @default the project's folder */
  readonly workingDirectory?: string;
  /** The image that was built for it, in place of the one that it declares. */
  readonly image?: string;
  /** Shows each request as the app would get it, in place of the image. @default false */
  readonly page?: boolean;
  /** Environment variables besides those that the app declares. */
  readonly env?: Readonly<Record<string, string>>;
  /** The words that the app's sign-in layer speaks. @default 'neutral' */
  readonly dialect?: Dialect;
  /** The app declares sign-in: it isn't served before its settings have arrived. @default false */
  readonly requiresAuth?: boolean;
}

/** The settings of every app, by its name. */
export type AppSettingsByName = Readonly<Record<string, AppSettings>>;

/** Reads what was written last. */
export function readAppSettings(paths: SandboxPaths): AppSettingsByName {
  return readJson<AppSettingsByName>(paths.apps) ?? {};
}

/** Writes the settings; a running sandbox is notified separately. */
export function writeAppSettings(paths: SandboxPaths, settings: AppSettingsByName): void {
  writePrivate(paths.apps, `${JSON.stringify(settings, undefined, 2)}\n`);
}
