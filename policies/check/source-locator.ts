import { resolve } from 'node:path';
import { CastellanError } from '../../core/errors/castellan-error.js';
import type { Finding } from '../../core/findings/finding.js';
import type { FileAccess } from '../../core/source/file-access.js';
import type { FindLine } from '../sources/hcl/line-finder.js';
import type { ManifestSearch } from '../sources/plan/find-manifest.js';
import type { ManifestLocator } from '../sources/plan/manifest-locator.js';
import type { PlannedResource } from '../engine/planned-resource.js';
import { manifestName } from '../sources/plan/source-manifest.js';

/** Where to look for the source of a plan. */
export interface SourceSearch extends ManifestSearch {
  /** The named folder of `.tf` or `.tofu` files. */
  readonly source?: string | undefined;
  readonly files: FileAccess;
}

/** Locates the resources of a plan or state in the source from which they were synthesized. */
export class SourceLocator {
  private constructor(
    private readonly search: SourceSearch,
    private readonly manifests: readonly ManifestLocator[],
    /** Locates a finding in its Terraform file. */
    private readonly findLine: FindLine,
  ) {}

  /** The program that made the plan, once its resources are counted. */
  #engine: 'terraform' | 'tofu' | undefined;

  /**
   * Finds the manifests that synthesis wrote, and reads the named folder of `.tf` or `.tofu` files.
   *
   * @throws CAS7103 for a named manifest that cannot be read; CAS7104 for a folder without such
   *   files.
   */
  static async find(search: SourceSearch): Promise<SourceLocator> {
    const { findManifests } = await import('../sources/plan/find-manifest.js');
    const { source } = search;
    const { withTerraformNames } = await import('../sources/plan/terraform-names.js');
    const findLine: FindLine =
      source === undefined
        ? (finding) => finding
        : await (await import('../sources/hcl/line-finder.js')).lineFinder(source, search);
    return new SourceLocator(search, findManifests(search), (finding, engine) =>
      findLine(withTerraformNames(finding), engine),
    );
  }

  /**
   * Counts in each manifest the resources that it has, to find the manifest of this plan, and finds
   * by the registry of their providers which program made it.
   */
  countResources(resources: readonly PlannedResource[]): void {
    const isFrom = (registry: string) =>
      resources.some(({ providerName }) => providerName.includes(registry));
    if (isFrom('registry.opentofu.org/')) this.#engine = 'tofu';
    else if (isFrom('registry.terraform.io/')) this.#engine = 'terraform';
    for (const manifest of this.manifests)
      for (const resource of resources) manifest.countResource(resource);
  }

  /** Locates a finding in its Terraform file, if it has no location yet. */
  #locateInTerraform(finding: Finding): Finding {
    return finding.location === undefined ? this.findLine(finding, this.#engine) : finding;
  }

  /** The manifests that have most of the counted resources. */
  get #bestManifests(): readonly ManifestLocator[] {
    const mostMatches = Math.max(0, ...this.manifests.map(({ matchCount }) => matchCount));
    return this.manifests.filter((each) => mostMatches > 0 && each.matchCount === mostMatches);
  }

  /** The name of the stack whose plan this is, by its manifest. */
  get stackName(): string | undefined {
    const [manifest, secondManifest] = this.#bestManifests;
    return secondManifest === undefined ? manifest?.stackName : undefined;
  }

  /**
   * Whether castellan or cdktf may have synthesized the plan, so that there should be a manifest.
   */
  get #mayBeSynthesized(): boolean {
    const { cwd, files, env } = this.search;
    const names = ['castellan.yaml', 'cdktf.json', env['CDKTF_OUTDIR'] || 'cdktf.out'];
    return names.some((name) => files.stat(resolve(cwd, name)).kind !== 'missing');
  }

  /**
   * The findings with their locations, and notes on missing ones.
   *
   * @throws CAS7103 for a named manifest of other resources.
   */
  locate(findings: readonly Finding[]): {
    readonly findings: readonly Finding[];
    readonly note?: string;
  } {
    const bestManifests = this.#bestManifests;
    const [manifest, secondManifest] = bestManifests;
    if (manifest !== undefined && secondManifest === undefined)
      return {
        findings: findings.map((finding) => this.#locateInTerraform(manifest.locate(finding))),
      };
    const [first] = this.manifests;
    const { file, planFile } = this.search;
    const name = planFile === '-' ? 'what came from the pipe' : planFile;
    if (file !== undefined && first?.mismatch !== undefined && findings.length > 0)
      throw new CastellanError(
        'CAS7103',
        `${file} is not the manifest of ${name}: ${first.mismatch}`,
      );
    const locatedFindings = findings.map((finding) => this.#locateInTerraform(finding));
    const unlocatedCount = locatedFindings.filter(({ location }) => location === undefined).length;
    const { source } = this.search;
    if (
      unlocatedCount === 0 ||
      (first === undefined && source === undefined && !this.#mayBeSynthesized)
    )
      return { findings: locatedFindings };
    const reason =
      source !== undefined
        ? `${source} does not declare their resources`
        : first === undefined
          ? `there is no ${manifestName} beside it or in cdktf.out, which castellan synth writes`
          : bestManifests.length > 1
            ? `${bestManifests.map((each) => each.file).join(' and ')} fit it alike: name one with --manifest`
            : `${first.file} is of another synthesis: ${first.mismatch ?? ''}`;
    return {
      findings: locatedFindings,
      note: `${findingCountText(unlocatedCount)} of ${name} without a place in the source: ${reason}`,
    };
  }
}

function findingCountText(findings: number): string {
  return findings === 1 ? '1 finding' : `${String(findings)} findings`;
}
