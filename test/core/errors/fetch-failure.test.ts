import { once } from 'node:events';
import { connect, type LookupFunction } from 'node:net';
import { fetchFailureReason } from '../../../core/errors/fetch-failure.js';
import { freePort } from '../../support/ports.js';

describe('the reason of a failed fetch', () => {
  it('is that of the connection', async () => {
    const port = await freePort();
    const error: unknown = await fetch(`http://127.0.0.1:${port}`).catch((e: unknown) => e);
    expect(fetchFailureReason(error)).toBe(`connect ECONNREFUSED 127.0.0.1:${port}`);
  });

  it('is that of the first attempt for a host with several addresses', async () => {
    const port = await freePort();
    const lookup: LookupFunction = (_host, _options, callback) => {
      callback(null, [
        { address: '127.0.0.1', family: 4 },
        { address: '::1', family: 6 },
      ]);
    };
    const socket = connect({ host: 'two.example', port, lookup, autoSelectFamily: true });
    const [cause] = (await once(socket, 'error').catch((e: unknown) => [e])) as [Error];
    expect(cause.message).toBe('');
    const error = new TypeError('fetch failed', { cause });
    expect(fetchFailureReason(error)).toBe(`connect ECONNREFUSED 127.0.0.1:${port}`);
  });

  it('is the message of an error without a cause', () => {
    expect(fetchFailureReason(new Error('no answer'))).toBe('no answer');
  });
});
