import { dirname, join, relative, resolve } from 'node:path';
import type { Node } from 'web-tree-sitter';
import type { SourceLocation } from '../../../core/findings/finding.js';
import type { FileAccess } from '../../../core/source/file-access.js';
import { readSource } from '../../../core/source/read-source.js';
import type { ConfigPath } from '../../../core/yaml/layers.js';
import { parseAddress } from '../plan/address.js';
import { installedModules } from './installed-modules.js';
import { blocksOf, labelNodesOf, labelsOf, nodeAt } from './hcl-blocks.js';
import type { ParseHcl } from './parse-hcl.js';

/** The blocks of a folder's `.tf` and `.tofu` files, each with its file. */
interface Folder {
  /**
   * By type and name (`azuread_group.shoppers`): the block, or several where override files have
   * some, of which each overrides those before it.
   */
  readonly resources: ReadonlyMap<string, readonly Block[]>;
  /** The folders of local modules, by the names of their calls. */
  readonly modules: ReadonlyMap<string, string>;
}

interface Block {
  /** The path of its file, relative to the working folder. */
  readonly file: string;
  /** The syntax node of the whole block. */
  readonly node: Node;
}

/** Locates resources and their attributes in a folder of Terraform's language. */
export class HclSource {
  readonly #folders = new Map<string, Folder>();
  readonly #installedModules: ReadonlyMap<string, string>;

  /**
   * @param root the root module, from which the plan was made, and by which program.
   * @param cwd the folder to which locations are relative.
   */
  constructor(
    private readonly root: {
      readonly folder: string;
      readonly engine: 'terraform' | 'tofu' | undefined;
    },
    private readonly cwd: string,
    private readonly files: FileAccess,
    private readonly parse: ParseHcl,
  ) {
    this.#installedModules = installedModules(root.folder, files);
  }

  /**
   * The place of an attribute of a resource, or of the nearest one around it; undefined if no file
   * declares the resource.
   */
  locate(address: string, attribute: ConfigPath): SourceLocation | undefined {
    const parsed = parseAddress(address);
    if (parsed === undefined) return undefined;
    const folder = this.#folderOf(parsed.modules.map(({ name }) => name));
    if (folder === undefined) return undefined;
    const blocks = this.#read(folder).resources.get(`${parsed.type}.${parsed.name}`) ?? [];
    // an override replaces whole arguments, and all blocks of a type
    const block =
      blocks.findLast(({ node }) => nodeAt(node, attribute.slice(0, 1)) !== node) ?? blocks[0];
    return block && this.#placeOf(block, nodeAt(block.node, attribute));
  }

  #folderOf(modules: readonly string[]): string | undefined {
    if (modules.length === 0) return this.root.folder;
    const installedFolder = this.#installedModules.get(modules.join('.'));
    if (installedFolder !== undefined) return installedFolder;
    const outerFolder = this.#folderOf(modules.slice(0, -1));
    return outerFolder === undefined
      ? undefined
      : this.#read(outerFolder).modules.get(modules.at(-1) ?? '');
  }

  #read(folder: string): Folder {
    const cachedFolder = this.#folders.get(folder);
    if (cachedFolder !== undefined) return cachedFolder;
    const resources = new Map<string, Block[]>();
    const modules = new Map<string, string>();
    const names = configurationFiles(this.files.list(folder), this.root.engine).sort();
    for (const name of [
      ...names.filter((each) => !isOverride(each)),
      ...names.filter(isOverride),
    ]) {
      const path = join(folder, name);
      const read = readSource(path, this.files, relative(this.cwd, path).replaceAll('\\', '/'));
      const root = 'source' in read ? this.parse(read.source.text) : undefined;
      for (const node of root === undefined ? [] : blocksOf(root)) {
        const [first = '', second] = labelsOf(node);
        const kind = node.namedChild(0)?.text;
        const file = 'source' in read ? read.source.file : path;
        if (kind === 'resource' && second !== undefined)
          resources.set(`${first}.${second}`, [
            ...(resources.get(`${first}.${second}`) ?? []),
            { file, node },
          ]);
        const source = kind === 'module' ? nodeAt(node, ['source']).text.slice(1, -1) : '';
        if (/^\.\.?\//.test(source)) modules.set(first, resolve(dirname(path), source));
      }
    }
    const result = { resources, modules };
    this.#folders.set(folder, result);
    return result;
  }

  /** A whole block is marked on its first line only. */
  #placeOf({ file }: Block, node: Node): SourceLocation {
    const { startPosition, endPosition } = node;
    const end = node.type === 'block' ? headEnd(node) : endPosition;
    return {
      file,
      line: startPosition.row + 1,
      column: startPosition.column + 1,
      endLine: end.row + 1,
      endColumn: end.column + 1,
    };
  }
}

/**
 * The files of Terraform's language. Only OpenTofu reads `.tofu` files, each in place of the `.tf`
 * file of the same name.
 *
 * @param engine the program that reads them; undefined if it is not known.
 */
export function configurationFiles(
  names: readonly string[],
  engine: 'terraform' | 'tofu' | undefined,
): string[] {
  if (engine === 'terraform') return names.filter((name) => name.endsWith('.tf'));
  return names.filter(
    (name) =>
      name.endsWith('.tofu') ||
      (name.endsWith('.tf') && !names.includes(name.replace(/tf$/, 'tofu'))),
  );
}

/** Whether a file overrides what others declare; such files are read last. */
function isOverride(name: string): boolean {
  return /^(?:.*_)?override\.(?:tf|tofu)$/.test(name);
}

function headEnd(block: Node): Node['endPosition'] {
  return (labelNodesOf(block).at(-1) ?? block.namedChild(0) ?? block).endPosition;
}
