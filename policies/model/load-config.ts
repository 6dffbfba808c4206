import { appendAll } from '../../core/values/append.js';
import { dirname, resolve } from 'node:path';
import type { Finding } from '../../core/findings/finding.js';
import { diskFiles, type FileAccess } from '../../core/source/file-access.js';
import { findingOfProblem, type Problem } from '../../core/source/problem.js';
import { readSource } from '../../core/source/read-source.js';
import type { SourceText } from '../../core/source/source-text.js';
import { defaultEnvironment } from '../../core/project/environment-folder.js';
import { isObject } from '../../core/values/is-object.js';
import { Layers } from '../../core/yaml/layers.js';
import { entriesOf } from '../../core/yaml/node.js';
import type { YamlDocument } from '../../core/yaml/parse-yaml.js';
import { interpolateStackNames } from '../../core/yaml/stack-names.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import { type UncheckedConfig, movesOf, withFormerNames } from '../../kinds/stack/moved.js';
import type { StackConfig } from '../../kinds/stack/schema.js';
import { movedProblems } from './moved-problems.js';
import { referenceProblems } from './variable-references.js';
import {
  environmentsOfStacks,
  isOverlayName,
  noSuchEnvironmentMessage,
  overlayPath,
} from './environments.js';
import { type ConfigFile, findConfigs } from './find-configs.js';
import { type ReadContext, readDocuments, withIncludes } from './includes.js';
import { misnamedOverlayProblems } from './misnamed-overlay-problems.js';
import type { LoadedStack } from './loaded-stack.js';
import { sharedStateProblems, stateOfSeveralStacksProblems } from './shared-state-problems.js';
import { planOrStateProblem } from './terraform-files.js';

/** What to load, and from where. */
export interface LoadOptions {
  /** Files and folders; a folder means its castellan.yaml. */
  readonly paths: readonly string[];
  /**
   * The environment whose overlay (`castellan.prod.yaml`) is applied to each configuration that has
   * one.
   */
  readonly environment?: string | undefined;
  /** The base folder of relative paths. @default process.cwd() */
  readonly cwd?: string;
  /** Whether to search subfolders. @default true */
  readonly recursive?: boolean;
  /** Which of the configurations to load. @default all */
  readonly isSelected?: ((file: string) => boolean) | undefined;
  /** @default the files of the disk */
  readonly files?: FileAccess;
}

/** A path that {@link loadConfig} does not load. */
export interface SkippedPath {
  /** The path as it was found. */
  readonly path: string;
  /**
   * `workflow`: a file with the name of a configuration that is a workflow of a code host;
   * `folder`: a folder that is not searched.
   */
  readonly kind: 'workflow' | 'folder';
}

/** The loaded stacks, and the mistakes in their files. */
export interface LoadResult {
  /** The stacks, in the order of their files and documents. */
  readonly stacks: readonly LoadedStack[];
  /** The mistakes in the files: syntax, keys, types and values. */
  readonly findings: readonly Finding[];
  /** The text of every file that was read, by its path. */
  readonly sources: ReadonlyMap<string, SourceText>;
  /** The paths that are not loaded. */
  readonly skippedPaths: readonly SkippedPath[];
}

/**
 * Loads configurations with the location of every value: several files, several documents in one,
 * includes, and the overlay of an environment. Never throws for mistakes in files: these are
 * findings with line and column.
 *
 * @example const { stacks, findings } = await loadConfig({ paths: ['examples/storefront'] });
 */
