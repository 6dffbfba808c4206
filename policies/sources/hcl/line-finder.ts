import { resolve } from 'node:path';
import { CastellanError } from '../../../core/errors/castellan-error.js';
import type { Finding } from '../../../core/findings/finding.js';
import type { FileAccess } from '../../../core/source/file-access.js';
import type { ConfigPath } from '../../../core/yaml/layers.js';
import { sections } from '../../../kinds/stack/schema.js';
import { resourcePath } from '../../engine/resource-rule.js';
import { parseAddress } from '../plan/address.js';
import { attributePath } from '../plan/declaring-types.js';
import { configurationFiles, HclSource } from './hcl-source.js';
import { loadHclParser } from './parse-hcl.js';

/** Finds the line of a finding; the files of OpenTofu are not read for a plan of Terraform. */
export type FindLine = (finding: Finding, engine: 'terraform' | 'tofu' | undefined) => Finding;

/**
 * A function that finds the lines of findings about resources in a folder of `.tf` or `.tofu`
 * files.
 *
 * @throws CAS7104 for a folder without such files.
 */
export async function lineFinder(
  folder: string,
  { cwd, files }: { readonly cwd: string; readonly files: FileAccess },
): Promise<FindLine> {
  const path = resolve(cwd, folder);
  if (
    files.stat(path).kind !== 'folder' ||
    configurationFiles(files.list(path), undefined).length === 0
  )
    throw new CastellanError(
      'CAS7104',
      `${folder} is no folder of .tf or .tofu files: give the folder in which terraform plan ran`,
      { details: { folder } },
    );
  const parse = await loadHclParser();
  let source: HclSource | undefined;
  return (finding, engine) => {
    const { location, terraformAddress, path: subject = [] } = finding;
    if (location !== undefined || terraformAddress === undefined) return finding;
    source ??= new HclSource({ folder: path, engine }, cwd, files, parse);
    const place = source.locate(terraformAddress, attributeOfFinding(terraformAddress, subject));
    return place === undefined ? finding : { ...finding, location: place };
  };
}

/** The attribute of a resource that a finding is about. */
function attributeOfFinding(address: string, path: ConfigPath): ConfigPath {
  const type = parseAddress(address)?.type ?? '';
  const resourceSteps = resourcePath(address);
  if (resourceSteps.every((step, index) => path[index] === step))
    return path.slice(resourceSteps.length);
  const below = path.slice(2);
  return (Object.hasOwn(sections, String(path[0])) && attributePath(type, below)) || below;
}
