import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { isCastellanError } from '../../core/errors/castellan-error.js';
import type { Finding } from '../../core/findings/finding.js';
import { diskFiles, type FileAccess } from '../../core/source/file-access.js';
import { SourceText } from '../../core/source/source-text.js';
import type { AccessTestBase } from '../../policies/check/check-report.js';
import type { LoadedStack } from '../../policies/model/loaded-stack.js';
import type { CliIo } from '../command.js';
import { accessTestBeside, hasAccessTest } from './access-test-files.js';
import { findingOfResult } from './access-test-findings.js';
import { type AccessTestResult, runAccessTestsOf } from './access-test-run.js';

/**
 * Reports a finding for each expectation of the base that the stacks of a change fail, with the
 * people of the base's seed files, too: a change could remove the expectation that it fails, or the
 * people. An app, a group or a person that is gone is no failure.
 */
export async function accessTestFindingsAtBase(
  stacks: readonly LoadedStack[],
  base: AccessTestBase,
  io: CliIo,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const [file, stacksOfTest] of testsAtBase(stacks, base, io)) {
    const results = await resultsAtBase(file, stacksOfTest, base, io);
    const isThere = diskFiles.stat(resolve(io.cwd, file)).kind === 'file';
    const place = isThere ? file : (stacksOfTest[0]?.files[0] ?? file);
    for (const result of results)
      if (result.message !== undefined && !result.isAboutMissing)
        for (const finding of findingOfResult(result))
          findings.push({
            ...finding,
            message: `${finding.message} (${base.ref} expects this, and a change has to keep it)`,
            location: { file: place, line: 1, column: 1 },
          });
  }
  return findings;
}

/** The access tests of the base, each with the stacks of the change that it is about. */
function testsAtBase(
  stacks: readonly LoadedStack[],
  { stacks: baseStacks, files }: AccessTestBase,
  { cwd }: CliIo,
): ReadonlyMap<string, readonly LoadedStack[]> {
  const tests = new Map<string, LoadedStack[]>();
  for (const baseStack of baseStacks) {
    if (!hasAccessTest(baseStack, files, cwd)) continue;
    const file = accessTestBeside(baseStack);
    const sameStacks = stacks.filter(({ config }) => config.stack === baseStack.config.stack);
    if (sameStacks.length > 0) tests.set(file, [...(tests.get(file) ?? []), ...sameStacks]);
  }
  return tests;
}

async function resultsAtBase(
  file: string,
  stacks: readonly LoadedStack[],
  { files }: AccessTestBase,
  io: CliIo,
): Promise<readonly AccessTestResult[]> {
  const source = new SourceText(file, textOf(files, resolve(io.cwd, file)));
  const temporaryFolder = mkdtempSync(join(tmpdir(), 'castellan-base-'));
  const seedAtBase = (seedFile: string): readonly string[] => {
    if (files.stat(seedFile).kind !== 'file') return [];
    const copy = join(mkdtempSync(join(temporaryFolder, 'seed-')), basename(seedFile));
    writeFileSync(copy, files.read(seedFile));
    return [copy];
  };
  const bothSeeds = (seedFile: string): readonly string[] => {
    const earlierFiles = seedAtBase(seedFile);
    return earlierFiles.length === 0 || existsSync(seedFile)
      ? [...earlierFiles, seedFile]
      : earlierFiles;
  };
  try {
    return await runAccessTestsOf(source, stacks, io, bothSeeds).catch((error: unknown) => {
      // where the change's people contradict those of the base, these alone decide
      if (isCastellanError(error) && error.code === 'CAS4002')
        return runAccessTestsOf(source, stacks, io, seedAtBase);
      throw error;
    });
  } catch (error) {
    // a file that could not be used at the base expects nothing
    if (isCastellanError(error) && error.code === 'CAS7002') return [];
    throw error;
  } finally {
    rmSync(temporaryFolder, { recursive: true, force: true });
  }
}

function textOf(files: FileAccess, path: string): string {
  return Buffer.from(files.read(path)).toString('utf8');
}
