import { existsSync, readdirSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { CastellanError } from '../../core/errors/castellan-error.js';
import { exitCodes } from '../../core/findings/exit-code.js';
import { styled, terminalOutputOf } from '../../core/text/terminal.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import { runPolicyTests } from '../../policies/testing/run-policy-tests.js';
import { accessTestFileName } from '../access/access-test-files.js';
import type { CliIo, RegisterCommand } from '../command.js';
import { addFormat, type FormatFlags, formatOf, printResult, printText } from '../format.js';

const policyTestFileName = /\.policy-test\.ya?ml$/;
const isTestFile = (name: string): boolean =>
  policyTestFileName.test(name) || accessTestFileName.test(name);

/**
 * `castellan test [paths…]`: runs policy tests. Finding none is an error, so that a missing test
 * file doesn't pass.
 */
export const register: RegisterCommand = (program, io, done) => {
  const test = program
    .command('test')
    .description(
      'Run policy tests (*.policy-test.yaml) and access tests (castellan.access-test.yaml): who gets in, and who does not.',
    );
  addFormat(test)
    .argument('[paths...]', 'files and folders (default: this folder)')
    .action(async (paths: string[], flags: FormatFlags) => {
      const format = formatOf(flags);
      const screen = terminalOutputOf(io.stdout, io.env);
      const searchedPaths = paths.length === 0 ? ['.'] : paths;
      const files = searchedPaths.flatMap((path) => findTestFiles(path, io.cwd));
      if (files.length === 0)
        throw new CastellanError(
          'CAS2010',
          `no policy tests: there is no *.policy-test.yaml and no castellan.access-test.yaml in ${searchedPaths.join(', ')}`,
        );
      const cases: (TestCase & { readonly file: string })[] = [];
      for (const file of files) {
        for (const each of await runTestFile(file, io)) {
          cases.push({ file, ...each });
          const { name, failure } = each;
          if (format === 'text')
            printText(
              io.stdout,
              failure === undefined
                ? `${styled('ok', 'added', screen)}      ${file}: ${name}\n`
                : `${styled('not ok', 'error', screen)}  ${file}: ${name}\n        ${failure}\n`,
            );
        }
      }
      const failedCount = cases.filter(({ failure }) => failure !== undefined).length;
      const passedCount = cases.length - failedCount;
      const counts = `${String(files.length)} ${files.length === 1 ? 'file' : 'files'}, ${String(passedCount)} passed, ${String(failedCount)} failed\n`;
      printResult(format, { passed: passedCount, failed: failedCount, cases }, counts, io);
      done(failedCount > 0 ? exitCodes.findings : exitCodes.clean);
    });
};

interface TestCase {
  readonly name: string;
  /** Why it fails; undefined when it passed. */
  readonly failure: string | undefined;
  /** The name again, of an access test; undefined for a policy test. */
  readonly test?: string;
  /** The result of an access test; `unknown` if it can be neither proved nor refuted. */
  readonly verdict?: 'pass' | 'fail' | 'unknown';
  /** Somebody for whom an access test about all people fails. */
  readonly example?: object;
}

async function runTestFile(file: string, io: CliIo): Promise<readonly TestCase[]> {
  if (!accessTestFileName.test(file)) return runPolicyTests(resolve(io.cwd, file), file);
  const [{ runAccessTests }, { runCheck }, { placeText }] = await Promise.all([
    import('../access/access-test-run.js'),
    import('../../policies/check/run-check.js'),
    import('../../policies/reporters/report.js'),
  ]);
  const { cwd, env } = io;
  const { stacks, findings } = await runCheck({
    paths: [dirname(file)],
    recursive: false,
    cwd,
    env,
  });
  const configurationCases = failedConfigurationCase(
    findings
      .filter(({ verdict, severity }) => verdict === 'fail' && severity === 'error')
      .map((each) => `${placeText(each)}: ${each.message} (${each.ruleId})`),
  );
  if (stacks.length === 0 && configurationCases.length > 0) return configurationCases;
  const results = await runAccessTests(file, stacks, io);
  const cases = results.map(({ name, message, chain, verdict, example }) => ({
    name,
    test: name,
    verdict,
    ...omitUndefined({ example }),
    failure:
      message === undefined
        ? undefined
        : `${message}${chain === undefined ? '' : `\n${chain.trimEnd().replace(/^/gm, '      ')}`}`,
  }));
  return [...configurationCases, ...cases];
}

/** A failed case for a configuration with errors, which cannot be applied. */
function failedConfigurationCase(errors: readonly string[]): readonly TestCase[] {
  const test = 'the configuration is valid';
  return errors.length === 0
    ? []
    : [{ name: test, test, verdict: 'fail', failure: errors.join('\n        ') }];
}

/** A file, whatever its name, or the test files of a folder. @throws CAS1001 */
function findTestFiles(path: string, cwd: string): readonly string[] {
  const stat = statSync(resolve(cwd, path), { throwIfNoEntry: false });
  if (stat === undefined)
    throw new CastellanError('CAS1001', `${path} does not exist`, { details: { path } });
  return stat.isFile() ? [path] : testFilesIn(path, cwd);
}

/** The test files of a folder and its subfolders, except hidden ones and node_modules. */
function testFilesIn(folder: string, cwd: string): readonly string[] {
  return readdirSync(resolve(cwd, folder), { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      if (!entry.isDirectory()) return isTestFile(entry.name) ? [path] : [];
      if (entry.name.startsWith('.') || entry.name === 'node_modules') return [];
      // a name that is not UTF-8 cannot be read back
      return existsSync(resolve(cwd, path)) ? testFilesIn(path, cwd) : [];
    });
}
