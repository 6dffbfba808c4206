import { once } from 'node:events';
import { connect, type LookupFunction } from 'node:net';
import { fetchFailureReason, unreachableReason } from '../../../core/errors/fetch-failure.js';
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

describe('the reason why an address is unreachable', () => {
  const reason = (url: string, env: Record<string, string>): string =>
    unreachableReason(new Error('no answer'), url, env);
  const proxy = { HTTPS_PROXY: 'http://proxy.example:3128' };

  it('says that Node does not use a proxy', () => {
    expect(reason('https://graph.example/v1', proxy)).toBe(
      'no answer; Node uses HTTPS_PROXY only with NODE_USE_ENV_PROXY=1, and from Node 22.21 on',
    );
  });

  it.each([
    ['no proxy is set', 'https://graph.example', {}],
    ['it is this machine', 'https://directory.localhost:7443', proxy],
    ['Node uses it', 'https://graph.example', { ...proxy, NODE_USE_ENV_PROXY: '1' }],
    [
      'Node is told to use it',
      'https://graph.example',
      { ...proxy, NODE_OPTIONS: '--use-env-proxy' },
    ],
  ])('says nothing of a proxy where %s', (_, url, env) => {
    expect(reason(url, env)).toBe('no answer');
  });
});
