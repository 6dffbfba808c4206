import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';
import packageJson from '../../package.json';
import { root } from '../support/cli.js';
import { compileProject } from '../support/compile-project.js';

const folders = [
  'access',
  'cli',
  'clients',
  'constructs',
  'core',
  'kinds',
  'policies',
  'provider',
  'sandbox',
  'services',
  'stacks',
];
const sources = folders.flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => `${folder}/${file}`),
);

const sourceFiles = new Map<string, ts.SourceFile>();
function parse(file: string): ts.SourceFile {
  const sourceFile =
    sourceFiles.get(file) ??
    ts.createSourceFile(file, readFileSync(join(root, file), 'utf8'), ts.ScriptTarget.Latest, true);
  sourceFiles.set(file, sourceFile);
  return sourceFile;
}

/** A name that an entry of the package exports. */
interface ExportedName {
  readonly name: string;
  /** The file that exports it to others. */
  readonly entry: string;
  /** The file that declares it, and what it is called there. */
  readonly file: string;
  readonly ownName: string;
}

const entries = Object.values(packageJson.exports).flatMap((entry) =>
  typeof entry === 'string' || entry.types.includes('*') ? [] : [entry.types],
);
const exportedNames: readonly ExportedName[] = entries.flatMap((types) => {
  const entry = types.replace(/^\.\/dist\//, '').replace(/\.d\.ts$/, '.ts');
  return exportsOf(entry).map(({ name }) => ({ name, entry, ...declarationOf(entry, name) }));
});

/** The exports of a file: their names, and for re-exports the file that they come from. */
function exportsOf(
  file: string,
): { readonly name: string; readonly ownName: string; readonly from?: string }[] {
  return parse(file).statements.flatMap((statement) => {
    if (
      ts.isExportDeclaration(statement) &&
      statement.exportClause !== undefined &&
      ts.isNamedExports(statement.exportClause)
    ) {
      const module = statement.moduleSpecifier as ts.StringLiteral | undefined;
      const from =
        module?.text.startsWith('.') === true
          ? {
              from: relative(
                root,
                resolve(root, dirname(file), module.text.replace(/\.js$/, '.ts')),
              ),
            }
          : {};
      return statement.exportClause.elements.map((each) => ({
        name: each.name.text,
        ownName: (each.propertyName ?? each.name).text,
        ...from,
      }));
    }
    return declaredNames(statement).map((name) => ({ name, ownName: name }));
  });
}

/** The names that an exported statement declares. */
function declaredNames(statement: ts.Statement): string[] {
  if (
    !ts.canHaveModifiers(statement) ||
    ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) !== true
  )
    return [];
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.map(({ name }) => name.getText());
  const { name } = statement as ts.DeclarationStatement;
  return name === undefined ? [] : [name.getText()];
}

/** Follows exports from file to file. */
function declarationOf(file: string, name: string): Pick<ExportedName, 'file' | 'ownName'> {
  const found = exportsOf(file).find((each) => each.name === name);
  if (found?.from === undefined) return { file, ownName: found?.ownName ?? name };
  return declarationOf(found.from, found.ownName);
}

/** The examples in the doc comments of a file. */
function examplesIn(file: string): string[] {
  const comments = readFileSync(join(root, file), 'utf8').match(/\/\*\*[\s\S]*?\*\//g) ?? [];
  return comments.flatMap((comment) => {
    const text = comment.slice('/**'.length, -'*/'.length).replace(/^ *\* ?/gm, '');
    return text
      .split(/^ *@/m)
      .flatMap((tag) => (tag.startsWith('example') ? [tag.slice('example'.length).trim()] : []));
  });
}

const context = 'test/docs/doc-examples-context.ts';
/** The entries that examples of internal files may import from, beside those of the package. */
const folderEntries = ['core', 'kinds', 'provider', 'sandbox', 'services'].map(
  (each) => `${each}/index.ts`,
);
const cache = join(root, 'node_modules/.cache/doc-examples');

/**
 * The source of a program with the examples of a file: each is the body of a function in a stack, and
 * the names in it are imported from its file, the package, a folder's index or the context.
 */
function programOf(file: string, examples: readonly string[]): string {
  const words = new Set(examples.flatMap((example) => example.match(/\w+/g) ?? []));
  const entryByName = new Map<string, string>();
  for (const entry of folderEntries)
    for (const { name } of exportsOf(entry)) entryByName.set(name, entry);
  for (const { name, entry } of exportedNames) entryByName.set(name, entry);
  for (const { name } of exportsOf(context)) entryByName.set(name, context);
  for (const { name } of exportsOf(file)) entryByName.set(name, file);
  const imports = [...entryByName].flatMap(([name, from]) =>
    words.has(name)
      ? [`import { ${name} } from '${relative(cache, join(root, from)).replace(/\.ts$/, '.js')}';`]
      : [],
  );
  const functions = examples.map(
    (example, index) =>
      `export async function example${String(index)}(this: import('../../../constructs/index.js').CastellanStack): Promise<void> {\n${example.replace(/^export /gm, '')}\n}`,
  );
  return [...imports, ...functions, ''].join('\n');
}

describe('the examples in doc comments', () => {
  const filesWithExamples = sources
    .map((file) => ({ file, examples: examplesIn(file) }))
    .filter(({ examples }) => examples.length > 0);

  it('compile', async () => {
    expect(filesWithExamples.length).toBeGreaterThan(40);
    rmSync(cache, { recursive: true, force: true });
    mkdirSync(cache, { recursive: true });
    for (const { file, examples } of filesWithExamples)
      writeFileSync(join(cache, file.replaceAll('/', '__')), programOf(file, examples));
    const project = {
      extends: '../../../tsconfig.json',
      compilerOptions: { noEmit: true, declaration: false, rootDir: root },
      include: ['*.ts'],
      exclude: [],
    };
    writeFileSync(join(cache, 'tsconfig.json'), JSON.stringify(project));
    expect(await compileProject(cache)).toBe('');
  });

  const publicExports = exportedNames.filter(
    ({ entry }) => entry === 'constructs/index.ts' || entry === 'policies/index.ts',
  );

  it.each(publicExports.filter(isClassOrFunction))(
    'say how $name is used ($file)',
    ({ file, ownName }) => {
      expect(
        ts.getJSDocTags(declarationIn(file, ownName) as ts.Node).map(({ tagName }) => tagName.text),
      ).toContain('example');
    },
  );
});

function declarationIn(file: string, name: string): ts.Statement | undefined {
  return parse(file).statements.find((statement) => declaredNames(statement).includes(name));
}

function isClassOrFunction({ file, ownName }: ExportedName): boolean {
  const declaration = declarationIn(file, ownName);
  return (
    declaration !== undefined &&
    (ts.isClassDeclaration(declaration) || ts.isFunctionDeclaration(declaration))
  );
}
