import { dirname, join, resolve } from 'node:path';
import type { FileAccess } from '../../core/source/file-access.js';
import type { Problem } from '../../core/source/problem.js';
import { readSource } from '../../core/source/read-source.js';
import type { SourceText } from '../../core/source/source-text.js';
import { isObject } from '../../core/values/is-object.js';
import { entriesOf } from '../../core/yaml/node.js';
import { parseYaml, type YamlDocument } from '../../core/yaml/parse-yaml.js';

/** How to read files. */
export interface ReadContext {
  readonly cwd: string;
  readonly files: FileAccess;
  /** Gets the text of every file that was read. */
  readonly sources: Map<string, SourceText>;
}

/** Reads a file's documents; a problem is added to the list. */
export function readDocuments(
  file: string,
  { cwd, files, sources }: ReadContext,
  problems: Problem[],
): readonly YamlDocument[] {
  const read = readSource(resolve(cwd, file), files, file);
  if ('source' in read) sources.set(file, read.source);
  const parsed = 'problem' in read ? read : parseYaml(read.source);
  if (!('problem' in parsed)) return parsed.documents;
  problems.push(parsed.problem);
  return [];
}

/**
 * The documents that a document includes, and then itself, in the order in which `Layers`
 * lays them over each other. Two of them that declare the same name in a section contradict each
 * other: that is a problem, not a silent choice.
 *
 * @param includingFiles the files that include this one, from the first on: none of them may be
 *   included again
 */
export function withIncludes(
  document: YamlDocument,
  context: ReadContext,
  problems: Problem[],
  includingFiles: readonly string[] = [],
): readonly YamlDocument[] {
  const file = document.source.file;
  const isIncluding = isObject(document.root.value) && document.root.value['include'] !== undefined;
  const list = isIncluding ? entriesOf(document.root).get('include')?.value : undefined;
  const included: YamlDocument[] = [];
  for (const node of list?.kind === 'list' ? list.children : []) {
    if (typeof node.value !== 'string') continue; // the schema reports it
    const location = document.source.location(node.start, node.end);
    const files = matchingFiles(join(dirname(file), node.value), context);
    if (files.length === 0)
      problems.push({
        id: 'config-include',
        message: `nothing is found at ${node.value} to include: a path begins in the folder of this file, and * stands for names in one folder`,
        location,
      });
    for (const each of files) {
      if (context.files.stat(resolve(context.cwd, each)).kind === 'folder') {
        problems.push({
          id: 'config-include',
          message: `${node.value} is a folder: name files in it, as ${node.value.replace(/\/$/, '')}/*.yaml`,
          location,
        });
        continue;
      }
      if (
        [...includingFiles, file].some(
          (including) => resolve(context.cwd, including) === resolve(context.cwd, each),
        )
      ) {
        problems.push({
          id: 'config-include',
          message: `${each} includes itself: ${[...includingFiles, file, each].join(' -> ')}`,
          location,
        });
        continue;
      }
      for (const includedDocument of readDocuments(each, context, problems)) {
        if (isObject(includedDocument.root.value))
          included.push(
            ...withIncludes(includedDocument, context, problems, [...includingFiles, file]),
          );
        else problems.push(notAMapProblem(includedDocument));
      }
    }
  }
  const all = [...included, document];
  if (included.length > 0) reportDuplicates(all, problems);
  return all;
}

/** The problem of an included file that is no map, which merging would silently drop. */
function notAMapProblem({ source, root }: YamlDocument): Problem {
  return {
    id: 'config-include',
    message: 'an included file must be a map of sections, such as groups: and containerApps:',
    location: source.location(root.start, root.end),
  };
}

function matchingFiles(pattern: string, { cwd, files }: ReadContext): readonly string[] {
  if (!pattern.includes('*'))
    return files.stat(resolve(cwd, pattern)).kind === 'missing' ? [] : [pattern];
  const folder = dirname(pattern);
  if (files.stat(resolve(cwd, folder)).kind !== 'folder') return [];
  const name = new RegExp(
    `^${pattern
      .slice(folder === '.' ? 0 : folder.length + 1)
      .replace(/[.+?^${}()|[\]\\]/g, '\\$&')
      .replaceAll('*', '[^/]*')}$`,
  );
  return [...files.list(resolve(cwd, folder))]
    .filter((entry) => name.test(entry))
    .sort()
    .map((entry) => join(folder, entry));
}

/** The names that two of the documents declare in the same section. */
function reportDuplicates(documents: readonly YamlDocument[], problems: Problem[]): void {
  if (documents.length < 2) return;
  const byPath = new Map<string, YamlDocument>();
  for (const document of documents) {
    for (const [section, entry] of entriesOf(document.root)) {
      if (entry.value.kind !== 'map') continue;
      for (const [name, { key }] of entriesOf(entry.value)) {
        const path = `${section}.${name}`;
        const first = byPath.get(path);
        const message = `${path} is declared in ${first?.source.file ?? ''} already`;
        if (first === undefined) byPath.set(path, document);
        else if (first !== document)
          problems.push({
            id: 'config-include',
            message,
            location: document.source.location(key.start, key.end),
          });
      }
    }
  }
}
