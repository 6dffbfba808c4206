// usage: node scripts/api-reports.mjs [--check]
// Writes the exports of each entry point with their types to test/package/api (npm run api).
// --check fails where a report differs from the build, or a member of an exported type has no doc
// comment. Needs the build (dist/).
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { CompilerState, Extractor, ExtractorConfig } from '@microsoft/api-extractor';
import { packageEntries } from './package-entries.mjs';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const isCheck = process.argv.includes('--check');
const temporaryFolder = mkdtempSync(join(tmpdir(), 'castellan-api-'));

const compilerOptions = {
  module: 'node20',
  target: 'es2022',
  // `dom` has the types of fetch; API Extractor cannot follow those in @types/node
  lib: ['es2023', 'dom'],
  strict: true,
  skipLibCheck: true,
  types: ['node'],
};

const entries = packageEntries(join(root, 'dist')).flatMap(({ path, types }) =>
  // the package itself exports what castellan/constructs does
  path === '.'
    ? []
    : [{ name: path.slice('./'.length).replaceAll('/', '-'), file: join(root, types) }],
);
const configs = entries.map(({ name, file }) =>
  ExtractorConfig.prepare({
    configObject: {
      projectFolder: root,
      mainEntryPointFilePath: file,
      newlineKind: 'lf',
      compiler: { overrideTsconfig: { compilerOptions, files: entries.map(({ file }) => file) } },
      apiReport: {
        enabled: true,
        reportFileName: name,
        reportFolder: join(root, 'test/package/api'),
        reportTempFolder: temporaryFolder,
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      messages: {
        compilerMessageReporting: { default: { logLevel: 'error' } },
        extractorMessageReporting: {
          default: { logLevel: 'none' },
          'ae-undocumented': { logLevel: 'error' },
        },
        // Doc comments are JSDoc: `@default`, `@returns` without a hyphen
        tsdocMessageReporting: { default: { logLevel: 'none' } },
      },
    },
    configObjectFullPath: undefined,
    packageJsonFullPath: join(root, 'package.json'),
  }),
);

/** Each error once: several entry points export the same types. */
const mistakes = new Set();
function collect(message) {
  message.handled = true;
  if (message.logLevel !== 'error') return;
  const place =
    message.sourceFilePath === undefined
      ? ''
      : `${message.sourceFilePath}:${String(message.sourceFileLine)}: `;
  mistakes.add(`${place}${message.text}`);
}

try {
  const compilerState = CompilerState.create(configs[0]);
  for (const [index, config] of configs.entries()) {
    const { apiReportChanged } = Extractor.invoke(config, {
      compilerState,
      localBuild: !isCheck,
      messageCallback: collect,
    });
    if (isCheck && apiReportChanged)
      mistakes.add(
        `castellan/${entries[index].name} exports other types than test/package/api says: see the difference after npm run api`,
      );
  }
} finally {
  rmSync(temporaryFolder, { recursive: true });
}
for (const mistake of mistakes) console.error(mistake);
if (mistakes.size > 0) process.exitCode = 1;
