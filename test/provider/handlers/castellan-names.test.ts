import { readServiceError } from '../../../clients/common/index.js';
import { retryUntilNameIsFree } from '../../../provider/handlers/castellan/item.js';

const refusal = (errorCode: string): Error =>
  readServiceError({ method: 'POST', url: 'https://x/y' }, new Response(null, { status: 409 }), {
    errorCode,
    message: 'no',
  });

/** Fails so often with a code, then answers; keeps the pauses between. */
async function attempt(
  errorCode: string,
  times: number,
): Promise<{ answer: string; seconds: number[] }> {
  let left = times;
  const seconds: number[] = [];
  const create = (): Promise<string> =>
    left-- > 0 ? Promise.reject(refusal(errorCode)) : Promise.resolve('made');
  const answer = await retryUntilNameIsFree(
    create,
    new AbortController().signal,
    async (pause) => void seconds.push(pause / 1000),
  );
  return { answer, seconds };
}

describe('creating an item whose name another one may soon release', () => {
  it('waits a short time while the name is in use, and then reports it', async () => {
    expect(await attempt('ItemDisplayNameAlreadyInUse', 3)).toEqual({
      answer: 'made',
      seconds: [2, 2, 2],
    });
    await expect(attempt('ItemDisplayNameAlreadyInUse', 6)).rejects.toMatchObject({
      serviceCode: 'ItemDisplayNameAlreadyInUse',
    });
  });

  it('waits for minutes while the service reserves the name', async () => {
    expect((await attempt('ItemDisplayNameNotAvailableYet', 20)).seconds).toHaveLength(20);
    await expect(attempt('ItemDisplayNameNotAvailableYet', 21)).rejects.toMatchObject({
      serviceCode: 'ItemDisplayNameNotAvailableYet',
    });
  });

  it('reports other errors at once', async () => {
    await expect(attempt('CorruptedPayload', 1)).rejects.toMatchObject({
      serviceCode: 'CorruptedPayload',
    });
  });

  it('ends when it is interrupted', async () => {
    const interrupt = new AbortController();
    const making = retryUntilNameIsFree(
      () => Promise.reject(refusal('ItemDisplayNameAlreadyInUse')),
      interrupt.signal,
    );
    interrupt.abort();
    await expect(making).rejects.toMatchObject({ name: 'AbortError' });
  });
});
