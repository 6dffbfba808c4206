import { readServiceError } from '../../../clients/common/index.js';
import { withRetries } from '../../../provider/handlers/azapi/retry.js';
import type { ValueMap } from '../../../provider/values/value.js';

const refusal = (code: string, message: string): Error =>
  readServiceError({ method: 'PUT', url: 'https://x/y' }, new Response(null, { status: 409 }), {
    error: { code, message },
  });

/** Fails as often as there are errors, then answers; records the pauses between. */
async function attempt(
  retry: ValueMap | undefined,
  errors: readonly Error[],
): Promise<{ answer: string; pauses: number[] }> {
  const remainingErrors = [...errors];
  const pauses: number[] = [];
  const answer = await withRetries(
    retry === undefined ? {} : { retry },
    async () => {
      const error = remainingErrors.shift();
      if (error !== undefined) throw error;
      return 'done';
    },
    async (pause) => void pauses.push(Math.round(pause)),
  );
  return { answer, pauses };
}

const steady = {
  interval_seconds: 10,
  max_interval_seconds: 25,
  multiplier: 2,
  randomization_factor: 0,
};

describe('the retry of an azapi resource', () => {
  it('retries the named errors, at intervals growing up to the longest', async () => {
    const busy = refusal('Conflict', 'another operation is in progress');
    expect(
      await attempt({ ...steady, error_message_regex: ['in progress'] }, [busy, busy, busy, busy]),
    ).toEqual({
      answer: 'done',
      pauses: [10_000, 20_000, 25_000, 25_000],
    });
  });

  it('varies the first interval by half, by default', async () => {
    const { pauses } = await attempt({ error_message_regex: ['Conflict'] }, [
      refusal('Conflict', 'no'),
    ]);
    expect(pauses[0]).toBeGreaterThanOrEqual(5000);
    expect(pauses[0]).toBeLessThanOrEqual(15_000);
  });

  it('looks at the code, and at expressions as Go writes them', async () => {
    expect(
      (
        await attempt({ ...steady, error_message_regex: ['^nothing$', '(?i)conFLICT'] }, [
          refusal('Conflict', 'no'),
        ])
      ).answer,
    ).toBe('done');
  });

  it('does not retry anything else', async () => {
    await expect(
      attempt({ ...steady, error_message_regex: ['in progress'] }, [refusal('BadRequest', 'bad')]),
    ).rejects.toThrow('bad');
    await expect(attempt(undefined, [refusal('Conflict', 'busy')])).rejects.toThrow('busy');
    await expect(
      attempt({ ...steady, error_message_regex: ['.*'] }, [new TypeError('a mistake of ours')]),
    ).rejects.toThrow('a mistake');
  });

  it('gives up after half an hour', async () => {
    const busy = Array.from({ length: 200 }, () => refusal('Conflict', 'busy'));
    await expect(
      attempt({ ...steady, max_interval_seconds: 180, error_message_regex: ['busy'] }, busy),
    ).rejects.toThrow('busy');
  });

  it('reports an invalid expression', async () => {
    await expect(
      attempt({ ...steady, error_message_regex: ['('] }, [refusal('Conflict', 'busy')]),
    ).rejects.toMatchObject({
      detail: expect.stringContaining('`retry.error_message_regex` "("'),
    });
  });
});