export async function loadConfig(options: LoadOptions): Promise<LoadResult> {
  const context = {
    cwd: options.cwd ?? process.cwd(),
    files: options.files ?? diskFiles,
    sources: new Map<string, SourceText>(),
  };
  const {
    configs: allConfigs,
    problems: pathProblems,
    skipped,
  } = findConfigs(options.paths, { ...context, recursive: options.recursive ?? true });
  const isSelected = ({ file }: ConfigFile): boolean => options.isSelected?.(file) !== false;
  const configs = allConfigs.filter(isSelected);
  // these are not checked, but the selected ones may not contradict them
  const otherStacks = allConfigs
    .filter((config) => !isSelected(config))
    .flatMap((config) =>
      loadIgnoringProblems(config.file, chosenEnvironment(config, options).environment, context),
    );
  const problems: Problem[] = [...pathProblems];
  const stacks: LoadedStack[] = [];
  const skippedPaths: SkippedPath[] = skipped.map((path) => ({ path, kind: 'folder' }));
  let hasOverlay = false;
  for (const config of configs) {
    const loadedFile = loadFile(
      { ...config, ...chosenEnvironment(config, options) },
      context,
      problems,
    );
    appendAll(stacks, loadedFile.stacks);
    if (loadedFile.hasWorkflow) skippedPaths.push({ path: config.file, kind: 'workflow' });
    // a file with nothing but a workflow is no source of this project
    if (loadedFile.hasWorkflow && loadedFile.stacks.length === 0)
      context.sources.delete(config.file);
    hasOverlay ||= loadedFile.hasOverlay;
    const loadedFiles = new Set(loadedFile.stacks.flatMap(({ files }) => files));
    if (loadedFile.stacks.length > 0)
      appendAll(problems, await misnamedOverlayProblems(config.file, context, loadedFiles));
    appendAll(
      problems,
      sharedStateProblems(
        loadedFile.stacks,
        (environment) => loadIgnoringProblems(config.file, environment, context),
        context,
      ),
    );
  }
  const [first] = configs;
  if (
    options.environment !== undefined &&
    !hasOverlay &&
    first !== undefined &&
    options.environment !== defaultEnvironment
  ) {
    const location = { file: overlayPath(first.file, options.environment), line: 1, column: 1 };
    const environments = new Set(
      configs.flatMap(({ file }) => environmentNames(file, stacks, context)),
    );
    const message = noSuchEnvironmentMessage(
      options.environment,
      first.file,
      [...environments].sort(),
    );
    problems.push({ id: 'config-unreadable', message, location });
  }
  appendAll(problems, duplicateStackProblems(stacks));
  const allStacks = [...otherStacks, ...stacks];
  const reported = new Set(stacks);
  appendAll(problems, stateOfSeveralStacksProblems(allStacks, reported, context));
  for (const stack of stacks) appendAll(problems, referenceProblems(stack));
  appendAll(problems, movedProblems(allStacks, reported));
  return {
    stacks: withMoves(stacks, allStacks),
    findings: problems.map(findingOfProblem),
    sources: context.sources,
    skippedPaths,
  };
}

/** The stacks, in which moved declarations keep the names of their key before the first move. */
function withMoves(
  stacks: readonly LoadedStack[],
  allStacks: readonly LoadedStack[],
): readonly LoadedStack[] {
  const moves = allStacks.flatMap(({ config }) => movesOf(config as UncheckedConfig));
  return moves.length === 0
    ? stacks
    : stacks.map((stack) => ({ ...stack, config: withFormerNames(stack.config, moves) }));
}

function chosenEnvironment(
  config: ConfigFile,
  { environment }: LoadOptions,
): { environment?: string } {
  const name = config.environment ?? environment;
  return name === undefined ? {} : { environment: name };
}

interface LoadedFile {
  readonly stacks: readonly LoadedStack[];
  /** Whether the file has an overlay for the environment. */
  readonly hasOverlay: boolean;
  /** Whether a document of the file is a workflow of a code host, which is left out. */
  readonly hasWorkflow: boolean;
}

function loadFile(
  { file, environment }: ConfigFile,
  context: ReadContext,
  problems: Problem[],
): LoadedFile {
  const allDocuments = readDocuments(file, context, problems);
  const documents: YamlDocument[] = [];
  for (const document of allDocuments) {
    const problem = planOrStateProblem(document);
    if (problem !== undefined) problems.push(problem);
    else if (!isWorkflow(document)) documents.push(document);
  }
  const mayHaveOverlay = environment !== undefined && isOverlayName(environment);
  const overlayFile = mayHaveOverlay ? overlayPath(file, environment) : undefined;
  const hasOverlay =
    overlayFile !== undefined &&
    context.files.stat(resolve(context.cwd, overlayFile)).kind !== 'missing';
  const overlays = hasOverlay ? readDocuments(overlayFile, context, problems) : [];
  appendAll(problems, unmatchedOverlayProblems(overlays, documents, file));
  const stacks: LoadedStack[] = [];
  for (const document of documents) {
    const matchingOverlays = overlays.filter((each) =>
      isOverlayOf(each, document, documents.length),
    );
    const parts: YamlDocument[] = [];
    for (const each of [document, ...matchingOverlays])
      parts.push(...withIncludes(each, context, problems));
    stacks.push(
      stackOf(
        new Layers(parts),
        { file, environment: matchingOverlays.length > 0 ? environment : undefined },
        context,
      ),
    );
  }
  return { stacks, hasOverlay, hasWorkflow: allDocuments.some(isWorkflow) };
}

