import { writeFileSync } from 'node:fs';
import { join, relative, resolve, sep } from 'node:path';
import type { SourceLocation } from '../../core/findings/finding.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import type { ConfigPath } from '../../core/yaml/layers.js';
import {
  type ManifestDeclaration,
  manifestName,
  manifestPlace,
  type ManifestPlace,
  type ManifestResource,
  type SourceManifest,
} from '../../policies/sources/plan/source-manifest.js';
import { CastellanConstruct } from '../internal/castellan-construct.js';
import { type IConstruct, TerraformResource, TerraformStack } from '../internal/cdktf.js';
import { creationLocationOf } from '../internal/recorded-creation.js';
import { onSynthesis } from '../internal/synthesis-callbacks.js';
import { addressOf } from '../internal/terraform-address.js';

/** Finds the locations of a stack's values in its configuration. */
export interface ConfigLocator {
  /** @default only the lines that created constructs are known */
  readonly locate?: ((path: ConfigPath) => SourceLocation | undefined) | undefined;
  /** The base folder of the locations' files. */
  readonly cwd: string;
}

const configLocators = new WeakMap<TerraformStack, ConfigLocator>();

/** Sets how the values of a stack are located in its configuration. */
export function setConfigLocator(stack: TerraformStack, locator: ConfigLocator): void {
  configLocators.set(stack, locator);
}

/**
 * Writes {@link manifestName} beside the Terraform JSON of a stack, so that findings in its plan
 * have their source location.
 */
export function writeSourceManifest(stack: TerraformStack): void {
  onSynthesis(stack, 'source manifest', ({ outdir, manifest }) => {
    const folder = resolve(outdir, manifest.forStack(stack).workingDirectory);
    writeFileSync(
      join(folder, manifestName),
      `${JSON.stringify(sourceManifestOf(stack, folder))}\n`,
    );
  });
}

/** The declaration that a resource belongs to, and the path of its construct. */
type Owner = Required<Pick<ManifestResource, 'declaration' | 'construct'>>;

/**
 * The content of a stack's manifest; file paths are relative to its folder, so that it is the same
 * on every machine.
 */
export function sourceManifestOf(stack: TerraformStack, folder: string): SourceManifest {
  const { locate, cwd } = configLocators.get(stack) ?? { cwd: process.cwd() };
  const files = new Map<string, number>();
  const placeOf = (location: SourceLocation | undefined): ManifestPlace | undefined => {
    if (location === undefined) return undefined;
    const file = relative(folder, resolve(cwd, location.file)).split(sep).join('/');
    const index = files.get(file) ?? files.size;
    files.set(file, index);
    return manifestPlace(index, location);
  };
  const declarations: Record<string, ManifestDeclaration> = {};
  const resources: [string, ManifestResource][] = [];
  const visit = (node: IConstruct, owner: Owner | undefined): void => {
    let nodeOwner = owner;
    if (node instanceof CastellanConstruct) {
      const { section, name, value } = node.declaration;
      nodeOwner = { declaration: `${section}/${name}`, construct: node.node.path };
      const values =
        locate === undefined
          ? {}
          : { values: valuePlaces(value, (path) => placeOf(locate([section, name, ...path]))) };
      declarations[nodeOwner.declaration] = {
        ...omitUndefined({ place: placeOf(node.creationLocation) }),
        ...values,
      };
    }
    if (TerraformResource.isTerraformResource(node)) {
      const manifestResource: ManifestResource = nodeOwner ?? {
        ...omitUndefined({ place: placeOf(creationLocationOf(node)) }),
        construct: node.node.path,
      };
      resources.push([addressOf(node), manifestResource]);
    }
    for (const child of node.node.children)
      if (!TerraformStack.isStack(child)) visit(child, nodeOwner);
  };
  visit(stack, undefined);
  resources.sort(([a], [b]) => (a < b ? -1 : 1));
  return {
    version: 1,
    stack: stack.node.id,
    files: [...files.keys()],
    declarations,
    resources: Object.fromEntries(resources),
  };
}

/** The locations of all values of a declaration that have one. */
function valuePlaces(
  value: unknown,
  placeAt: (path: ConfigPath) => ManifestPlace | undefined,
): Readonly<Record<string, ManifestPlace>> {
  const places: Record<string, ManifestPlace> = {};
  const visit = (current: unknown, path: ConfigPath): void => {
    if (current === null || typeof current !== 'object') return;
    for (const [key, item] of Object.entries(current)) {
      const itemPath = [...path, Array.isArray(current) ? Number(key) : key];
      const place = placeAt(itemPath);
      if (place !== undefined) places[itemPath.join('/')] = place;
      visit(item, itemPath);
    }
  };
  visit(value, []);
  return places;
}
