import { CastellanError } from '../../core/errors/castellan-error.js';
import type { Finding } from '../../core/findings/finding.js';
import type { ManifestSearch } from '../sources/plan/find-manifest.js';
import type { ManifestPlaces } from '../sources/plan/manifest-places.js';
import type { PlannedResource } from '../engine/planned-resource.js';
import { manifestName } from '../sources/plan/source-manifest.js';

/** Finds the places of a plan's or a state's resources in the source that they were synthesized from. */
export class SourcePlaces {
  private constructor(
    private readonly search: ManifestSearch,
    private readonly manifests: readonly ManifestPlaces[],
  ) {}

  /** Looks for the manifests that synthesis writes. @throws CAS7103 for a named one that can't be read. */
  static async find(search: ManifestSearch): Promise<SourcePlaces> {
    const { findManifests } = await import('../sources/plan/find-manifest.js');
    return new SourcePlaces(search, findManifests(search));
  }

  /** The resources as they come, by which the manifest is found. */
  watch(resources: AsyncIterable<readonly PlannedResource[]>): AsyncIterable<readonly PlannedResource[]> {
    return this.manifests.length === 0 ? resources : this.#watched(resources);
  }

  async *#watched(resources: AsyncIterable<readonly PlannedResource[]>): AsyncGenerator<readonly PlannedResource[]> {
    for await (const some of resources) {
      for (const manifest of this.manifests) for (const resource of some) manifest.see(resource);
      yield some;
    }
  }

  /**
   * The findings with their places, and what is to be said where some have none.
   *
   * @throws CAS7103 for a named manifest that is not of these resources.
   */
  place(findings: readonly Finding[]): { readonly findings: readonly Finding[]; readonly note?: string } {
    const most = Math.max(0, ...this.manifests.map(({ matching }) => matching));
    const matching = this.manifests.filter((each) => most > 0 && each.matching === most);
    const [manifest] = matching;
    if (manifest !== undefined && matching.length === 1) return { findings: findings.map((finding) => manifest.locate(finding)) };
    const [first] = this.manifests;
    const { file, beside } = this.search;
    const name = beside === '-' ? 'what came from the pipe' : beside;
    if (file !== undefined && first?.mismatch !== undefined && findings.length > 0)
      throw new CastellanError('CAS7103', `${file} is not the manifest of ${name}: ${first.mismatch}`);
    const lost = findings.filter(({ location }) => location === undefined).length;
    if (lost === 0) return { findings };
    const why =
      first === undefined
        ? `there is no ${manifestName} beside it or in cdktf.out, which castellan synth writes`
        : matching.length > 1
          ? `${matching.map((each) => each.file).join(' and ')} fit it alike: name one with --manifest`
          : `${first.file} is of another synthesis: ${first.mismatch ?? ''}`;
    return { findings, note: `${count(lost)} of ${name} without a place in the source: ${why}` };
  }
}

function count(findings: number): string {
  return findings === 1 ? '1 finding' : `${String(findings)} findings`;
}
