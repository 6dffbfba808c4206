import type { SourceLocation } from '../../../core/findings/finding.js';

/**
 * The file that synthesis writes beside the Terraform JSON: the source location of each resource.
 */
export const manifestName = 'castellan.manifest.json';

/**
 * A location: the index of its file in the manifest, line and column, and its end; all from 1, the
 * index from 0.
 */
export type ManifestPlace = readonly [
  file: number,
  line: number,
  column: number,
  endLine?: number,
  endColumn?: number,
];

/** The locations of one declaration of castellan.yaml, or of one construct. */
export interface ManifestDeclaration {
  /** Where castellan.yaml declares it, or the line of the program that creates it. */
  readonly place?: ManifestPlace;
  /**
   * The locations of its values, by their relative paths: `mailNickname`, `owners/0`. A program has
   * only the line that creates it.
   */
  readonly values?: Readonly<Record<string, ManifestPlace>>;
}

/** A Terraform resource in a manifest. */
export interface ManifestResource {
  /** Its declaration: `groups/shoppers`. Resources of plain bindings have none. */
  readonly declaration?: string;
  /** The path in the construct tree: `storefront/groups/shoppers`. */
  readonly construct: string;
  /** The line that creates it, if it has no declaration. */
  readonly place?: ManifestPlace;
}

/** The content of the file. */
export interface SourceManifest {
  readonly version: 1;
  readonly stack: string;
  /** The source files, relative to the folder of the manifest. */
  readonly files: readonly string[];
  /** By section and name: `groups/shoppers`. */
  readonly declarations: Readonly<Record<string, ManifestDeclaration>>;
  /** By address: `azuread_group.shoppers`. */
  readonly resources: Readonly<Record<string, ManifestResource>>;
}

/** A location in the form of manifests. */
export function manifestPlace(
  file: number,
  { line, column, endLine, endColumn }: SourceLocation,
): ManifestPlace {
  return endLine === undefined || endColumn === undefined
    ? [file, line, column]
    : [file, line, column, endLine, endColumn];
}
