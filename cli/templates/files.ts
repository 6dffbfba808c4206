import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import packageJson from '../../package.json';

/** The purpose of each template. */
export const templates = {
  'app-with-sign-in': 'a container app behind sign-in, its registration and its group',
  groups: 'directory groups with owners, members and a membership rule',
  fabric: 'a workspace with an eventhouse and an eventstream',
  'policy-only': 'a configuration that is checked by a policy of your own',
  typescript: 'constructs in TypeScript, with cdktf',
} as const;

/** The name of a template. */
export type TemplateName = keyof typeof templates;

/** The source of each file in a template, by its target. */
const sources: Readonly<Record<TemplateName, Readonly<Record<string, string>>>> = {
  'app-with-sign-in': { 'castellan.yaml': 'app-with-sign-in/castellan.yaml' },
  groups: { 'castellan.yaml': 'groups/castellan.yaml' },
  fabric: { 'castellan.yaml': 'fabric/castellan.yaml' },
  'policy-only': {
    'castellan.yaml': 'policy-only/castellan.yaml',
    'castellan.policy.yaml': 'policy-only/castellan.policy.yaml',
  },
  typescript: {
    'main.ts': 'typescript/main.ts',
    'team.ts': 'typescript/team.ts',
    'team.test.ts': 'typescript/team.test.ts',
    'jest.config.js': 'typescript/jest.config.js',
    'package.json': 'typescript/package.json',
    'tsconfig.json': 'typescript/tsconfig.json',
    'cdktf.json': 'typescript/cdktf.json',
  },
};

/** Files that are the same in every template. */
const sharedSources = { 'seed.yaml': 'shared/seed.yaml', '.gitignore': 'shared/gitignore' };
/** The folder of the templates: beside the bundle, in a package that has only one file. */
const folder =
  [join(__dirname, 'templates'), __dirname].find((each) => existsSync(each)) ?? __dirname;
const workflowPath = '.github/workflows/castellan.yml';

/**
 * The files of a template, by their paths.
 *
 * @param name the name of the stack.
 * @param castellan the version or package file of castellan in `package.json` of the TypeScript
 *   template.
 */
export function templateFiles(
  template: TemplateName,
  name: string,
  castellan: string,
): ReadonlyMap<string, string> {
  const sourceByPath = {
    ...sources[template],
    ...sharedSources,
    [workflowPath]: template === 'typescript' ? 'typescript/workflow.yml' : 'shared/workflow.yml',
  };
  const placeholders: Readonly<Record<string, string>> = {
    name,
    castellan,
    version: packageJson.version,
  };
  return new Map(
    Object.entries(sourceByPath).map(([path, source]) => {
      const text = readFileSync(join(folder, `${source}.tmpl`), 'utf8');
      return [
        path,
        text.replace(/\{\{(\w+)\}\}/g, (word, key: string) => placeholders[key] ?? word),
      ];
    }),
  );
}
