import { existsSync, lstatSync, mkdirSync, rmdirSync, rmSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { CastellanError } from '../../core/errors/castellan-error.js';
import { exitCodes } from '../../core/findings/exit-code.js';
import { diskFiles, repositoryOf } from '../../core/source/file-access.js';
import { nearest } from '../../core/text/nearest.js';
import { shellWord } from '../../core/text/shell-word.js';
import { containerApp } from '../../kinds/container-app/container-app.js';
import { editorSchema } from '../../kinds/stack/editor-schema.js';
import { stackSchema } from '../../kinds/stack/schema.js';
import packageJson from '../../package.json';
import { prompt, canPrompt } from '../prompt.js';
import type { CliIo, RegisterCommand } from '../command.js';
import { templateFiles, type TemplateName, templates } from '../templates/files.js';
import { addFormat, type FormatFlags, formatOf, printResult } from '../format.js';
import { changeFile, readInput, writeOutput } from '../files.js';
import { existingProject, unifiedDiff } from './init/existing-project.js';
import { withLine } from './init/with-line.js';

interface InitFlags extends FormatFlags {
  /** The name of the stack. @default the folder's name */
  readonly name?: string;
  readonly directory: string;
  /** The version of castellan that package.json depends on. @default this version */
  readonly castellan?: string;
  /** Whether to add to a cdktf project what it lacks, in place of a template. */
  readonly existing?: true;
  /** Whether to write nothing, and only print what would be written. */
  readonly dryRun?: true;
}

const templateNames = Object.keys(templates) as TemplateName[];
const stackNamePattern = new RegExp(stackSchema.properties.stack.pattern ?? '');
const { minLength: minNameLength = 1, pattern: appNamePattern = '' } = containerApp.properties.name;
const ignoreFile = '.gitignore';
const workflowFile = '.github/workflows/castellan.yml';
/** Room for suffixes that templates add to a name, such as `-login`. */
const maxNameLength = 24;

/** `castellan init [template]`: writes the files of a new project. */
export const register: RegisterCommand = (program, io, done) => {
  addFormat(program.command('init'))
    .description(
      'Write the files of a new project: configuration, people of the sandbox, editor schema, CI workflow. Overwrites nothing; a .gitignore gets the lines that it lacks.',
    )
    .argument('[template]', templateNames.map((each) => `${each} (${templates[each]})`).join('; '))
    .option('--name <stack>', "the name of the stack (default: the folder's name)")
    .option('-C, --directory <folder>', 'where to write to; made where it is missing', '.')
    .option(
      '--castellan <version>',
      'what package.json of the TypeScript template depends on (default: this version)',
    )
    .option(
      '--existing',
      'add to a cdktf project what Castellan needs, change nothing else, and show the difference',
    )
    .option('--dry-run', 'show the files (with --existing: the difference), write nothing')
    .action(async (templateName: string | undefined, flags: InitFlags) => {
      const format = formatOf(flags);
      if (flags.existing === true) {
        addToExistingProject(templateName, flags, io);
        done(exitCodes.clean);
        return;
      }
      const template = await chooseTemplate(templateName, io);
      const name = await chooseStackName(flags, io);
      const files = new Map(
        templateFiles(template, name, flags.castellan ?? `^${packageJson.version}`),
      );
      if (files.has('castellan.yaml'))
        files.set('castellan.schema.json', `${JSON.stringify(editorSchema(), undefined, 2)}\n`);
      const paths = [...files.keys()].map((path) => join(flags.directory, path));
      const extendedIgnoreText = extendedIgnoreFile(
        files.get(ignoreFile) ?? '',
        flags.directory,
        io,
      );
      if (extendedIgnoreText !== undefined) files.delete(ignoreFile);
      refuseExisting(
        [...files.keys()].map((path) => join(flags.directory, path)),
        io,
      );
      if (flags.dryRun !== true) writeNewFiles(files, extendedIgnoreText, flags.directory, io);
      const steps = nextSteps(template, flags.directory, io);
      const text = [...paths, '', 'Next:', ...steps.map((step) => `  ${step}`), ''].join('\n');
      printResult(format, { template, name, files: paths, next: steps }, text, io);
      done(exitCodes.clean);
    });
};

/** `castellan init --existing`. */
function addToExistingProject(template: string | undefined, flags: InitFlags, io: CliIo): void {
  const { directory, castellan = `^${packageJson.version}`, dryRun } = flags;
  if (template !== undefined)
    throw new CastellanError('CAS8001', '--existing takes no template: it adds to what is there');
  const { changes, packageManager, cdktf } = existingProject(resolve(io.cwd, directory), castellan);
  if (dryRun !== true)
    for (const { path, before, after } of changes)
      (before === undefined ? writeOutput : changeFile)(io, join(directory, path), after);
  const next = [
    ...(directory === '.' ? [] : [`cd ${shellWord(directory)}`]),
    packageManager.install,
    "add to the program, before its stacks: PolicyChecks.of(app), from 'castellan/constructs'",
    `${packageManager.run} castellan sandbox start --seed seed.yaml && eval "$(${packageManager.run} castellan sandbox env)"`,
    `${cdktf} deploy --skip-provider-lock`,
  ];
  const text = [
    changes.length === 0 ? 'Nothing is missing.\n' : changes.map(unifiedDiff).join(''),
    'Next:',
    ...next.map((step) => `  ${step}`),
    '',
  ].join('\n');
  const files = changes.map(({ path }) => join(directory, path));
  const differences = changes.map((each) => ({ file: each.path, diff: unifiedDiff(each) }));
  printResult(formatOf(flags), { files, differences, next }, text, io);
}

/** The template that the command line names, or that is chosen at the prompt. @throws CAS8001 */
async function chooseTemplate(name: string | undefined, io: CliIo): Promise<TemplateName> {
  const list = templateNames.map((each) => `  ${each.padEnd(18)}${templates[each]}`).join('\n');
  const answer =
    name ??
    (canPrompt(io)
      ? (await prompt(`Templates:\n${list}\nTemplate [${templateNames[0] ?? ''}]: `, io)) ||
        templateNames[0]
      : undefined);
  const match = templateNames.find((each) => each === answer);
  if (match !== undefined) return match;
  if (answer === undefined)
    throw new CastellanError('CAS8001', `\`castellan init\` needs a template:\n${list}`);
  const suggestion = nearest(answer, templateNames);
  throw new CastellanError(
    'CAS8001',
    `there is no template "${answer}"${suggestion === undefined ? '' : `, did you mean "${suggestion}"`}; templates: ${templateNames.join(', ')}`,
  );
}

async function chooseStackName({ name, directory }: InitFlags, io: CliIo): Promise<string> {
  const folderName = basename(resolve(io.cwd, directory))
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^[^a-z]+|-+$/g, '')
    .slice(0, maxNameLength)
    .replace(/-+$/, '');
  const fallback = folderName.length < minNameLength ? 'shop' : folderName;
  const chosenName =
    name ??
    (canPrompt(io)
      ? (await prompt(`Name of the stack [${fallback}]: `, io)) || fallback
      : fallback);
  if (
    !stackNamePattern.test(chosenName) ||
    !new RegExp(appNamePattern).test(chosenName) ||
    chosenName.length < minNameLength ||
    chosenName.length > maxNameLength
  )
    throw new CastellanError(
      'CAS8001',
      `--name ${chosenName}: a name for apps, groups and resources has ${String(minNameLength)} to ${String(maxNameLength)} lower-case letters, digits and single hyphens, and begins with a letter`,
    );
  return chosenName;
}