/** Whether a document is a workflow of a code host: castellan.yml may be the name of one. */
function isWorkflow({ root: { value } }: YamlDocument): boolean {
  const isOurs = isObject(value) && ('version' in value || 'stack' in value);
  return isObject(value) && 'on' in value && 'jobs' in value && !isOurs;
}

function isOverlayOf(overlay: YamlDocument, base: YamlDocument, count: number): boolean {
  const [overlayStack, baseStack] = [stackName(overlay), stackName(base)];
  return overlayStack === undefined ? count === 1 : overlayStack === baseStack;
}

/** Reports overlays of no stack: no command would apply them. */
function unmatchedOverlayProblems(
  overlays: readonly YamlDocument[],
  documents: readonly YamlDocument[],
  file: string,
): readonly Problem[] {
  if (documents.length === 0) return [];
  const names = documents.map((each) => String(stackName(each)));
  const stacksText = `${names.length === 1 ? 'stack is' : 'stacks are'} ${names.join(', ')}`;
  return overlays
    .filter((each) => !documents.some((document) => isOverlayOf(each, document, documents.length)))
    .map((each) => {
      const name = stackName(each);
      // located at the value of its `stack`, or at its beginning where that is missing
      const { value } = isObject(each.root.value) ? (entriesOf(each.root).get('stack') ?? {}) : {};
      const { start, end } = value ?? { start: each.root.start, end: each.root.start };
      return {
        id: 'config-overlay',
        message:
          name === undefined
            ? `stack is missing in this overlay: ${file} has the stacks ${names.join(', ')}; write which it changes`
            : `${file} has no stack "${String(name)}" that this overlay could change; its ${stacksText}`,
        location: each.source.location(start, end),
      };
    });
}

function stackName(document: YamlDocument): unknown {
  const { value } = document.root;
  return isObject(value) ? value['stack'] : undefined;
}

/** The names of a configuration's environments; the files that it includes are not overlays. */
function environmentNames(
  file: string,
  stacks: readonly LoadedStack[],
  context: ReadContext,
): readonly string[] {
  return environmentsOfStacks(
    stacks.filter((stack) => stack.files[0] === file),
    context,
  );
}

/** The stacks of a file whose mistakes another check reports. */
function loadIgnoringProblems(
  file: string,
  environment: string | undefined,
  context: ReadContext,
): readonly LoadedStack[] {
  return loadFile(
    { file, ...omitUndefined({ environment }) },
    { ...context, sources: new Map() },
    [],
  ).stacks;
}

function stackOf(
  layers: Layers,
  { file, environment }: ConfigFile,
  { cwd, files: disk }: ReadContext,
): LoadedStack {
  const files = [...new Set([file, ...layers.documents.map(({ source }) => source.file)])];
  const stack = (layers.value as { readonly stack?: unknown } | null)?.stack;
  const names = {
    environment: environment ?? defaultEnvironment,
    stack: typeof stack === 'string' ? stack : undefined,
  };
  return {
    config: (layers.mayContain('${castellan.')
      ? interpolateStackNames(layers.value, names)
      : layers.value) as StackConfig,
    locate: (path, at) => layers.locate(path, at),
    readFile: (name) => readSource(resolve(cwd, dirname(file), name), disk, name),
    files,
    layers,
    ...omitUndefined({ environment }),
  };
}

/** Reports stacks of the same name: they would write to the same folder and state. */
function duplicateStackProblems(stacks: readonly LoadedStack[]): readonly Problem[] {
  const byName = new Map<string, LoadedStack>();
  const problems: Problem[] = [];
  for (const stack of stacks) {
    const name = (stack.config as { stack?: unknown } | null)?.stack;
    if (typeof name !== 'string') continue;
    const first = byName.get(name);
    if (first === undefined) {
      byName.set(name, stack);
      continue;
    }
    const location = stack.locate(['stack']); // counts lines, so only where it is needed
    if (location !== undefined)
      problems.push({
        id: 'config-include',
        message: `the stack "${name}" is declared in ${first.files[0] ?? ''} already`,
        location,
      });
  }
  return problems;
}
