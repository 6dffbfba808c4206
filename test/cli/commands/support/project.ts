import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type CliRun, runCli } from '../../../support/run-cli.js';

/** A folder for commands to work in, fresh for each test. */
export interface Project {
  path(...names: string[]): string;
  write(name: string, content: string): void;
  read(name: string): string;
  run(...args: string[]): Promise<CliRun>;
}

/** Makes and removes the folder for the tests of this file. */
export function useProject(): Project {
  let folder = '';
  beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'castellan-commands-'))));
  afterEach(() => rmSync(folder, { recursive: true, force: true }));
  return {
    path: (...names) => join(folder, ...names),
    write: (name, content) => writeFileSync(join(folder, name), content),
    read: (name) => readFileSync(join(folder, name), 'utf8'),
    run: (...args) => runCli(args, { cwd: folder }),
  };
}

/** A configuration with a mistake that has a fix, and one that has none. */
export const shopConfig = `version: 1 # the contract
stack: shop
containerApps:
  web: # the shop window
    image: web:1
    targetPort: 80
    ingress: { external: true, allowInsecure: true } # reached by everyone
    auth: { redirectTo: codehst, providers: { codehost: { clientId: a, clientSecret: "\${env:S}" } } }
`;

/** A configuration of an app that everyone reaches. */
export const openAppConfig =
  'version: 1\nstack: shop\ncontainerApps:\n  web: { image: "web:1", targetPort: 80, ingress: { external: true } }\n';
