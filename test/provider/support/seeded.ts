import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { configWith, type ControlPlane, startControlPlane } from './control-plane.js';
import { createWorkspace, type Workspace } from './terraform.js';

/** Services with a seed and a folder for terraform, fresh for each test. */
export interface Seeded {
  readonly plane: ControlPlane;
  readonly workspace: Workspace;
  /**
   * Applies resources, and looks that a plan finds nothing left to do.
   *
   * @returns what the apply said.
   */
  apply(resource: object, rest?: object): Promise<string>;
}

/**
 * Sets up and removes what the tests of this `describe` work with.
 *
 * @param files what is beside the configuration.
 */
export function useSeeded(
  services: readonly string[],
  seed: string,
  files: Readonly<Record<string, string>> = {},
): Seeded {
  let [plane, workspace, folder]: [ControlPlane?, Workspace?, string?] = [];
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cas-seed-'));
    await writeFile(join(folder, 'seed.yaml'), seed);
    plane = await startControlPlane({ services, seed: join(folder, 'seed.yaml') });
    workspace = await createWorkspace(plane.env);
  });
  afterEach(async () => {
    await workspace?.remove();
    await plane?.close();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });
  const seeded: Seeded = {
    get plane() {
      return there(plane);
    },
    get workspace() {
      return there(workspace);
    },
    async apply(resource, rest) {
      await seeded.workspace.write(configWith(resource, rest), files);
      await seeded.workspace.succeed('init');
      const output = await seeded.workspace.succeed('apply', '-auto-approve');
      expect(await seeded.workspace.succeed('plan', '-detailed-exitcode')).toContain('No changes');
      return output;
    },
  };
  return seeded;
}

/** A text of terraform without its frames and line breaks. */
export function flat(text: string): string {
  return text.replaceAll(/[\s│]+/g, ' ');
}

function there<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('only tests may ask for this');
  return value;
}
