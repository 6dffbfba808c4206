import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join, resolve } from 'node:path';
import { isCastellanError } from '../../core/errors/castellan-error.js';
import type { Finding } from '../../core/findings/finding.js';
import { diskFiles, type FileAccess } from '../../core/source/file-access.js';
import { SourceText } from '../../core/source/source-text.js';
import type { AccessTestBase } from '../../policies/check/check-report.js';
import type { LoadedStack } from '../../policies/model/loaded-stack.js';
import { currentPlace, type Move, movesOf, type UncheckedConfig } from '../../kinds/stack/moved.js';
import type { CliIo } from '../command.js';
import { seedPathOf } from '../seed-file.js';
import { accessTestPath, hasAccessTest } from './access-test-files.js';
import { findingsOfResult } from './access-test-findings.js';
import { type AccessTestResult, runAccessTestsIn } from './access-test-run.js';
import { renamedApps, type StackVersions } from './renamed-apps.js';

/**
 * Reports a finding for each expectation of the base that the stacks of a change fail, with the
 * people of the base's seed files, too: a change could remove the expectation that it fails, or the
 * people. An app, a group or a person that is gone is no failure; an app that has another name now
 * is not gone.
 */
export async function accessTestFindingsAtBase(
  stacks: readonly LoadedStack[],
  base: AccessTestBase,
  io: CliIo,
): Promise<readonly Finding[]> {
  const moves = stacks.flatMap(({ config }) => movesOf(config as UncheckedConfig));
  const findings: Finding[] = [];
  for (const [file, versions] of testsAtBase(stacks, moves, base, io)) {
    const renamedByFormerName = new Map(versions.flatMap((each) => [...renamedApps(each, moves)]));
    const results = await resultsAtBase(file, versions, { renamedByFormerName, moves }, base, io);
    const isInWorkTree = diskFiles.stat(resolve(io.cwd, file)).kind === 'file';
    const reportedFile = isInWorkTree ? file : (versions[0]?.after.files[0] ?? file);
    const guessedRename = [...renamedByFormerName].find(([, { isDeclared }]) => !isDeclared);
    const advice =
      guessedRename === undefined
        ? ''
        : `; "${guessedRename[1].name}" is taken for "${guessedRename[0]}", which is gone: if it is another app, add it in a change of its own`;
    for (const result of results)
      if (result.message !== undefined && !result.isAboutMissing)
        for (const finding of findingsOfResult(result))
          findings.push({
            ...finding,
            message: `${finding.message} (${base.ref} expects this, and a change has to keep it${advice})`,
            location: { file: reportedFile, line: 1, column: 1 },
          });
  }
  return findings;
}

/** The access tests of the base, each with the stacks that it is about. */
function testsAtBase(
  stacks: readonly LoadedStack[],
  moves: readonly Move[],
  { stacks: baseStacks, files }: AccessTestBase,
  { cwd }: CliIo,
): ReadonlyMap<string, readonly StackVersions[]> {
  const tests = new Map<string, StackVersions[]>();
  for (const before of baseStacks) {
    if (!hasAccessTest(before, files, cwd)) continue;
    const file = accessTestPath(before);
    const formerName = before.config.stack;
    const { stack: name } = currentPlace(moves, { stack: formerName });
    const versions = stacks
      .filter(({ config }) => config.stack === name || config.stack === formerName)
      .map((after) => ({ before, after }));
    if (versions.length > 0) tests.set(file, [...(tests.get(file) ?? []), ...versions]);
  }
  return tests;
}

/** What a change says and shows about new names. */
interface Renames {
  /** The renamed apps by their former names. */
  readonly renamedByFormerName: ReturnType<typeof renamedApps>;
  readonly moves: readonly Move[];
}

async function resultsAtBase(
  file: string,
  versions: readonly StackVersions[],
  { renamedByFormerName, moves }: Renames,
  { files }: AccessTestBase,
  io: CliIo,
): Promise<readonly AccessTestResult[]> {
  const source = new SourceText(file, textOf(files, resolve(io.cwd, file)));
  const stacks = [...new Set(versions.map(({ after }) => after))];
  const temporaryFolder = mkdtempSync(join(tmpdir(), 'castellan-base-'));
  const extractBaseSeed = (seedFile: string): readonly string[] => {
    if (files.stat(seedFile).kind !== 'file') return [];
    const copy = join(mkdtempSync(join(temporaryFolder, 'seed-')), basename(seedFile));
    writeFileSync(copy, files.read(seedFile));
    return [copy];
  };
  const sandboxSeeds = new Set(versions.map(({ before }) => seedPathOf(before, io.cwd)));
  // the change may name another seed, or none
  const earlierSeeds = [...sandboxSeeds].flatMap(extractBaseSeed);
  const baseAndCurrentSeeds = (seedFile: string): readonly string[] => {
    const earlierFiles = extractBaseSeed(seedFile);
    return earlierFiles.length === 0 || existsSync(seedFile)
      ? [...earlierFiles, seedFile]
      : earlierFiles;
  };
  const presentNameOf = (app: string): string => {
    const stackEnd = app.lastIndexOf('/');
    const name = app.slice(stackEnd + 1);
    const presentName = renamedByFormerName.get(name)?.name ?? name;
    if (stackEnd === -1) return presentName;
    return `${currentPlace(moves, { stack: app.slice(0, stackEnd) }).stack}/${presentName}`;
  };
  const run = (
    versionsOfSeed: (seedFile: string) => readonly string[],
  ): Promise<readonly AccessTestResult[]> =>
    runAccessTestsIn(source, stacks, io, { versionsOfSeed, earlierSeeds }, presentNameOf);
  try {
    return await run(baseAndCurrentSeeds).catch((error: unknown) => {
      // where the change's people contradict those of the base, these alone decide
      if (isCastellanError(error) && error.code === 'CAS4002') return run(extractBaseSeed);
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