/** @throws CAS8202 if one of the files exists; `paths` are relative to the current folder. */
function refuseExisting(paths: readonly string[], io: CliIo): void {
  const existing = paths.filter((path) => isThere(resolve(io.cwd, path)));
  if (existing.length > 0)
    throw new CastellanError(
      'CAS8202',
      `${existing.join(', ')}: nothing was written; --directory takes another folder`,
    );
}

/** Whether there is a file, or a link, even one that leads nowhere: writing would make a file there. */
function isThere(path: string): boolean {
  try {
    lstatSync(path);
    return true;
  } catch {
    return false;
  }
}

/**
 * The .gitignore that is there, with the lines of the template that it lacks; undefined where there
 * is none that can be extended.
 */
function extendedIgnoreFile(template: string, directory: string, io: CliIo): string | undefined {
  const file = resolve(io.cwd, directory, ignoreFile);
  if (lstatSync(file, { throwIfNoEntry: false })?.isFile() !== true) return undefined;
  return template
    .split('\n')
    .filter((line) => line !== '')
    .reduce(withLine, readInput(io, join(directory, ignoreFile)));
}

/**
 * Writes all files, or none: a file that can't be written leaves the way free for the next try, and
 * no folder that was made for it.
 *
 * @param extendedIgnoreText the text that replaces a .gitignore.
 */
