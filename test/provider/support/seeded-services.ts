import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { configWith, type ControlPlane, startControlPlane } from './control-plane.js';
import { createWorkspace, type Workspace } from './terraform.js';

/** Services with seed data and a workspace folder for terraform, new for each test. */
export interface SeededServices {
  readonly controlPlane: ControlPlane;
  readonly workspace: Workspace;
  /**
   * Applies resources, after `init` for the first ones of a test, and expects that the next plan
   * has no changes.
   *
   * @returns the output of the apply.
   */
  apply(resource: object, otherBlocks?: object): Promise<string>;
}

/**
 * Starts services before each test of this `describe`, and stops them after it.
 *
 * @param files more files in the folder of the configuration, by name.
 */
export function useSeededServices(
  services: readonly string[],
  seed: string,
  files: Readonly<Record<string, string>> = {},
): SeededServices {
  let [controlPlane, workspace, folder]: [ControlPlane?, Workspace?, string?] = [];
  let isInitialized = false;
  beforeEach(async () => {
    isInitialized = false;
    folder = await mkdtemp(join(tmpdir(), 'cas-seed-'));
    await writeFile(join(folder, 'seed.yaml'), seed);
    controlPlane = await startControlPlane({ services, seed: join(folder, 'seed.yaml') });
    workspace = await createWorkspace(controlPlane.env);
  });
  afterEach(async () => {
    await workspace?.remove();
    await controlPlane?.close();
    if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  });
  const seeded: SeededServices = {
    get controlPlane() {
      return definedInTest(controlPlane);
    },
    get workspace() {
      return definedInTest(workspace);
    },
    async apply(resource, otherBlocks) {
      await seeded.workspace.write(configWith(resource, otherBlocks), files);
      // the providers stay the same
      if (!isInitialized) await seeded.workspace.succeed('init');
      isInitialized = true;
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

function definedInTest<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('services exist only while a test runs');
  return value;
}
