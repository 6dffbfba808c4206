import { unrestrictedCaller } from '../../../services/common/caller.js';
import { openDatabase } from '../../../services/common/database.js';
import type { DirectoryModule } from '../../../services/directory/directory-module.js';
import { DirectoryService } from '../../../services/directory/service.js';

describe('timed work that fails', () => {
  it('is done again, and the modules are stopped all the same', async () => {
    const database = await openDatabase('memory:');
    let runs = 0;
    let isStopped = false;
    const module: DirectoryModule = {
      routes: () => undefined,
      tick: () => (++runs === 1 ? Promise.reject(new Error('no space')) : Promise.resolve()),
      stop: () => {
        isStopped = true;
        return Promise.resolve();
      },
    };
    const service = await DirectoryService.start(
      {
        database,
        dialect: 'neutral',
        clock: { now: () => new Date() },
        tokenVerifier: { verify: () => Promise.resolve({ caller: unrestrictedCaller }) },
        throttle: false,
        longRunning: { mode: 'never', seed: '', seconds: 0 },
      },
      [module],
    );
    await expect(service.runDueWork()).rejects.toThrow('no space');
    await service.runDueWork();
    expect(runs).toBe(2);
    runs = 0;
    await expect(service.runDueWork()).rejects.toThrow('no space');
    await service.close();
    expect(isStopped).toBe(true);
    await database.close();
  });
});
