import { existsSync, mkdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '../../services/common/database.js';
import { createDirectoryService } from '../../services/directory/index.js';
import { serviceContext } from '../service-context.js';
import { insertObjects, type Size } from './load.js';

/** The sizes to compare: the full one, and a hundredth of it. */
export const sizes = {
  whole: { groups: 100_000, users: 1_000_000, memberships: 5_000_000 },
  hundredth: { groups: 1_000, users: 10_000, memberships: 50_000 },
} as const satisfies Record<string, Size>;

/**
 * The version of the data sets: increase it with every change of the tables or of the loaded data.
 */
const dataSetVersion = 2;

/**
 * The SQLite file of a data set, loaded into the temporary folder unless an earlier run left it
 * there. It is loaded under another name and renamed at the end, so that an interrupted load leaves
 * no file that looks complete.
 */
export async function prepareDataSet(size: Size): Promise<string> {
  const folder = join(tmpdir(), 'castellan-bench-directory');
  const file = join(
    folder,
    `${dataSetVersion}-${size.groups}-${size.users}-${size.memberships}.db`,
  );
  if (existsSync(file)) return file;
  mkdirSync(folder, { recursive: true });
  const unfinishedFile = `${file}.loading`;
  for (const suffix of ['', '-wal', '-shm']) rmSync(unfinishedFile + suffix, { force: true });
  const startedAt = performance.now();
  const database = await openDatabase(`sqlite:${unfinishedFile}`);
  // it creates the tables
  const service = await createDirectoryService(serviceContext(database));
  insertObjects(database, size);
  await service.close();
  await database.close();
  renameSync(unfinishedFile, file);
  const [seconds, megabytes] = [(performance.now() - startedAt) / 1000, statSync(file).size / 1e6];
  console.log(
    JSON.stringify({
      loaded: file,
      ...size,
      seconds: Math.round(seconds),
      megabytes: Math.round(megabytes),
    }),
  );
  return file;
}
