import type { Problem } from '../../core/source/problem.js';
import { isObject } from '../../core/values/is-object.js';
import type { YamlDocument } from '../../core/yaml/parse-yaml.js';

// Files of Terraform that someone gives in the place of a castellan.yaml.

/** The problem of a path that names Terraform code, which is checked as a plan. */
export function terraformCodeProblem(path: string): Problem | undefined {
  if (!/\.(?:tf|tofu)(?:\.json)?$/.test(path)) return undefined;
  return {
    id: 'config-unreadable',
    message: `${path} is code of Terraform, which is checked as a plan: give what terraform show -json PLANFILE prints by --plan, and the folder of the code by --source`,
    location: { file: path, line: 1, column: 1 },
  };
}

/** The problem of a document that is a plan or a state as JSON, for which there are options. */
export function planOrStateProblem({
  root: { value },
  source: { file },
}: YamlDocument): Problem | undefined {
  if (!isObject(value) || 'stack' in value) return undefined;
  const isPlan = 'planned_values' in value || 'resource_changes' in value;
  const isState = 'lineage' in value || ('format_version' in value && 'values' in value);
  if (!isPlan && !isState) return undefined;
  const [what, option] = isPlan ? ['plan', '--plan'] : ['state', '--state'];
  return {
    id: 'config-unreadable',
    message: `${file} is a ${what} of Terraform: give it by ${option}`,
    location: { file, line: 1, column: 1 },
  };
}
