import type { SourceLocation } from '../../../core/findings/finding.js';

/** The file that synthesis writes beside the Terraform JSON: where in the source each resource comes from. */
export const manifestName = 'castellan.manifest.json';

/** A place: which of the manifest's files, line and column, and where it ends; all from 1, the file from 0. */
export type ManifestPlace = readonly [file: number, line: number, column: number, endLine?: number, endColumn?: number];

/** What one declaration of castellan.yaml, or one construct of a program, says of its source. */
export interface ManifestDeclaration {
  readonly place?: ManifestPlace;
  /** The places of its values, by their paths below it: `mailNickname`, `owners/0`. A program has only the line that creates it. */
  readonly values?: Readonly<Record<string, ManifestPlace>>;
}

/** What a manifest says of a Terraform resource. */
export interface ManifestResource {
  /** The declaration that it comes from: `groups/shoppers`. Resources of the plain bindings have none. */
  readonly declaration?: string;
  /** The path in the construct tree: `storefront/groups/shoppers`. */
  readonly construct: string;
  /** The line that creates it, where no declaration says so. */
  readonly place?: ManifestPlace;
}

/** What is in the file. */
export interface SourceManifest {
  readonly version: 1;
  readonly stack: string;
  /** The source files, seen from the folder of the manifest. */
  readonly files: readonly string[];
  readonly declarations: Readonly<Record<string, ManifestDeclaration>>;
  /** By address: `azuread_group.shoppers`. */
  readonly resources: Readonly<Record<string, ManifestResource>>;
}

/** A place as manifests write it. */
export function manifestPlace(file: number, { line, column, endLine, endColumn }: SourceLocation): ManifestPlace {
  return endLine === undefined || endColumn === undefined ? [file, line, column] : [file, line, column, endLine, endColumn];
}
