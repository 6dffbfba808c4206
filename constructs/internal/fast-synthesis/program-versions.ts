import type { ValidateBinaryVersion } from '../cdktf.js';

const versions = new Map<string, string[]>();

type Validate = ValidateBinaryVersion['validate'];

/** A validation of a program's version that runs the program once for each requirement. */
export function rememberVersions(validate: Validate): Validate {
  return function remembered(this: ValidateBinaryVersion): string[] {
    const asked = JSON.stringify([this, process.env['PATH']]);
    const known = versions.get(asked) ?? validate.call(this);
    versions.set(asked, known);
    return known;
  };
}
