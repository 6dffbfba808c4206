/** Waits for an answer for this many milliseconds; a server that hangs counts as down. */
export async function withTimeout<T>(answer: Promise<T>, timeoutMs: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_, fail) => {
    timer = setTimeout(
      () => fail(Object.assign(new Error('no answer in time'), { code: 'ETIMEDOUT' })),
      timeoutMs,
    );
  });
  try {
    return await Promise.race([answer, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
