import { relative, resolve, dirname } from 'node:path';
import { type Finding, type SourceLocation } from '../../../core/findings/finding.js';
import type { ConfigPath } from '../../../core/yaml/layers.js';
import { omitUndefined } from '../../../core/values/omit-undefined.js';
import type { PlannedResource } from '../../engine/planned-resource.js';
import type { ManifestPlace, SourceManifest } from './source-manifest.js';

/** Locates findings by a manifest, and counts which resources of a plan it has. */
export class ManifestLocator {
  #foundCount = 0;
  #firstMissing = '';
  #missingCount = 0;

  /**
   * @param file the manifest's own path in messages.
   * @param cwd the base folder of locations.
   */
  constructor(
    readonly file: string,
    private readonly manifest: SourceManifest,
    private readonly cwd: string,
  ) {}

  /** The name of the synthesized stack. */
  get stackName(): string {
    return this.manifest.stack;
  }

  /**
   * Counts a resource as found or missing in the manifest. A deleted resource may be gone from the
   * program, and one in a module was never in it.
   */
  countResource({ address, mode, after }: PlannedResource): void {
    if (mode !== 'managed' || after === null || address.startsWith('module.')) return;
    if (Object.hasOwn(this.manifest.resources, plainAddress(address))) this.#foundCount++;
    else if (++this.#missingCount === 1) this.#firstMissing = address;
  }

  /** How many resources of the plan are in the manifest; 0 if one of them is not. */
  get matchCount(): number {
    return this.#missingCount > 0 ? 0 : this.#foundCount;
  }

  /** Why the manifest does not belong to the plan; undefined if it does. */
  get mismatch(): string | undefined {
    if (this.#missingCount > 0)
      return `${this.#firstMissing}${this.#missingCount > 1 ? ` and ${String(this.#missingCount - 1)} more` : ''} of the plan is not in it`;
    return this.#foundCount === 0 ? 'nothing of the plan is in it' : undefined;
  }

  /**
   * A finding with its location in the source and in the construct tree, if the manifest has them.
   */
  locate(finding: Finding): Finding {
    const { terraformAddress, path = [] } = finding;
    const resource =
      terraformAddress === undefined
        ? undefined
        : ownValue(this.manifest.resources, plainAddress(terraformAddress));
    if (resource === undefined) return finding;
    const declaration =
      resource.declaration === undefined
        ? undefined
        : ownValue(this.manifest.declarations, resource.declaration);
    const place =
      nearestValue(declaration?.values ?? {}, path.slice(2)) ??
      declaration?.place ??
      resource.place;
    const location = finding.location ?? this.#locationOf(place);
    return {
      ...finding,
      constructPath: finding.constructPath ?? resource.construct,
      ...omitUndefined({ location }),
    };
  }

  #locationOf(place: ManifestPlace | undefined): SourceLocation | undefined {
    const file = place === undefined ? undefined : this.manifest.files[place[0]];
    if (place === undefined || file === undefined) return undefined;
    const [, line, column, endLine, endColumn] = place;
    const fromCwd = relative(this.cwd, resolve(this.cwd, dirname(this.file), file)).replaceAll(
      '\\',
      '/',
    );
    const start = { file: fromCwd, line, column };
    return endLine === undefined || endColumn === undefined
      ? start
      : { ...start, endLine, endColumn };
  }
}

/** The location of a value, or of the closest one around it. */
function nearestValue(
  values: Readonly<Record<string, ManifestPlace>>,
  path: ConfigPath,
): ManifestPlace | undefined {
  for (let length = path.length; length > 0; length--) {
    const place = ownValue(values, path.slice(0, length).join('/'));
    if (place !== undefined) return place;
  }
  return undefined;
}

/** The address without an instance index. */
function plainAddress(address: string): string {
  return address.endsWith(']') ? address.replace(/\[(?:\d+|"(?:[^"\\]|\\.)*")\]$/, '') : address;
}

function ownValue<Value>(record: Readonly<Record<string, Value>>, key: string): Value | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
