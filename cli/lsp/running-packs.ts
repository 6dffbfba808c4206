import { statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { LoadedPack } from '../../policies/packs/load-packs.js';
import { loadPacks } from '../../policies/packs/load-packs.js';
import type { LoadedPolicy } from '../../policies/configuration/load-policy.js';

/** The packs of the policies at work, kept running from one check to the next and started again when a policy or a pack's file changes. */
export class RunningPacks {
  readonly #running = new Map<string, { readonly state: string; readonly packs: Promise<readonly LoadedPack[]> }>();

  /** The packs of a policy. */
  async of({ config, file }: LoadedPolicy): Promise<readonly LoadedPack[]> {
    if (file === undefined) return [];
    const packs = config.packs ?? [];
    const folder = resolve('/', dirname(file));
    const state = JSON.stringify([packs, packs.map((pack) => changedAt(resolve(folder, pack.file ?? '.')))]);
    const known = this.#running.get(file);
    if (known?.state === state) return known.packs;
    const started = packs.length === 0 ? Promise.resolve([]) : loadPacks(packs, folder);
    this.#running.set(file, { state, packs: started });
    await ended(known?.packs);
    return started.catch((error: unknown) => {
      this.#running.delete(file);
      throw error;
    });
  }

  /** Ends all of them. */
  async close(): Promise<void> {
    const all = [...this.#running.values()];
    this.#running.clear();
    await Promise.all(all.map(({ packs }) => ended(packs)));
  }
}

async function ended(packs: Promise<readonly LoadedPack[]> | undefined): Promise<void> {
  const loaded = await packs?.catch(() => []); // what could not be started was said then, and has ended
  await Promise.all((loaded ?? []).map((each) => each.close()));
}

function changedAt(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
