import { CastellanError } from '../../core/errors/castellan-error.js';
import type { Finding } from '../../core/findings/finding.js';
import type { ManifestSearch } from '../sources/plan/find-manifest.js';
import type { ManifestPlaces } from '../sources/plan/manifest-places.js';
import type { PlannedResource } from '../engine/planned-resource.js';
import { manifestName } from '../sources/plan/source-manifest.js';

/** Locates the resources of a plan or state in the source from which they were synthesized. */
export class SourceLocator {
  private constructor(
    private readonly search: ManifestSearch,
    private readonly manifests: readonly ManifestPlaces[],
  ) {}

  /**
   * Finds the manifests that synthesis wrote. @throws CAS7103 for a named one that cannot be read.
   */
  static async find(search: ManifestSearch): Promise<SourceLocator> {
    const { findManifests } = await import('../sources/plan/find-manifest.js');
    return new SourceLocator(search, findManifests(search));
  }

  /** Takes the resources while they are read, to recognize their manifest. */
  watch(
    resources: AsyncIterable<readonly PlannedResource[]>,
  ): AsyncIterable<readonly PlannedResource[]> {
    return this.manifests.length === 0 ? resources : this.#watched(resources);
  }

  async *#watched(
    resources: AsyncIterable<readonly PlannedResource[]>,
  ): AsyncGenerator<readonly PlannedResource[]> {
    for await (const some of resources) {
      for (const manifest of this.manifests) for (const resource of some) manifest.see(resource);
      yield some;
    }
  }

  /**
   * The findings with their locations, and notes on missing ones.
   *
   * @throws CAS7103 for a named manifest of other resources.
   */
  place(findings: readonly Finding[]): {
    readonly findings: readonly Finding[];
    readonly note?: string;
  } {
    const most = Math.max(0, ...this.manifests.map(({ matching }) => matching));
    const matching = this.manifests.filter((each) => most > 0 && each.matching === most);
    const [manifest] = matching;
    if (manifest !== undefined && matching.length === 1)
      return { findings: findings.map((finding) => manifest.locate(finding)) };
    const [first] = this.manifests;
    const { file, beside } = this.search;
    const name = beside === '-' ? 'what came from the pipe' : beside;
    if (file !== undefined && first?.mismatch !== undefined && findings.length > 0)
      throw new CastellanError(
        'CAS7103',
        `${file} is not the manifest of ${name}: ${first.mismatch}`,
      );
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
