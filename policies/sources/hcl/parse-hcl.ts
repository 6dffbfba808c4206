import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Node, Parser } from 'web-tree-sitter';

/** Parses Terraform's language to a syntax tree; what can't be parsed is left out of the tree. */
export type ParseHcl = (text: string) => Node | undefined;

/**
 * Loads the grammar of Terraform's language. Libraries that turn HCL into JSON lose the places;
 * tree-sitter keeps line and column of every node.
 */
export async function loadHclParser(): Promise<ParseHcl> {
  const { Parser, Language } = await import('web-tree-sitter');
  await Parser.init({ wasmBinary: readWasm('web-tree-sitter') });
  const parser: Parser = new Parser();
  parser.setLanguage(await Language.load(readWasm('tree-sitter-terraform')));
  return (text) => parser.parse(text)?.rootNode;
}

const packages = {
  'web-tree-sitter': 'web-tree-sitter',
  'tree-sitter-terraform': '@tree-sitter-grammars/tree-sitter-hcl',
} as const;

/** The build puts the files beside this one; in the repository they are in their packages. */
function readWasm(name: keyof typeof packages): Uint8Array {
  const folders = [
    __dirname,
    join(__dirname, '../policies/sources/hcl'),
    join(__dirname, '../../../node_modules', packages[name]),
  ];
  const file = folders
    .map((folder) => join(folder, `${name}.wasm`))
    .find((each) => existsSync(each));
  return readFileSync(file ?? join(__dirname, `${name}.wasm`));
}
