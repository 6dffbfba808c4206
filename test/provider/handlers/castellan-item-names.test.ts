import { readServiceError } from '../../../clients/common/index.js';
import { retryUntilNameIsFree } from '../../../provider/handlers/castellan/item.js';

const refusal = (errorCode: string): Error =>
  readServiceError({ method: 'POST', url: 'https://x/y' }, new Response(null, { status: 409 }), {
    errorCode,
    message: 'no',
  });

/**
 * Creates an item after a number of failures with a code; keeps the pauses between the attempts.
 */
async function createAfterFailures(
  errorCode: string,
  failures: number,
): Promise<{ answer: string; pauseSeconds: number[] }> {
  let failuresLeft = failures;
  const pauseSeconds: number[] = [];
  const create = (): Promise<string> =>
    failuresLeft-- > 0 ? Promise.reject(refusal(errorCode)) : Promise.resolve('made');
  const answer = await retryUntilNameIsFree(
    create,
    new AbortController().signal,
    async (pause) => void pauseSeconds.push(pause / 1000),
  );
  return { answer, pauseSeconds };
}

describe('creating an item whose name another one may soon release', () => {
  it('waits a short time while the name is in use, and then reports it', async () => {
    expect(await createAfterFailures('ItemDisplayNameAlreadyInUse', 3)).toEqual({
      answer: 'made',
      pauseSeconds: [2, 2, 2],
    });
    await expect(createAfterFailures('ItemDisplayNameAlreadyInUse', 6)).rejects.toMatchObject({
      serviceCode: 'ItemDisplayNameAlreadyInUse',
    });
  });

  it('waits for minutes while the service reserves the name', async () => {
    expect(
      (await createAfterFailures('ItemDisplayNameNotAvailableYet', 20)).pauseSeconds,
    ).toHaveLength(20);
    await expect(createAfterFailures('ItemDisplayNameNotAvailableYet', 21)).rejects.toMatchObject({
      serviceCode: 'ItemDisplayNameNotAvailableYet',
    });
  });

  it('reports other errors at once', async () => {
    await expect(createAfterFailures('CorruptedPayload', 1)).rejects.toMatchObject({
      serviceCode: 'CorruptedPayload',
    });
  });

  it('ends with the refusal when it is interrupted: nothing was created', async () => {
    const interrupt = new AbortController();
    const creation = retryUntilNameIsFree(
      () => Promise.reject(refusal('ItemDisplayNameAlreadyInUse')),
      interrupt.signal,
    );
    interrupt.abort();
    await expect(creation).rejects.toMatchObject({ serviceCode: 'ItemDisplayNameAlreadyInUse' });
  });
});