function writeNewFiles(
  files: ReadonlyMap<string, string>,
  extendedIgnoreText: string | undefined,
  directory: string,
  io: CliIo,
): void {
  const startedFiles: string[] = [];
  const madeFolders: string[] = [];
  try {
    for (const [path, text] of files) {
      const file = resolve(io.cwd, directory, path);
      madeFolders.unshift(...makeParentFolders(file));
      startedFiles.push(file);
      writeOutput(io, join(directory, path), text);
    }
    if (extendedIgnoreText !== undefined)
      changeFile(io, join(directory, ignoreFile), extendedIgnoreText);
  } catch (error) {
    for (const file of startedFiles.filter((each) => existsSync(each))) rmSync(file);
    for (const folder of madeFolders) rmdirSync(folder);
    throw error;
  }
}

/** Makes the folder of a file. Returns the folders that were missing, inner ones first. */
function makeParentFolders(file: string): readonly string[] {
  const parent = dirname(file);
  try {
    const outermost = mkdirSync(parent, { recursive: true });
    const made: string[] = [];
    if (outermost !== undefined)
      for (let folder = parent; folder.length >= outermost.length; folder = dirname(folder))
        made.push(folder);
    return made;
  } catch (error) {
    throw new CastellanError('CAS8203', `${parent}: ${(error as Error).message}`);
  }
}

/** The next commands to run. */
function nextSteps(
  template: TemplateName,
  directory: string,
  { cwd, env, hasCommand }: CliIo,
): readonly string[] {
  const changeFolder = directory === '.' ? [] : [`cd ${shellWord(directory)}`];
  const moveWorkflow = workflowSteps(template, resolve(cwd, directory));
  const castellan = env['npm_command'] === 'exec' ? 'npx castellan' : 'castellan';
  const commands = template === 'policy-only' ? ['check'] : ['check', 'up'];
  if (template !== 'typescript')
    return [
      ...changeFolder,
      ...commands.map((command) =>
        hasCommand?.(command) === false
          ? `npx --package castellan castellan ${command}`
          : `${castellan} ${command}`,
      ),
      ...moveWorkflow,
    ];
  return [
    ...changeFolder,
    'npm install',
    'npx castellan sandbox start --seed seed.yaml && eval "$(npx castellan sandbox env)"',
    'npm run deploy',
    ...moveWorkflow,
  ];
}

/** What to do with the workflow in a folder below the root of a repository. */
function workflowSteps(template: TemplateName, folder: string): readonly string[] {
  const repository = repositoryOf(folder, diskFiles);
  if (repository === undefined || repository === folder) return [];
  const path = relative(repository, folder).split(sep).join('/');
  const where =
    template === 'typescript'
      ? `, and give its job \`defaults: { run: { working-directory: ${path} } }\``
      : '';
  return [
    `move ${workflowFile} to the root of the repository, where the code host reads it${where}`,
  ];
}
